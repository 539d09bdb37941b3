import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../model/json.ts'
import { JournalError, LockedError } from './error.ts'
import { codeOf, type FileStamp, type FileSystem } from './file-system.ts'
import { isGone, type ProcessIdentity, thisProcess } from './process-identity.ts'

/** What stands in a lock file. */
interface Holder extends ProcessIdentity {
  /** Of this lease alone. */
  readonly nonce: string
  readonly since: string
  readonly name?: string | undefined
}

/** A look at a lock that is being taken over or given back may find another one in its place: then all is asked again. */
const MAX_TRIES = 20

/**
 * The exclusive right to write a file, as a lock file beside it. A lock is taken over only when exactly the process that
 * made it is gone, on this host.
 */
export class Lease {
  readonly #path: string
  readonly #holder: Holder
  readonly #files: FileSystem
  /** Of the lock when its nonce was last read: while that is the same, so is what stands in it. */
  #seen: FileStamp | undefined

  private constructor(path: string, holder: Holder, files: FileSystem) {
    this.#path = path
    this.#holder = holder
    this.#files = files
  }

  /** @throws {LockedError} when another process holds it, or may. */
  static take(path: string, name: string | undefined, files: FileSystem): Promise<Lease> {
    return Lease.#take(path, name, files, new Set())
  }

  /** `above`: the nonces of the locks for whose sake this one is taken. */
  static async #take(
    path: string,
    name: string | undefined,
    files: FileSystem,
    above: ReadonlySet<string>,
  ): Promise<Lease> {
    const holder = {
      ...(await thisProcess()),
      nonce: randomUUID(),
      since: new Date().toISOString(),
      ...(name === undefined ? {} : { name: name.slice(0, MAX_NAME) }),
    }
    const lease = new Lease(path, holder, files)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (await lease.#create()) return lease
      const found = await lease.#look()
      if (found !== undefined) await lease.#takeOver(found, above)
    }
    throw new LockedError(path, UNREADABLE)
  }

  /**
   * For the moment before each write.
   * @throws {JournalError} when another owner has taken over.
   */
  check(): void {
    if (!this.#isHeld()) throw new JournalError('lease-lost', `the lease ${this.#path} is not held any more`)
  }

  #isHeld(): boolean {
    try {
      const stamp = this.#files.statSync(this.#path)
      if (this.#seen !== undefined && isSame(this.#seen, stamp)) return true
      if (!isReadable(stamp)) return false
      if (parsed(this.#files.readFileSync(this.#path, 'utf8'))?.nonce !== this.#holder.nonce) return false
      this.#seen = stamp
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
  }

  /** Gives it back, unless it is somebody else's by now. */
  async release(): Promise<void> {
    const found = await this.#look()
    if (found?.nonce === this.#holder.nonce) await this.#files.unlink(this.#path)
  }

  /**
   * The lock file appears with all that stands in it, so that nobody finds it empty: it is written under a name of its
   * own, and linked. False when there is one.
   */
  async #create(): Promise<boolean> {
    const draft = this.#beside(this.#holder.nonce, 'new')
    try {
      await this.#write(draft)
      await this.#files.link(draft, this.#path)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      // File systems without links: there a crash may leave an empty lock, which nobody takes over.
      if (!NO_LINKS.has(codeOf(error))) throw error
      return await this.#writeInPlace()
    } finally {
      // What is left of a draft is in nobody's way; a lease that is taken, and not returned, would be.
      await this.#files.unlink(draft).catch(() => {})
    }
  }

  async #writeInPlace(): Promise<boolean> {
    try {
      await this.#write(this.#path)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  }

  async #write(path: string): Promise<void> {
    const file = await this.#files.open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await file.writeFile(`${JSON.stringify(this.#holder)}\n`)
      // A machine that dies must not leave a lock that nobody can read.
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** Named by a nonce alone: a name made from another name gets longer with every crash. */
  #beside(nonce: string, kind: string): string {
    return join(dirname(this.#path), `.${nonce}.${kind}`)
  }

  /** Who holds the lock now; undefined when nobody does. @throws {LockedError} when that cannot be told. */
  async #look(): Promise<Holder | undefined> {
    try {
      if (!isReadable(this.#files.statSync(this.#path))) throw new LockedError(this.#path, UNREADABLE)
      const holder = parsed(await this.#files.readFile(this.#path, 'utf8'))
      if (holder === undefined) throw new LockedError(this.#path, UNREADABLE)
      return holder
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /**
   * Puts the lock of a dead process away. Of several that find it dead, only the one that holds a lease on just this
   * lock may touch it: else a slow one would put away the lock of a quick one.
   */
  async #takeOver(found: Holder, above: ReadonlySet<string>): Promise<void> {
    // Each crash in the middle of this leaves one more lock to be taken over, but none leaves locks that lead back to themselves.
    if (above.has(found.nonce) || above.size === MAX_TRIES) throw new LockedError(this.#path, UNREADABLE)
    if (!(await isGone(found))) throw new LockedError(this.#path, found)
    const nonces = new Set([...above, found.nonce])
    const right = await Lease.#take(this.#beside(found.nonce, 'lock'), this.#holder.name, this.#files, nonces)
    try {
      if ((await this.#look())?.nonce !== found.nonce) return
      const stale = `${this.#path}.stale`
      await this.#files.rename(this.#path, stale)
      await this.#files.unlink(stale)
    } finally {
      await right.release()
    }
  }
}

function isSame(one: FileStamp, other: FileStamp): boolean {
  return (
    one.ino === other.ino &&
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.dev === other.dev
  )
}

/** To read a pipe would wait for its writer, and what is longer than any lock would fill the memory. */
const isReadable = (stamp: FileStamp): boolean => stamp.isFile() && stamp.size <= MAX_LOCK_BYTES

const MAX_LOCK_BYTES = 64 * 1024
/** Characters of the name of an owner, so that its lock is none of those. */
const MAX_NAME = 1000

const UNREADABLE = { host: '', pid: 0, since: '' }

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Names of files are made of nonces. */
const NONCE = /^[0-9a-f-]{36}$/

function parsed(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isHolder(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isHolder(value: unknown): value is Holder {
  if (!isObject(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return false
  if (value.name !== undefined && typeof value.name !== 'string') return false
  const texts = [value.host, value.machine, value.boot, value.space, value.start, value.nonce, value.since]
  return texts.every((text) => typeof text === 'string') && NONCE.test(value.nonce as string)
}
