import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { soleText } from '../../model/sole-text.ts'
import type { StoredResult } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'
import { imagePart, kindOf, textPart } from './blocks.ts'

/** What zut writes for calls whose result it does not know: when it loads a session, and when it starts again. */
const CLOSERS: ReadonlySet<string> = new Set([
  'tool call was aborted; no result recorded.',
  'tool interrupted by resident host restart',
])

/** A result block of a message. */
export function resultOf(block: Fields, line: number, report: Report): StoredResult {
  return storedResult(stringAt(block, 'call_id') ?? '', block.content, block.is_error === true, { line, report })
}

/** A result record of a journal: its outer keys are capitalised, unlike all others, since the program names none for them. */
export function journalResult(record: Fields, line: number, report: Report): StoredResult {
  const result = isObject(record.tool_result) ? record.tool_result : {}
  const isError = (result.IsError ?? result.is_error) === true
  return storedResult(stringAt(record, 'tool_id') ?? '', result.Content ?? result.content, isError, { line, report })
}

function storedResult(
  callId: string,
  content: unknown,
  isError: boolean,
  { line, report }: { readonly line: number; readonly report: Report },
): StoredResult {
  const output = outputOf(content, report)
  const isCloser = isError && CLOSERS.has(soleText(output) ?? '')
  const state: ToolCallState = isCloser
    ? { status: 'interrupted' }
    : isError
      ? { status: 'failed', error: output }
      : { status: 'completed', result: output }
  return { callId, state, ...(isCloser ? { synthetic: true } : {}), line }
}

function outputOf(content: unknown, report: Report): ToolOutput {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block) => outputPart(block, report))
}

function outputPart(block: unknown, report: Report): OutputPart {
  if (typeof block === 'string') return { type: 'text', text: block }
  const kind = kindOf(block)
  const read = kind === 'text' ? textPart : kind === 'image' ? imagePart : undefined
  const part = isObject(block) ? read?.(block, report) : undefined
  return part ?? { type: 'json', value: bounded(block, report) }
}
