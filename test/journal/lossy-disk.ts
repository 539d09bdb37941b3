import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { FileStamp, FileSystem, OpenFile } from '../../src/journal/file-system.ts'
import { systemError } from './faulty-files.ts'

/** What a file holds for those who read it now, and what of it is on the disk for certain. */
interface Inode {
  readonly number: number
  content: Buffer
  synced: Buffer
  changedAt: number
}

type Names = ReadonlyMap<string, Inode>

interface Stored {
  readonly content: Buffer
  readonly synced: Buffer
}

/** What the system holds and what the disk holds at one moment. */
export interface Moment {
  /** What was asked of the system just before. */
  readonly after: string
  readonly files: ReadonlyMap<string, Stored>
  /** By the names that are certain to be there after a crash of the machine. */
  readonly certain: ReadonlyMap<string, Stored>
}

/** Where a crash of the machine may leave a file: between what was synced and what was written. */
export type Loss = (synced: Buffer, content: Buffer) => Buffer

/**
 * A file system in memory that knows what a crash of the machine takes from it: bytes of a file until it is synced, and
 * names until their folder is.
 */
export class LossyDisk implements FileSystem {
  readonly moments: Moment[] = []
  #names = new Map<string, Inode>()
  #syncedNames: Names = new Map()
  #folders = new Set<string>(['/'])
  #inodes = 0
  #clock = 0

  /** The disk after a crash of the machine. What was done to names since their folder was synced is done, or is not. */
  static after({ files, certain }: Moment, names: 'done' | 'undone', loss: Loss): LossyDisk {
    const disk = new LossyDisk()
    for (const [path, { content, synced }] of names === 'done' ? files : certain) {
      const left = Buffer.from(loss(synced, content))
      disk.#put(path, left, left)
    }
    disk.#syncedNames = new Map(disk.#names)
    return disk
  }

  /** The system after a process was killed: it loses nothing. */
  static killed({ files, certain }: Moment): LossyDisk {
    const disk = new LossyDisk()
    for (const [path, { content, synced }] of files) disk.#put(path, content, synced)
    disk.#syncedNames = new Map([...disk.#names].filter(([path]) => certain.has(path)))
    return disk
  }

  /** What stands in a file now; undefined when there is none. */
  content(path: string): Buffer | undefined {
    return this.#names.get(path)?.content
  }

  /** For what a test pretends, and no process has done. */
  rewrite(path: string, change: (text: string) => string): void {
    const content = Buffer.from(change(this.readFileSync(path)))
    this.#put(path, content, content)
  }

