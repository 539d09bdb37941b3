import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, MediaPart, NativePart, ReasoningPart, TextPart, ToolCallEntry } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import { others, slot } from '../slots.ts'

export type Part = { readonly [key: string]: unknown }

/** What one part of a content is. */
export type Read =
  | { readonly said: TextPart | ReasoningPart | MediaPart | NativePart }
  | { readonly call: OpenCall }
  | { readonly response: Part }
  | { readonly code: Part }
  | { readonly codeResult: Part }
  /** A text without content or signature. */
  | 'blank'

/** By the key that says what a part is; undefined when it is none that is known, or lacks what it needs. */
const PARTS: { readonly [key: string]: (part: Part) => Read | undefined } = {
  functionCall: (part) => (isCall(part.functionCall) ? { call: callOf(part, part.functionCall) } : undefined),
  functionResponse: (part) => (isObject(part.functionResponse) ? { response: part.functionResponse } : undefined),
  inlineData: (part) => media(part, part.inlineData, 'data', (base64) => ({ base64 })),
  fileData: (part) => media(part, part.fileData, 'fileUri', (url) => ({ url })),
  executableCode: (part) => ({ code: part }),
  codeExecutionResult: (part) => ({ codeResult: part }),
  text: textOf,
}
const KINDS = Object.keys(PARTS)

/** The parts of a `PartListUnion`: one text, one part, or a list of both. */
export function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null || content === '') return []
  return Array.isArray(content) ? content : [content]
}

/** Whether a value is a part of this API: those of others say their type. */
export function isPart(value: unknown): boolean {
  return isObject(value) && !Object.hasOwn(value, 'type') && KINDS.some((key) => Object.hasOwn(value, key))
}

/** The joined texts, thoughts left out. */
export function textIn(content: unknown): string {
  const texts = partsOf(content).map((part) =>
    typeof part === 'string' ? part : valueAt(part, 'thought') ? undefined : stringAt(part, 'text'),
  )
  return texts.filter((text) => text !== undefined).join('')
}

/** Undefined when it cannot be read at all. */
export function readPart(part: unknown): Read | undefined {
  if (typeof part === 'string') return textOf({ text: part })
  if (!isObject(part)) return undefined
  const kind = KINDS.find((key) => Object.hasOwn(part, key) && part[key] !== null)
  if (kind !== undefined) return own(PARTS, kind)?.(part)
  return Object.keys(part).length === 0 ? undefined : { said: { type: 'native', api: 'gemini', value: part as Json } }
}

const TEXT_READ = new Set(['text', 'thought'])

function textOf(part: Part): Read | undefined {
  const text = part.text
  if (typeof text !== 'string') return undefined
  const kept = others(part, TEXT_READ)
  if (text === '' && kept === undefined) return 'blank'
  if (part.thought !== true) return { said: { type: 'text', text, ...slot('gemini', kept) } }
  const opaque = text === '' ? { redacted: true } : {}
  return { said: { type: 'reasoning', text, ...opaque, ...slot('gemini', kept) } }
}

const CALL_READ = new Set(['functionCall'])

/** Neither its name nor its arguments need be there, but one of them is. */
const isCall = (call: unknown): call is Part =>
  isObject(call) && ['id', 'name', 'args'].some((key) => Object.hasOwn(call, key))

function callOf(part: Part, call: Part): OpenCall {
  const args = valueAt(call, 'args')
  return {
    type: 'tool-call',
    id: stringAt(call, 'id') ?? '',
    name: stringAt(call, 'name') ?? '',
    args: args === undefined || args === null ? {} : (args as Json),
    ...slot('gemini', others(part, CALL_READ)),
  }
}

const DATA_READ = new Set(['inlineData', 'fileData', 'thought'])

function media(
  part: Part,
  data: unknown,
  key: string,
  source: (text: string) => MediaPart['source'],
): Read | undefined {
  const found = stringAt(data, key)
  if (found === undefined) return undefined
  const mediaType = stringAt(data, 'mimeType') ?? ''
  const name = stringAt(data, 'displayName')
  const kept = others(part, DATA_READ)
  return {
    said: {
      type: 'media',
      kind: own(KIND_OF, mediaType.split('/')[0]) ?? 'file',
      mediaType,
      source: source(found),
      ...(name === undefined ? {} : { name }),
      ...slot('gemini', kept),
    },
  }
}

const KIND_OF: { readonly [type: string]: MediaPart['kind'] } = { image: 'image', audio: 'audio', video: 'video' }

/** The entry of code that the API runs itself, in a container of its own, and what it printed. */
export function codeCall(part: Part, result: Part | undefined): OpenCall | ToolCallEntry {
  const raw: JsonObject = result === undefined ? { code: part as Json } : { code: part as Json, result: result as Json }
  const code = stringAt(part.executableCode, 'code') ?? ''
  const language = stringAt(part.executableCode, 'language')
  const call: OpenCall = {
    type: 'tool-call',
    id: stringAt(part.executableCode, 'id') ?? '',
    name: 'code_execution',
    args: { ...(language === undefined ? {} : { language }), code },
    executor: 'provider',
    ...slot('gemini', raw),
  }
  if (result === undefined) return call
  const output = stringAt(result.codeExecutionResult, 'output') ?? ''
  const isOk = (stringAt(result.codeExecutionResult, 'outcome') ?? 'OUTCOME_OK') === 'OUTCOME_OK'
  return {
    ...call,
    state: isOk ? { status: 'completed', result: output } : { status: 'failed', error: output },
  }
}
