import { NODE_FILES, type RepairFile, type RepairFiles } from '../../../src/files/repair/system.ts'
import { systemError } from '../../journal/faulty-files.ts'

type Operation = keyof RepairFiles | keyof RepairFile

export interface Faults {
  /** How often the system was asked. */
  asked: number
  /** What was asked of it, in order. */
  readonly log: string[]
}

/** A crash lets nothing through any more: no clean-up, no undoing. */
type Kind = 'once' | 'crash'

/**
 * The system, whose call of a number fails. Of a write that fails, the first half is written, as on a full disk. After a
 * crash every later call fails too.
 */
export function faulty(
  number: number,
  kind: Kind,
  code = 'EIO',
): { readonly files: RepairFiles; readonly faults: Faults } {
  const faults: Faults = { asked: 0, log: [] }
  const fails = (operation: Operation, path: string): boolean => {
    faults.asked++
    faults.log.push(`${operation} ${path}`)
    return faults.asked === number || (kind === 'crash' && faults.asked > number)
  }
  const ask = (operation: Operation, path: string): void => {
    if (fails(operation, path)) throw systemError(code)
  }
  const files: RepairFiles = {
    async lstat(path) {
      ask('lstat', path)
      return NODE_FILES.lstat(path)
    },
    async open(path, flags, mode) {
      ask('open', path)
      return watched(await NODE_FILES.open(path, flags, mode), path, fails, code)
    },
    async rename(from, to) {
      ask('rename', to)
      await NODE_FILES.rename(from, to)
    },
    async unlink(path) {
      ask('unlink', path)
      await NODE_FILES.unlink(path)
    },
    async readdir(path) {
      ask('readdir', path)
      return NODE_FILES.readdir(path)
    },
    async realpath(path) {
      ask('realpath', path)
      return NODE_FILES.realpath(path)
    },
    async mkdir(path, mode) {
      ask('mkdir', path)
      await NODE_FILES.mkdir(path, mode)
    },
    async rmdir(path) {
      ask('rmdir', path)
      await NODE_FILES.rmdir(path)
    },
  }
  return { files, faults }
}

function watched(
  file: RepairFile,
  path: string,
  fails: (operation: Operation, path: string) => boolean,
  code: string,
): RepairFile {
  const asked = <T>(operation: Operation, work: () => Promise<T>): Promise<T> =>
    fails(operation, path) ? Promise.reject(systemError(code)) : work()
  return {
    read: (into, offset, length, position) => asked('read', () => file.read(into, offset, length, position)),
    async write(from, offset, length, position) {
      if (!fails('write', path)) return file.write(from, offset, length, position)
      await file.write(from, offset, Math.floor(length / 2), position)
      throw systemError(code)
    },
    stat: () => asked('stat', () => file.stat()),
    truncate: (length) => asked('truncate', () => file.truncate(length)),
    chmod: (mode) => asked('chmod', () => file.chmod(mode)),
    chown: (owner, group) => asked('chown', () => file.chown(owner, group)),
    // No plug is pulled here, and a sync takes longer than all else.
    sync: () => asked('sync', async () => {}),
    async close() {
      // What fails to close is closed all the same, so that no test leaks it.
      await file.close()
      if (fails('close', path)) throw systemError(code)
    },
  }
}
