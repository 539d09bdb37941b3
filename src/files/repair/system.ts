import { lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from 'node:fs/promises'

/** The calls of the system that a repair makes, so that a test can let each of them fail. As in `node:fs/promises`. */
export interface RepairFiles {
  lstat(path: string): Promise<FileStats>
  open(path: string, flags: number, mode?: number): Promise<RepairFile>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  readdir(path: string): Promise<readonly string[]>
  realpath(path: string): Promise<string>
  mkdir(path: string, mode: number): Promise<unknown>
  rmdir(path: string): Promise<void>
}

export interface RepairFile {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  write(from: Uint8Array, offset: number, length: number, position: null): Promise<{ readonly bytesWritten: number }>
  stat(): Promise<FileStats>
  truncate(length: number): Promise<void>
  chmod(mode: number): Promise<void>
  chown(owner: number, group: number): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export interface FileStats {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly nlink: number
}

export const NODE_FILES: RepairFiles = { lstat, open, rename, unlink, readdir, realpath, mkdir, rmdir }
