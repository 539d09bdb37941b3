import type { ReadOptions } from '../read/reader.ts'

export interface FileOptions extends ReadOptions {
  /** Of a source that holds many sessions: which one. Default: the newest. */
  readonly id?: string | undefined
  /** How many times its size a compressed file may grow; counts from 16 MiB. Default 200. */
  readonly maxRatio?: number | undefined
}

/** 2 GiB, as for sources in memory. */
export const MAX_BYTES: number = 2 * 1024 ** 3
