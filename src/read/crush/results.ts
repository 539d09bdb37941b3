import { stringAt } from '../../model/json.ts'
import type { Json, OutputPart, ToolCallState } from '../../model/session.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { inlineMedia } from '../inline-media.ts'
import type { Narrator } from '../narrator.ts'
import type { Row } from '../tables.ts'
import type { StoredMessage } from './parts.ts'

/** Tells the results that stand in a message. */
export function tellResults({ parts }: StoredMessage, narrator: Narrator): void {
  for (const { type, data } of parts) {
    if (type !== 'tool_result') continue
    if (data.content === undefined) narrator.report('part-invalid', { message: CONTENT_MISSING, before: data })
    const state = stateOf(data)
    narrator.result({
      callId: stringAt(data, 'tool_call_id') ?? '',
      name: stringAt(data, 'name') || undefined,
      state,
    })
  }
}

/** What the program writes for a call that it gave up, or sends when none was stored. */
const ABORTED: readonly string[] = [
  'Tool execution canceled by user',
  'tool call was interrupted and did not produce a result',
]

const DENIALS: readonly string[] = ['User denied permission', 'user denied permission', 'Permission denied by user']

function stateOf(data: Row): ToolCallState {
  const content = stringAt(data, 'content') ?? ''
  if (data.is_error !== true) return { status: 'completed', result: outputOf(data) }
  if (ABORTED.some((begin) => content.startsWith(begin))) return { status: 'interrupted', reason: content }
  const isDenied = DENIALS.some((begin) => content.startsWith(begin))
  return { status: 'failed', error: outputOf(data), ...(isDenied ? { denied: true } : {}) }
}

function outputOf(data: Row): string | readonly OutputPart[] {
  const { content = '' } = data
  const base64 = stringAt(data, 'data')
  const media = base64 === undefined || base64 === '' ? [] : [inlineMedia(base64, stringAt(data, 'mime_type') ?? '')]
  if (typeof content !== 'string') return [{ type: 'json', value: content as Json }, ...media]
  if (media.length === 0) return content
  return content === '' ? media : [{ type: 'text', text: content }, ...media]
}

/** The ids of the calls that have a result. */
export function answeredIds(messages: readonly StoredMessage[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { parts } of messages) {
    for (const { type, data } of parts) if (type === 'tool_result') ids.add(stringAt(data, 'tool_call_id') ?? '')
  }
  return ids
}
