import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { isJson } from '../model/is-json.ts'
import type { FormatId } from '../model/session.ts'
import { isPlain } from './plain.ts'
import { plainCopy } from './plain-copy.ts'
import type { ReadResult } from './reader.ts'

type Read = (value: unknown) => ReadResult

/**
 * Reads a value that a program holds. What JSON text could have given is read as it is; all else as a copy of what JSON would
 * store, so that readers meet nothing else.
 */
export function readInMemory(value: unknown, read: Read): ReadResult {
  return attempted(value, read) ?? readCopy(value, read)
}

/** The format of such a value. */
export function detectInMemory(value: unknown, detect: (value: unknown) => FormatId | undefined): FormatId | undefined {
  const found = attempted(value, (plain) => ({ format: detect(plain) }))
  return found === undefined ? detect(plainCopy(value, 'keep').value) : found.format
}

/** Undefined when the value is not plain, or not what it seemed to be, as with getters that throw the second time. */
function attempted<Result>(value: unknown, use: (value: unknown) => Result): Result | undefined {
  if (!isPlain(value)) return undefined
  try {
    return use(value)
  } catch (error) {
    if (ReadError.is(error)) throw error
    return undefined
  }
}

/** Bytes are what some formats store media as; where they stand in a value that nobody knows they become text. */
function readCopy(value: unknown, read: Read): ReadResult {
  const { value: copy, lost } = plainCopy(value, 'keep')
  const kept = read(copy)
  const result = isJson(kept.session) ? kept : read(plainCopy(value, 'text').value)
  if (lost.length === 0) return result
  return { ...result, changes: [change('value-not-json', {}, { before: lost.join(', ') }), ...result.changes] }
}
