import { constants } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { JournalError, storeError } from '../error.ts'
import { codeOf, type FileSystem, NODE_FILES, type OpenFile } from '../file-system.ts'
import { makeFolder } from '../folder.ts'
import { Lease } from '../lease.ts'
import type { JournalStore, OpenStore, StoredLine } from '../store.ts'
import { syncFolder } from '../sync-folder.ts'
import { CANCEL, Lines, NEWLINE, UNSYNCED } from './lines.ts'

/** A journal named by an id within a folder. */
export interface NamedJournal {
  readonly folder: string
  /** Letters, digits, `.`, `_` and `-`, not beginning with a dot, at most 128 characters. */
  readonly id: string
}

/**
 * A journal in a file of JSON lines, by its path, or by an id within a folder. The file comes with the first record, for
 * its owner's eyes only (0600; folders that are made 0700). Beside it stands its lock.
 * @throws {JournalError} when the id cannot be the name of a file.
 */
export function fileStore(place: string | NamedJournal, files: FileSystem = NODE_FILES): JournalStore {
  const path = resolve(typeof place === 'string' ? place : named(place))
  return {
    repairs: true,
    async open(owner, maxLineBytes) {
      await makeFolder(dirname(path), files)
      const lease = await taken(`${path}.lock`, owner, files)
      return new FileStore(path, lease, files, maxLineBytes)
    },
  }
}

const ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/

function named({ folder, id }: NamedJournal): string {
  if (!ID.test(id)) throw new JournalError('invalid', `${JSON.stringify(id)} cannot be the name of a journal`)
  return join(folder, `${id}.jsonl`)
}

async function taken(path: string, owner: string | undefined, files: FileSystem): Promise<Lease> {
  try {
    return await Lease.take(path, owner, files)
  } catch (error) {
    throw storeError(error, 'the journal cannot be locked')
  }
}

const PIECE = 1024 * 1024

/** Bytes. */
const SMALL = 16 * 1024

/** Links are not followed: a journal is where its path says. Windows syncs only what may be written. */
const READ =
  (process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)
const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const CREATE = APPEND | constants.O_CREAT | constants.O_EXCL

const LINE_END = Buffer.from([NEWLINE])
const TORN_END = Buffer.from([CANCEL, NEWLINE])
const NOTHING = Buffer.alloc(0)

class FileStore implements OpenStore {
  readonly #path: string
  readonly #lease: Lease
  readonly #files: FileSystem
  readonly #maxLineBytes: number
  #file: OpenFile | undefined
  /** Bytes in the file; undefined while there is none. */
  #size: number | undefined
  /** Of small appends: a buffer for each would be garbage by the megabyte. */
  readonly #small = Buffer.allocUnsafeSlow(SMALL)
  /** Ends the line that stands last. */
  #lineEnd = NOTHING

  constructor(path: string, lease: Lease, files: FileSystem, maxLineBytes: number) {
    this.#path = path
    this.#lease = lease
    this.#files = files
    this.#maxLineBytes = maxLineBytes
  }

  async read(take: (line: StoredLine) => void): Promise<void> {
    try {
      const file = await this.#opened(READ)
      if (file === undefined) return
      try {
        await this.#read(file, take)
        await this.#settle(file)
      } finally {
        await file.close()
      }
    } catch (error) {
      throw storeError(error, 'the journal cannot be read')
    }
  }

  endTorn(): void {
    this.#lineEnd = TORN_END
  }

  async append(lines: readonly string[], sync: boolean): Promise<void> {
    try {
      this.#lease.check()
      if (this.#file === undefined) {
        this.#file = await this.#openedToAppend()
        // That took its time.
        this.#lease.check()
      }
      if (lines.length > 0) await this.#write(this.#file, this.#bytesOf(lines, sync))
      if (sync) await this.#file.datasync()
    } catch (error) {
      throw storeError(error, 'the journal cannot be written')
    }
  }

  async close(): Promise<void> {
    try {
      await this.#file?.close()
    } catch (error) {
      throw storeError(error, 'the journal cannot be closed')
    } finally {
      await this.#released()
    }
  }

  async #released(): Promise<void> {
    try {
      await this.#lease.release()
    } catch (error) {
      throw storeError(error, 'the lease of the journal cannot be given back')
    }
  }

  /** Valid until the next append. */
  #bytesOf(lines: readonly string[], sync: boolean): Buffer {
    const end = this.#lineEnd
    let most = end.length
    // No character takes more than three bytes.
    for (const line of lines) most += line.length * 3 + 2
    const bytes = most <= SMALL ? this.#small : Buffer.allocUnsafe(exactly(lines) + end.length)
    let length = end.copy(bytes)
    let missing = lines.length
    for (const line of lines) {
      length += bytes.write(line, length)
      if (--missing > 0 || !sync) bytes[length++] = UNSYNCED
      bytes[length++] = NEWLINE
    }
    return bytes.subarray(0, length)
  }

  async #write(file: OpenFile, bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, null)
      done += bytesWritten
    }
    this.#lineEnd = NOTHING
  }

  async #read(file: OpenFile, take: (line: StoredLine) => void): Promise<void> {
    const lines = new Lines(take, this.#maxLineBytes)
    let size = 0
    let [piece, other] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]
    let reading = file.read(piece, 0, PIECE, size)
    try {
      for (;;) {
        const { bytesRead } = await reading
        if (bytesRead === 0) break
        size += bytesRead
        // The next piece is read while this one is looked at.
        reading = file.read(other, 0, PIECE, size)
        lines.push(piece.subarray(0, bytesRead))
        ;[piece, other] = [other, piece]
      }
    } finally {
      await reading.catch(() => {})
    }
    if (lines.finish()) this.#lineEnd = LINE_END
    this.#size = size
  }

  /**
   * What a process wrote that was killed before its sync can be read, and would be gone after a crash of the machine. Nobody
   * shall go by it before it is durable. A file is empty until its name is.
   */
  async #settle(file: OpenFile): Promise<void> {
    await file.datasync()
    if (this.#size === 0) await syncFolder(dirname(this.#path), this.#files)
  }

  /** Undefined when there is no file. */
  async #opened(flags: number): Promise<OpenFile | undefined> {
    let file: OpenFile
    try {
      file = await this.#files.open(this.#path, flags)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
    return held(file, async () => {
      if (!(await file.stat()).isFile()) throw new JournalError('io', 'the journal is not a regular file')
    })
  }

  /** The file that was read, or a new one where there was none. */
  async #openedToAppend(): Promise<OpenFile> {
    if (this.#size === undefined) return this.#created()
    const file = await this.#opened(APPEND)
    if (file === undefined) throw new JournalError('io', CHANGED)
    return held(file, async () => {
      if ((await file.stat()).size !== this.#size) throw new JournalError('io', CHANGED)
    })
  }

  async #created(): Promise<OpenFile> {
    const file = await this.#files.open(this.#path, CREATE, 0o600)
    return held(file, () => syncFolder(dirname(this.#path), this.#files))
  }
}

const exactly = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 2, 0)

const CHANGED = 'the journal was changed by somebody without a lease'

/** The file when the work is done, closed when that fails. */
async function held(file: OpenFile, work: () => Promise<void>): Promise<OpenFile> {
  try {
    await work()
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
