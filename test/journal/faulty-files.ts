import { type FileSystem, NODE_FILES, type OpenFile } from '../../src/journal/file-system.ts'

export type Operation = keyof FileSystem | keyof OpenFile

export interface FaultyFiles {
  readonly files: FileSystem
  /** All that was asked of the system, in order. */
  readonly log: Operation[]
}

/**
 * The system, with a say before each call: what `fault` throws is thrown instead of it. Of a write that fails, the first
 * half is written, as on a full disk. Nothing waits for a disk: no plug is pulled here.
 */
export function faultyFiles(
  fault: (operation: Operation, number: number, path: string) => void = () => {},
): FaultyFiles {
  const log: Operation[] = []
  const asked = (operation: Operation, path: string): void => {
    log.push(operation)
    fault(operation, log.length - 1, path)
  }
  const files: FileSystem = {
    async open(path, flags, mode) {
      asked('open', path)
      return watched(await unsyncedFiles.open(path, flags, mode), path, asked)
    },
    async mkdir(path, options) {
      asked('mkdir', path)
      return unsyncedFiles.mkdir(path, options)
    },
    async rename(from, to) {
      asked('rename', from)
      return unsyncedFiles.rename(from, to)
    },
    async link(from, to) {
      asked('link', from)
      return unsyncedFiles.link(from, to)
    },
    async unlink(path) {
      asked('unlink', path)
      return unsyncedFiles.unlink(path)
    },
    async readFile(path, encoding) {
      asked('readFile', path)
      return unsyncedFiles.readFile(path, encoding)
    },
    statSync(path) {
      asked('statSync', path)
      return unsyncedFiles.statSync(path)
    },
    readFileSync(path, encoding) {
      asked('readFileSync', path)
      return unsyncedFiles.readFileSync(path, encoding)
    },
  }
  return { files, log }
}

function watched(file: OpenFile, path: string, asked: (operation: Operation, path: string) => void): OpenFile {
  return {
    async read(into, offset, length, position) {
      asked('read', path)
      return file.read(into, offset, length, position)
    },
    async write(from, offset, length, position) {
      try {
        asked('write', path)
      } catch (error) {
        await file.write(from, offset, Math.floor(length / 2), position)
        throw error
      }
      return file.write(from, offset, length, position)
    },
    async writeFile(text) {
      asked('writeFile', path)
      await file.writeFile(text)
    },
    async stat() {
      asked('stat', path)
      return file.stat()
    },
    async datasync() {
      asked('datasync', path)
      await file.datasync()
    },
    async sync() {
      asked('sync', path)
      await file.sync()
    },
    async close() {
      // What failed to close is closed all the same, so that no test leaks it.
      await file.close()
      asked('close', path)
    },
  }
}

/** The system without its syncs, for tests that open thousands of journals and pull no plug. */
export const unsyncedFiles: FileSystem = {
  ...NODE_FILES,
  async open(path, flags, mode) {
    const file = await NODE_FILES.open(path, flags, mode)
    return {
      read: file.read.bind(file),
      write: file.write.bind(file),
      writeFile: file.writeFile.bind(file),
      stat: file.stat.bind(file),
      close: file.close.bind(file),
      async sync() {},
      async datasync() {},
    }
  },
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made for a test`), { code })
}
