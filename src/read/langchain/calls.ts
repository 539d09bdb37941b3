import { type Fields, isObject, parseOrText, sameJson, stringAt, valueAt } from '../../model/json.ts'
import type { Extra, Json } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { functionCall, toolCalls } from '../openai-chat/calls.ts'
import type { Report } from '../report.ts'

/** The calls of an answer, in their order. Blocks of the content repeat them. */
export function callsOf(message: Fields, report: Report): StoredPart[] {
  const kwargs = valueAt(message, 'additional_kwargs')
  const texts = argumentTexts(valueAt(kwargs, 'tool_calls'))
  const calls = itemsAt(message, 'tool_calls').flatMap((call) => callOf(call, texts, report))
  const invalid = itemsAt(message, 'invalid_tool_calls').flatMap((call) => invalidCall(call, report))
  const found = [...calls, ...invalid]
  return signedBy(found.length > 0 || hasBlocks(message) ? found : oldCalls(kwargs, report), kwargs)
}

const listAt = (from: unknown, key: string): readonly unknown[] => {
  const list = valueAt(from, key)
  return Array.isArray(list) ? list : []
}

/** What is no list counts as one item. */
const itemsAt = (from: unknown, key: string): readonly unknown[] => {
  const items = valueAt(from, key)
  if (items === undefined || items === null) return []
  return Array.isArray(items) ? items : [items]
}

function callOf(raw: unknown, texts: ReadonlyMap<string, string>, report: Report): OpenCall[] {
  // In the form of chat completions, where a server stores them so.
  if (isObject(raw) && isObject(raw.function)) return toolCalls([raw], report)
  const name = stringAt(raw, 'name')
  if (!isObject(raw) || name === undefined) {
    report('part-invalid', { before: raw })
    return []
  }
  const id = idAt(raw, 'id')
  const stored = valueAt(raw, 'args')
  const args =
    typeof stored === 'string' ? parseOrText(stored) : stored === undefined || stored === null ? {} : (stored as Json)
  const text = typeof stored === 'string' ? stored : texts.get(id)
  const isText = text !== undefined && sameJson(parseOrText(text), args)
  return [{ type: 'tool-call', id, name, args, ...(isText ? { argsText: text } : {}) }]
}

/** The arguments as the model wrote them. */
function argumentTexts(raw: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const call of Array.isArray(raw) ? raw : []) {
    const text = stringAt(valueAt(call, 'function'), 'arguments')
    if (text !== undefined) texts.set(isObject(call) ? idAt(call, 'id') : '', text)
  }
  return texts
}

/** The model made it, but nothing could run it. */
function invalidCall(raw: unknown, report: Report): StoredPart[] {
  if (!isObject(raw) || (raw.name === undefined && raw.args === undefined)) {
    report('part-invalid', { before: raw })
    return []
  }
  if (raw.error !== undefined && raw.error !== null && typeof raw.error !== 'string')
    report('part-invalid', { before: raw.error })
  const stored = valueAt(raw, 'args')
  const args = stored === undefined || stored === null ? '' : (stored as Json)
  const id = idAt(raw, 'id')
  const reason = stringAt(raw, 'error') ?? ''
  report('call-unfinished', id === '' ? {} : { callId: id })
  return [
    {
      type: 'tool-call',
      id,
      name: stringAt(raw, 'name') ?? '',
      args,
      ...(typeof args === 'string' ? { argsText: args } : {}),
      state: { status: 'interrupted', dispatched: false, reason: reason === '' ? UNPARSED : reason },
    },
  ]
}

const UNPARSED = 'its arguments are not valid JSON'

const CALL_TYPES = new Set(['tool_use', 'tool_call', 'function_call'])

const hasBlocks = (message: Fields): boolean =>
  listAt(message, 'content').some((block) => CALL_TYPES.has(stringAt(block, 'type') ?? ''))

/** What the provider sent, for messages that were stored without their calls. */
function oldCalls(kwargs: unknown, report: Report): OpenCall[] {
  const calls = toolCalls(valueAt(kwargs, 'tool_calls'), report)
  const legacy = valueAt(kwargs, 'function_call')
  if (calls.length > 0 || !isObject(legacy)) return calls
  report('legacy-function-call', { before: legacy })
  return [functionCall('', legacy)]
}

/** Ids of items and signatures are kept beside the calls, by the ids of calls. */
function signedBy(calls: StoredPart[], kwargs: unknown): StoredPart[] {
  const items = valueAt(kwargs, '__openai_function_call_ids__')
  const thoughts = valueAt(kwargs, '__gemini_function_call_thought_signatures__')
  if (!isObject(items) && !isObject(thoughts)) return calls
  return calls.map((part) => {
    if (part.type !== 'tool-call') return part
    const [item, signature] = [stringAt(items, part.id), stringAt(thoughts, part.id)]
    const extra: Extra = {
      ...part.extra,
      ...(item === undefined ? {} : { 'openai-responses': { id: item } }),
      ...(signature === undefined ? {} : { gemini: { thoughtSignature: signature } }),
    }
    return Object.keys(extra).length === 0 ? part : { ...part, extra }
  })
}
