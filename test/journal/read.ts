import { readWith } from '../../src/read/choose.ts'
import { reader } from '../../src/read/journal/index.ts'
import type { ReadOptions, ReadResult } from '../../src/read/reader.ts'

export const readJournal = (source: string | Uint8Array, options: ReadOptions = {}): ReadResult =>
  readWith([reader], source, options)
