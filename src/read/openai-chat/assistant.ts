import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, ReasoningPart } from '../../model/session.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { functionCall, toolCalls } from './calls.ts'
import type { Contents } from './parts.ts'

/** Keys in which servers put readable reasoning. */
const REASONING = ['reasoning_content', 'reasoning']

/** An assistant message, of a request or an answer. */
export function assistantMessage(message: Fields, contents: Contents, report: Report): StoredAssistant {
  const calls = [...toolCalls(valueAt(message, 'tool_calls'), report), ...legacyCall(message, report)]
  const content = valueAt(message, 'content')
  const parts: StoredPart[] = [
    ...reasoning(message, report),
    // Beside calls an empty content is the same as none.
    ...(content === '' && calls.length > 0 ? [] : contents.parts(content, report)),
    ...calls,
  ]
  const id = stringAt(message, 'id')
  return { parts, ...(id === undefined ? {} : { id }), ...slot('openai-chat', messageSlot(message)) }
}

function messageSlot(message: Fields): JsonObject | undefined {
  const kept = picked(message, ['name', 'refusal', 'reasoning_details'])
  const audio = valueAt(message, 'audio')
  if (!isObject(audio)) return kept
  // The API takes the id alone; the transcript is for those who cannot ask for it.
  const transcript = stringAt(audio, 'transcript')
  return { ...kept, audio: picked(audio, ['id']) ?? {}, ...(transcript === undefined ? {} : { transcript }) }
}

/** Servers that fill both keys say the same in them. */
function reasoning(message: Fields, report: Report): ReasoningPart[] {
  const parts: ReasoningPart[] = []
  for (const field of REASONING) {
    const stored = valueAt(message, field)
    const text = typeof stored === 'string' ? stored : undefined
    if (stored !== undefined && stored !== null && text === undefined) report('part-invalid', { before: stored })
    if (text === undefined || text === '' || parts[0]?.text === text) continue
    parts.push({ type: 'reasoning', text, ...slot('openai-chat', { field }) })
  }
  return parts
}

function legacyCall(message: Fields, report: Report): StoredPart[] {
  const called = valueAt(message, 'function_call')
  if (called === undefined || called === null) return []
  if (!isObject(called)) {
    report('part-invalid', { before: called as Json })
    return []
  }
  report('legacy-function-call', { before: called })
  return [functionCall('', called)]
}