  #put(path: string, content: Buffer, synced: Buffer): void {
    this.#names.set(path, { number: ++this.#inodes, content, synced, changedAt: this.#clock++ })
    this.#folders.add(dirname(path))
  }

  async open(path: string, flags: number): Promise<OpenFile> {
    if (this.#folders.has(path)) return this.#openFolder(path)
    let inode = this.#names.get(path)
    if (inode !== undefined && (flags & constants.O_EXCL) !== 0) throw systemError('EEXIST')
    if (inode === undefined) {
      if ((flags & constants.O_CREAT) === 0) throw systemError('ENOENT')
      const nothing = Buffer.alloc(0)
      inode = { number: ++this.#inodes, content: nothing, synced: nothing, changedAt: this.#clock++ }
      this.#names.set(path, inode)
    }
    return this.#openInode(inode, path)
  }

  async mkdir(path: string): Promise<undefined> {
    // Folders are taken for durable: whose are not is told by the test of their own.
    this.#folders.add(path)
  }

  async rename(from: string, to: string): Promise<void> {
    this.#names.set(to, this.#inodeOf(from))
    this.#names.delete(from)
    this.#happened('rename')
  }

  async link(from: string, to: string): Promise<void> {
    if (this.#names.has(to)) throw systemError('EEXIST')
    this.#names.set(to, this.#inodeOf(from))
    this.#happened('link')
  }

  async unlink(path: string): Promise<void> {
    this.#inodeOf(path)
    this.#names.delete(path)
    this.#happened('unlink')
  }

  async readFile(path: string): Promise<string> {
    return this.readFileSync(path)
  }

  readFileSync(path: string): string {
    return this.#inodeOf(path).content.toString('utf8')
  }

  statSync(path: string): FileStamp {
    const { number, content, changedAt } = this.#inodeOf(path)
    return { isFile: () => true, dev: 1, ino: number, size: content.length, mtimeMs: changedAt, ctimeMs: changedAt }
  }

  /** Something else than a call of the system, such as an acknowledgement, after which the machine may crash. */
  mark(what: string): void {
    this.#happened(what)
  }

  #inodeOf(path: string): Inode {
    const inode = this.#names.get(path)
    if (inode === undefined) throw systemError('ENOENT')
    return inode
  }

  #openInode(inode: Inode, path: string): OpenFile {
    const sync = async (): Promise<void> => {
      inode.synced = inode.content
      this.#happened(`sync of ${basename(path)}`)
    }
    const write = (bytes: Buffer): void => {
      inode.content = Buffer.concat([inode.content, bytes])
      inode.changedAt = this.#clock++
      this.#happened(`write to ${basename(path)}`)
    }
    return {
      async read(into, offset, length, position) {
        return { bytesRead: inode.content.copy(into, offset, position, position + length) }
      },
      async write(from, offset, length) {
        write(Buffer.from(from.subarray(offset, offset + length)))
        return { bytesWritten: length }
      },
      async writeFile(text) {
        write(Buffer.from(text))
      },
      stat: async () => ({ isFile: () => true, size: inode.content.length }),
      datasync: sync,
      sync,
      async close() {},
    }
  }

  #openFolder(path: string): OpenFile {
    const sync = async (): Promise<void> => {
      const others = [...this.#syncedNames].filter(([name]) => dirname(name) !== path)
      this.#syncedNames = new Map([...others, ...[...this.#names].filter(([name]) => dirname(name) === path)])
      this.#happened('sync of the folder')
    }
    const refused = async (): Promise<never> => {
      throw systemError('EISDIR')
    }
    return {
      read: refused,
      write: refused,
      writeFile: refused,
      stat: async () => ({ isFile: () => false, size: 0 }),
      datasync: sync,
      sync,
      async close() {},
    }
  }

  #happened(after: string): void {
    const stored = (names: Names): Map<string, Stored> =>
      new Map([...names].map(([path, { content, synced }]) => [path, { content, synced }]))
    this.moments.push({ after, files: stored(this.#names), certain: stored(this.#syncedNames) })
  }
}

/** Bytes that the system writes to the disk together; few, so that a short file has many. */
export const PAGE = 64

/** Every way to lose what was not synced that is looked at. */
export function lossesOf(synced: Buffer, content: Buffer): { readonly how: string; readonly left: Buffer }[] {
  if (content.length === synced.length) return [{ how: 'nothing to lose', left: content }]
  return [
    { how: 'all lost', left: synced },
    { how: 'nothing lost', left: content },
    ...torn(synced, content),
    ...reordered(synced, content),
  ]
}

/** Cut at any byte. */
function torn(synced: Buffer, content: Buffer): { readonly how: string; readonly left: Buffer }[] {
  return Array.from({ length: content.length - synced.length - 1 }, (_, index) => ({
    how: 'torn',
    left: content.subarray(0, synced.length + index + 1),
  }))
}

/** Of the pages that were not synced, one run is zeros though later ones were written; the end may be lost too. */
function reordered(synced: Buffer, content: Buffer): { readonly how: string; readonly left: Buffer }[] {
  const found: { readonly how: string; readonly left: Buffer }[] = []
  const first = Math.floor(synced.length / PAGE)
  const last = Math.ceil(content.length / PAGE)
  for (let start = first; start < last; start++) {
    for (const length of [1, 3, 1000]) {
      const from = Math.max(synced.length, start * PAGE)
      const to = Math.min(content.length, (start + length) * PAGE)
      const left = Buffer.from(content)
      left.fill(0, from, to)
      found.push({ how: 'reordered', left })
      if (to + PAGE < content.length) found.push({ how: 'reordered', left: left.subarray(0, to + PAGE) })
    }
  }
  for (let seed = 1; seed <= last - first - 2; seed++) found.push({ how: 'holed', left: holed(synced, content, seed) })
  return found
}

/** About every second page that was not synced is zeros. */
function holed(synced: Buffer, content: Buffer, seed: number): Buffer {
  const left = Buffer.from(content)
  let dice = seed * 2_654_435_761
  for (let page = Math.floor(synced.length / PAGE); page * PAGE < content.length; page++) {
    dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0
    if (dice >= 2 ** 31) left.fill(0, Math.max(synced.length, page * PAGE), Math.min(content.length, (page + 1) * PAGE))
  }
  return left
}
