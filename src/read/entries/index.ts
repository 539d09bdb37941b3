import { ReadError } from '../../model/error.ts'
import { isObject } from '../../model/json.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import type { Reader, ReadResult, Source } from '../reader.ts'
import { readByHand } from './by-hand.ts'
import { isCanonical, readCanonical } from './canonical.ts'
import { detect } from './detect.ts'

/**
 * Our own two forms: the canonical session (`version: 1`), whose bad parts are reported and skipped instead of refused,
 * and the minimal one that people store by hand: `{ role, content, toolCalls: [{ id, name, args, state }] }` in an array,
 * under `messages`, or as JSON lines.
 */
export const reader: Reader = { format: 'entries', detect, read }

function read(source: Source): Omit<ReadResult, 'format'> {
  const value = soleValue(source)
  const found = isCanonical(value) ? readCanonical(value) : readByHand(bodyIn(source, value))
  return { ...found, branches: [] }
}

function bodyIn(source: Source, value: unknown): Body {
  const body = bodyOf(source, ['messages'])
  if (body !== undefined) return body
  if (isObject(value) && typeof value.role === 'string') return { fields: {}, list: [{ value }] }
  throw new ReadError('there is no list of messages', { format: 'entries' })
}
