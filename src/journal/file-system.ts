import { readFileSync } from 'node:fs'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'

/** The calls of the system that a journal makes, so that a test can let each of them fail. As in `node:fs/promises`. */
export interface FileSystem {
  open(path: string, flags: number, mode?: number): Promise<OpenFile>
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  rename(from: string, to: string): Promise<void>
  link(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  readFile(path: string, encoding: 'utf8'): Promise<string>
  /** For the look at the lease before each sync, where a round trip to the thread pool would cost more than the look. */
  readFileSync(path: string, encoding: 'utf8'): string
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

export const NODE_FILES: FileSystem = { open, mkdir, rename, link, unlink, readFile, readFileSync }

/** 'ENOENT' and the like; '' for errors that are not of the system. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
