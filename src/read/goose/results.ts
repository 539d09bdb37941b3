import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { inlineMedia, mediaOf } from '../inline-media.ts'
import type { Narrator } from '../narrator.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import type { StoredMessage } from './stored.ts'

/** Tells the results that stand in a message; whether there were any. */
export function tellResults(message: StoredMessage, narrator: Narrator): boolean {
  let found = false
  for (const block of message.content) {
    if (block.type !== 'toolResponse') continue
    found = true
    narrator.result({ callId: stringAt(block, 'id') ?? '', state: stateOf(block, narrator.report) })
  }
  return found
}

/** How the text begins that stands for a call that the user refused, which is stored as a success. */
const DECLINED = 'The user has declined to run this tool'

function stateOf(block: Row, report: Report): ToolCallState {
  const stored = block.toolResult
  const value = valueAt(stored, 'value')
  if (stringAt(stored, 'status') === 'error' || value === undefined || value === null) {
    const error = stringAt(stored, 'error')
    if (error === undefined) report('part-invalid', { message: NO_OUTCOME, before: block })
    return { status: 'failed', error: error ?? '' }
  }
  const content = Array.isArray(value) ? value : valueAt(value, 'content')
  const output = outputOf(Array.isArray(content) ? content : [value], report)
  if (typeof output === 'string' && output.startsWith(DECLINED))
    return { status: 'failed', error: output, denied: true }
  return valueAt(value, 'isError') === true
    ? { status: 'failed', error: output }
    : { status: 'completed', result: output }
}

const NO_OUTCOME = 'The outcome of a call could not be read.'

/** What was meant for the model. One text is a text; several blocks stay a list. */
function outputOf(content: readonly unknown[], report: Report): ToolOutput {
  const parts: OutputPart[] = []
  for (const item of content) {
    if (isForUser(item)) report('part-left-out', { message: FOR_USER, before: item })
    else parts.push(outputPart(item))
  }
  const [first] = parts
  if (parts.length === 0) return ''
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

const FOR_USER = 'A result that was meant for the user only was left out.'

/** Tools say for whom a block is; the program sends the model only what is for it, or for nobody in particular. */
function isForUser(item: unknown): boolean {
  const audience = valueAt(valueAt(item, 'annotations'), 'audience')
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('assistant')
}

const BLOCKS: { readonly [type: string]: (block: Row) => OutputPart | undefined } = {
  text: (block) => textOf(stringAt(block, 'text')),
  image: media,
  audio: media,
  resource: ({ resource }) => {
    const blob = stringAt(resource, 'blob')
    if (blob === undefined) return textOf(stringAt(resource, 'text'))
    return inlineMedia(blob, stringAt(resource, 'mimeType') ?? '', stringAt(resource, 'uri'))
  },
}

/** A block of another kind is kept as its JSON. */
function outputPart(item: unknown): OutputPart {
  const part = isObject(item) ? own(BLOCKS, item.type)?.(item) : undefined
  return part ?? { type: 'json', value: item as Json }
}

const textOf = (text: string | undefined): OutputPart | undefined =>
  text === undefined ? undefined : { type: 'text', text }

function media(block: Row): OutputPart | undefined {
  const base64 = stringAt(block, 'data')
  return base64 === undefined ? undefined : mediaOf({ base64 }, stringAt(block, 'mimeType') ?? '')
}
