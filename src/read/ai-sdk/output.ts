import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { dataMedia } from './media.ts'

/** What a tool gave: a text stays a text, and any other value goes to the model as JSON. */
export function outputOf(value: unknown): ToolOutput {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return mcpOutput(value) ?? [{ type: 'json', value: value as Json }]
}

/** A tool of an MCP server tells of its failure in its output, whatever the state says. */
export function completedState(value: unknown): ToolCallState {
  const isFailure = valueAt(value, 'isError') === true && Array.isArray(valueAt(value, 'content'))
  return isFailure ? { status: 'failed', error: outputOf(value) } : { status: 'completed', result: outputOf(value) }
}

/** Only where it holds media, which as JSON text would cost thousands of tokens and show nothing. */
function mcpOutput(value: unknown): ToolOutput | undefined {
  const content = valueAt(value, 'content')
  if (!Array.isArray(content) || !content.some((item) => mcpMedia(item) !== undefined)) return undefined
  return content.map((item): OutputPart => mcpMedia(item) ?? textOr(item))
}

function mcpMedia(item: unknown) {
  const type = stringAt(item, 'type')
  if (!isObject(item) || (type !== 'image' && type !== 'audio') || stringAt(item, 'mimeType') === undefined)
    return undefined
  return typeof item.data === 'string' && item.data !== ''
    ? dataMedia(item.data, stringAt(item, 'mimeType'))
    : undefined
}

function textOr(item: unknown): OutputPart {
  const text = stringAt(item, 'type') === 'text' ? stringAt(item, 'text') : undefined
  return text === undefined ? { type: 'json', value: item as Json } : { type: 'text', text }
}

/** The `output` of a result for the model. */
const OUTPUTS: { readonly [type: string]: (output: Fields) => ToolCallState } = {
  text: (output) => ({ status: 'completed', result: textOf(output.value) }),
  json: (output) => completedState(output.value ?? null),
  'error-text': (output) => ({ status: 'failed', error: textOf(output.value) }),
  'error-json': (output) => ({ status: 'failed', error: outputOf(output.value) }),
  content: (output) => ({ status: 'completed', result: contentOf(output.value) }),
  'execution-denied': (output) => ({ status: 'failed', error: stringAt(output, 'reason') ?? DENIED, denied: true }),
}

/** What the SDK tells the model of a call that was refused. */
export const DENIED = 'Tool execution denied.'

/** A `tool-result` part; version 4 has `result` and `isError` instead of an output. */
export function resultState(part: Fields): ToolCallState {
  const output = valueAt(part, 'output')
  const read = own(OUTPUTS, stringAt(output, 'type'))
  if (read !== undefined && isObject(output)) return read(output)
  if (output !== undefined) return completedState(output)
  const shown = valueAt(part, 'experimental_content')
  const result = Array.isArray(shown) ? contentOf(shown) : outputOf(valueAt(part, 'result'))
  if (valueAt(part, 'isError') === true) return { status: 'failed', error: result }
  return Array.isArray(shown) ? { status: 'completed', result } : completedState(valueAt(part, 'result'))
}

const textOf = (value: unknown): ToolOutput => (typeof value === 'string' ? value : outputOf(value))

/** Text, and media in the names that each version gave them. */
function contentOf(list: unknown): ToolOutput {
  if (!Array.isArray(list)) return outputOf(list)
  return list.map((item): OutputPart => {
    if (!isObject(item))
      return typeof item === 'string' ? { type: 'text', text: item } : { type: 'json', value: item as Json }
    const data = item.data ?? item.url
    const media =
      own(MEDIA, item.type) === undefined ? undefined : dataMedia(data, mediaTypeOf(item), stringAt(item, 'filename'))
    return media ?? textOr(item)
  })
}

const MEDIA: { readonly [type: string]: true } = {
  media: true,
  image: true,
  file: true,
  'file-data': true,
  'file-url': true,
  'image-data': true,
  'image-url': true,
}

function mediaTypeOf(item: Fields): string | undefined {
  const stored = stringAt(item, 'mediaType') ?? stringAt(item, 'mimeType')
  return stored ?? (String(item.type).startsWith('image') ? 'image/*' : undefined)
}
