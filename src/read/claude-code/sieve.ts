import { isObject } from '../../model/json.ts'
import { saysNothing } from './records.ts'

/**
 * Results stand twice in a record, once for the model and once for the screen; progress holds what the screen showed
 * meanwhile, and snapshots whole files. Links keep all else, since the chain goes through every one of them.
 */
export function sieve(value: unknown): unknown {
  if (!isObject(value)) return value
  const { type } = value
  if (saysNothing(type)) return { type }
  if (Object.hasOwn(value, 'toolUseResult')) return { ...value, toolUseResult: undefined }
  return type === 'progress' && Object.hasOwn(value, 'data') ? { ...value, data: undefined } : value
}
