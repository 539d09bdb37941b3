import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { rowsOf, tablesOf } from '../tables.ts'
import { isSerialised, unwrapped } from './envelope.ts'
import { stateOf } from './state.ts'

/** Sure of its envelopes and of the states of its graphs; bare `{ type: "human" }` messages have no other owner. */
export function detect(source: Source): number {
  const tables = tablesOf(source)
  if (tables !== undefined) return rowsOf(tables, 'checkpoints').some((row) => 'checkpoint_id' in row) ? 0.97 : 0
  const state = stateOf(source)
  if (state === undefined) return 0
  const value = soleValue(source)
  if (isObject(value) && isState(value)) return 0.97
  const sample = state.list.slice(0, SAMPLE)
  return sample.some(isOwn) ? (sample.some(isForeign) ? 0.3 : 0.96) : 0
}

/** A checkpoint, or what a graph gave when it stood still. */
function isState(value: { readonly [key: string]: unknown }): boolean {
  const checkpoint = isObject(value.checkpoint) ? value.checkpoint : value
  if (isObject(checkpoint.channel_values)) return true
  if (Object.hasOwn(value, '__interrupt__')) return true
  return isObject(value.values) && (Array.isArray(value.next) || Array.isArray(value.tasks))
}

const OWN = new Set(['human', 'ai', 'AIMessageChunk', 'HumanMessageChunk'])

function isOwn(message: unknown): boolean {
  if (isSerialised(message)) return unwrapped(message) !== undefined
  const type = stringAt(message, 'type')
  if (type === undefined) return false
  const data = valueAt(message, 'data')
  if (isObject(data)) return Object.hasOwn(data, 'content') && unwrapped(message) !== undefined
  return OWN.has(type) && (Object.hasOwn(message as object, 'content') || typeof valueAt(message, 'text') === 'string')
}

const isForeign = (message: unknown): boolean => isObject(message) && unwrapped(message) === undefined
