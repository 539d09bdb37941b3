import { readFileSync, statSync } from 'node:fs'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'

/** The calls of the system that a journal makes, so that a test can let each of them fail. As in `node:fs/promises`. */
export interface FileSystem {
  open(path: string, flags: number, mode?: number): Promise<OpenFile>
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  rename(from: string, to: string): Promise<void>
  link(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  readFile(path: string, encoding: 'utf8'): Promise<string>
  /** These two are for the look at the lease before each sync: a round trip to the thread pool would cost more than the look. */
  statSync(path: string): FileStamp
  readFileSync(path: string, encoding: 'utf8'): string
}

/** Which file it is, and when it was last written. */
export interface FileStamp {
  isFile(): boolean
  readonly dev: number
  readonly ino: number
  readonly size: number
  /** With fractions: a quarter of a microsecond, which is finer than file systems count. */
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export interface OpenFile {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
  write(from: Uint8Array, offset: number, length: number, position: null): Promise<{ readonly bytesWritten: number }>
  writeFile(text: string): Promise<void>
  stat(): Promise<{ isFile(): boolean; readonly size: number }>
  datasync(): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export const NODE_FILES: FileSystem = { open, mkdir, rename, link, unlink, readFile, statSync, readFileSync }

/** 'ENOENT' and the like; '' for errors that are not of the system. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
