import type { FormatId } from '../model/session.ts'
import { readers } from '../read/index.ts'
import type { ReadOptions } from '../read/reader.ts'
import type { Level } from '../rules/options.ts'
import { choiceOf } from './arguments.ts'

export const LEVELS: readonly Level[] = ['live', 'strict']

export const HISTORIES: readonly NonNullable<ReadOptions['history']>[] = ['active', 'full', 'portable']

/** @throws {UsageError} when it is given and has no reader. */
export function formatOf(value: string | undefined): FormatId | undefined {
  return choiceOf(
    value,
    'from',
    readers.map((reader) => reader.format),
  )
}
