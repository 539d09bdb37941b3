import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import type { Source } from '../reader.ts'

/** The messages of a source: a list, under `messages` of a chat, on lines, or a single one. */
export function bodyIn(source: Source): Body | undefined {
  const value = soleValue(source)
  if (isObject(value) && stringAt(value, 'role') !== undefined && !Array.isArray(value.messages))
    return { fields: {}, list: [{ value }] }
  return bodyOf(source, ['messages'])
}

/** Parts that no other format has, by how their types begin. */
const isUIType = (type: string): boolean =>
  UI_TYPES.has(type) || type.startsWith('tool-') || type.startsWith('data-') || type.startsWith('source-')

const UI_TYPES = new Set(['step-start', 'dynamic-tool', 'tool-invocation', 'reasoning-file'])
/** Parts whose type alone says little. */
const PLAIN_TYPES = new Set(['text', 'reasoning', 'file', 'source', 'custom'])

export type Form = 'ui' | 'ui-plain' | 'model' | 'foreign' | 'plain' | 'none'

/** What one message says about its form. */
export function formOf(message: unknown): Form {
  if (!isObject(message)) return 'none'
  const role = stringAt(message, 'role')
  if (role === undefined || Object.hasOwn(message, 'tool_calls') || Object.hasOwn(message, 'type')) return 'foreign'
  if (Array.isArray(message.toolInvocations) || role === 'data') return 'ui'
  if (Array.isArray(message.parts)) return partsForm(message.parts)
  if (Array.isArray(message.experimental_attachments)) return 'ui'
  return Array.isArray(message.content) ? contentForm(message.content) : 'plain'
}

function partsForm(parts: readonly unknown[]): Form {
  const types = parts.map((part) => stringAt(part, 'type'))
  // Messages of Gemini have parts without a type.
  if (types.some((type) => type === undefined)) return 'foreign'
  if (parts.some(isCanonical)) return 'foreign'
  if (types.some((type) => type !== undefined && isUIType(type))) return 'ui'
  return types.every((type) => type !== undefined && PLAIN_TYPES.has(type)) ? 'ui-plain' : 'foreign'
}

/** Of our own form: calls there have an object for their state. */
const isCanonical = (part: unknown): boolean =>
  stringAt(part, 'type') === 'media' || (stringAt(part, 'type') === 'tool-call' && isObject(valueAt(part, 'state')))

/** Parts of messages for the model, by what each must have; types of other APIs have other fields. */
const MODEL_PARTS: { readonly [type: string]: (part: Fields) => boolean } = {
  'tool-call': (part) => typeof part.toolCallId === 'string' && typeof part.toolName === 'string',
  'tool-result': (part) => typeof part.toolCallId === 'string',
  'tool-approval-request': (part) => typeof part.approvalId === 'string',
  'tool-approval-response': (part) => typeof part.approvalId === 'string',
  'redacted-reasoning': (part) => typeof part.data === 'string',
  reasoning: (part) => typeof part.text === 'string' && !Object.hasOwn(part, 'encrypted_content'),
  file: (part) =>
    typeof part.mediaType === 'string' || (typeof part.mimeType === 'string' && Object.hasOwn(part, 'data')),
  image: (part) => Object.hasOwn(part, 'image'),
}

function contentForm(content: readonly unknown[]): Form {
  let found: Form = 'plain'
  for (const part of content) {
    if (!isObject(part)) continue
    const type = stringAt(part, 'type') ?? ''
    if (type === 'text') {
      if (isObject(part.providerOptions)) found = 'model'
      continue
    }
    const test = Object.hasOwn(MODEL_PARTS, type) ? MODEL_PARTS[type] : undefined
    if (test?.(part) !== true) return 'foreign'
    found = 'model'
  }
  return found
}

/** Whether the messages are those of a screen, and not those for a model. */
export function isUI(list: Body['list']): boolean {
  return list.some(
    ({ value }) => Array.isArray(valueAt(value, 'parts')) || Array.isArray(valueAt(value, 'toolInvocations')),
  )
}
