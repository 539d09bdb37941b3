import { constants } from 'node:fs'

interface Folders {
  open(path: string, flags: number): Promise<{ sync(): Promise<unknown>; close(): Promise<unknown> }>
}

/** A name is there after a crash of the machine only when its folder was synced. Windows knows no such call. */
export async function syncFolder(folder: string, files: Folders): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await files.open(folder, constants.O_RDONLY)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
