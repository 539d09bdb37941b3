import { isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { bodyOf, soleValue } from '../body.ts'
import { evidence, GUESS, MIXED, type Sign } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { isCanonical } from './canonical.ts'
import { STATES } from './shapes.ts'

/**
 * Sure where calls carry their outcome, which no API has. Plain messages are left to the readers of APIs: they mean the
 * same there.
 */
export function detect(source: Source): number {
  if (isCanonical(soleValue(source))) return 0.98
  const body = bodyOf(source, ['messages'])
  if (body === undefined) return 0
  const found = evidence(body.list, messageSign)
  if (found.own > 0) return found.foreign > 0 ? MIXED : 0.95
  return found.foreign > 0 || found.shared === 0 ? 0 : GUESS / 4
}

const ROLES = new Set(['user', 'assistant', 'system', 'developer', 'instruction'])

function messageSign(message: unknown): Sign {
  if (!isObject(message)) return 'none'
  if (typeof message.role !== 'string' || Object.hasOwn(message, 'type')) return 'foreign'
  const calls = message.toolCalls ?? message.tool_calls
  if (Array.isArray(calls) && calls.length > 0) return calls.every(isHandCall) ? 'own' : 'foreign'
  if (!ROLES.has(message.role)) return 'none'
  const content = message.content ?? message.parts
  if (!Array.isArray(content)) return 'shared'
  return content.some(isStatedCall) ? 'own' : content.every(isShared) ? 'shared' : 'foreign'
}

/** Not `{ function: { name, arguments } }`, as APIs have it. */
const isHandCall = (call: unknown): boolean =>
  isObject(call) &&
  typeof call.name === 'string' &&
  !Object.hasOwn(call, 'function') &&
  !Object.hasOwn(call, 'arguments')

const isStatedCall = (part: unknown): boolean =>
  isObject(part) && part.type === 'tool-call' && isObject(part.state) && own(STATES, part.state.status) !== undefined

const isShared = (part: unknown): boolean => typeof part === 'string' || (isObject(part) && part.type === 'text')
