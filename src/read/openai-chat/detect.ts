import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import { evidence, GUESS, LIKELY, MIXED, SAMPLE, type Sign, SURE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { isCompletion } from './completion.ts'

/**
 * Sure where calls, results, parts or definitions have this API's form. Messages of nothing but role and text fit every API;
 * they are taken for this one at a low score, since it is what most people store by hand, so that any other claim wins.
 */
export function detect(source: Source): number {
  const value = soleValue(source)
  if (isCompletion(value)) return SURE
  const body = bodyOf(source, ['messages']) ?? (isObject(value) ? { fields: {}, list: [{ value }] } : undefined)
  if (body === undefined) return 0
  const found = evidence(body.list, messageSign)
  const fields = fieldsSign(body)
  if (fields === 'foreign') return 0
  if (found.own > 0 || fields === 'own') return found.foreign > found.own ? MIXED : SURE
  if (found.foreign > 0 || found.shared === 0) return 0
  return stringAt(body.fields, 'model') === undefined ? GUESS : LIKELY
}

/** Message keys of other formats. */
const FOREIGN = ['toolCalls', 'parts', 'toolInvocations']

const ROLES: { readonly [role: string]: (message: Fields) => Sign } = {
  user: (message) => contentSign(valueAt(message, 'content')),
  system: (message) => contentSign(valueAt(message, 'content')),
  developer: (message) => contentSign(valueAt(message, 'content')),
  assistant: assistantSign,
  tool: (message) => (stringAt(message, 'tool_call_id') === undefined ? 'foreign' : 'own'),
  function: (message) => (stringAt(message, 'name') === undefined ? 'foreign' : 'own'),
}

function messageSign(message: unknown): Sign {
  if (isCompletion(message)) return 'own'
  if (!isObject(message)) return 'none'
  const role = stringAt(message, 'role')
  if (role === undefined) return stringAt(message, 'type') === undefined ? 'none' : 'foreign'
  if (Object.hasOwn(message, 'type') || FOREIGN.some((key) => Object.hasOwn(message, key))) return 'foreign'
  return own(ROLES, role)?.(message) ?? 'foreign'
}

function assistantSign(message: Fields): Sign {
  const calls = valueAt(message, 'tool_calls')
  if (Array.isArray(calls) && calls.length > 0) return callSign(calls[0])
  if (isObject(message.function_call)) return 'own'
  return contentSign(valueAt(message, 'content'))
}

/** Arguments that are a value instead of text are the way of Ollama. */
function callSign(call: unknown): Sign {
  if (isObject(valueAt(call, 'custom'))) return 'own'
  const called = valueAt(call, 'function')
  if (!isObject(called)) return 'foreign'
  return typeof called.arguments === 'string' ? 'own' : 'shared'
}

const PARTS: { readonly [type: string]: Sign } = {
  text: 'shared',
  image_url: 'own',
  input_audio: 'own',
  refusal: 'own',
  video_url: 'own',
  document_url: 'own',
}

function contentSign(content: unknown): Sign {
  if (typeof content === 'string' || content === null || content === undefined) return 'shared'
  if (!Array.isArray(content)) return 'none'
  const signs = new Set(content.slice(0, SAMPLE).map(partSign))
  return (['own', 'foreign', 'shared'] as const).find((sign) => signs.has(sign)) ?? 'none'
}

function partSign(part: unknown): Sign {
  if (!isObject(part)) return 'none'
  if (part.type === 'file') return isObject(part.file) ? 'own' : 'foreign'
  if (part.type === 'thinking') return Array.isArray(part.thinking) ? 'own' : 'foreign'
  return own(PARTS, part.type) ?? 'foreign'
}

/** Request parameters that only this API has. */
const PARAMETERS = ['max_completion_tokens', 'response_format', 'stream_options', 'reasoning_effort', 'functions']

function fieldsSign({ fields }: Body): Sign {
  const tools = valueAt(fields, 'tools')
  const first = Array.isArray(tools) ? tools.find(isObject) : undefined
  if (first !== undefined && Object.hasOwn(first, 'input_schema')) return 'foreign'
  if (first !== undefined && (isObject(first.function) || isObject(first.custom))) return 'shared'
  return PARAMETERS.some((key) => Object.hasOwn(fields, key)) ? 'own' : 'none'
}
