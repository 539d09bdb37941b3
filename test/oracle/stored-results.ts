import { isObject } from '../../src/model/json.ts'

type Row = { readonly [key: string]: unknown }

/**
 * The results that a stored file holds, by plain scans in the words of each format that share no code with its reader: the ids of
 * their calls, '' where the format stores none.
 */
export const STORED_RESULTS: { readonly [format: string]: (text: string) => readonly string[] } = {
  'claude-code': (text) =>
    rowsOf(text)
      .filter(({ type }) => type === 'user' || type === 'assistant')
      .flatMap(({ message }) => listAt(message, 'content'))
      .filter(({ type }) => /tool_result$/.test(String(type)))
      .map(({ tool_use_id }) => String(tool_use_id)),
  codex: (text) =>
    itemsOf(text)
      .filter(({ type }) => /_output$/.test(String(type)))
      .map(({ call_id }) => String(call_id)),
  'gemini-cli': (text) =>
    (text.startsWith('{\n') ? listAt(JSON.parse(text), 'messages') : rowsOf(text))
      .flatMap((row) => listAt(row, 'toolCalls'))
      .filter(({ result }) => JSON.stringify(result ?? '').includes('functionResponse'))
      .map(({ id }) => String(id)),
  'qwen-code': (text) =>
    rowsOf(text)
      .flatMap(({ message }) => listAt(message, 'parts'))
      .filter(({ functionResponse }) => isObject(functionResponse))
      .map(({ functionResponse }) => String((functionResponse as Row).id)),
  // Headings of texts in the history; on the screen each shown call, whose result the next request quotes.
  cline: (text) =>
    rowsIn(JSON.parse(text))
      .flatMap((row) => (row.say === undefined ? listAt(row, 'content') : [row]))
      .filter(
        ({ text: said, say }) => /^\[[^\]]+\] Result:\n/.test(String(said)) || say === 'tool' || say === 'command',
      )
      .map(() => ''),
  pi: (text) =>
    rowsOf(text)
      .flatMap(({ message }) => (isObject(message) && message.role === 'toolResult' ? [message] : []))
      .map(({ toolCallId }) => String(toolCallId)),
  opencode: (text) => settledParts(rowsIn(nested(JSON.parse(text)))),
  // Version 4 stored each invocation twice, among the parts and beside them.
  'ai-sdk': (text) => {
    const settled = nested(JSON.parse(text)).filter(
      ({ toolCallId, state }) => toolCallId !== undefined && /^result$|^output-/.test(String(state)),
    )
    return [...new Set(settled.map(({ toolCallId }) => String(toolCallId)))]
  },
  langchain: (text) =>
    nested(JSON.parse(text))
      .filter(({ type, tool_call_id }) => tool_call_id !== undefined && type !== 'constructor')
      .map(({ tool_call_id }) => String(tool_call_id)),
}

/** Ids of the finished calls of opencode; a call that was cut off has the state of an error, and says so. */
export function settledParts(parts: readonly Row[]): readonly string[] {
  return parts
    .filter(({ type, state }) => type === 'tool' && isObject(state) && isSettled(state))
    .map(({ callID }) => String(callID))
}

function isSettled({ status, metadata }: Row): boolean {
  return status === 'completed' || (status === 'error' && (metadata as Row | undefined)?.interrupted !== true)
}

const rowsIn = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isObject) : [])

const listAt = (value: unknown, key: string): readonly Row[] => rowsIn(isObject(value) ? value[key] : undefined)

/** Every object within a value. */
function nested(value: unknown): readonly Row[] {
  const found: Row[] = []
  JSON.stringify(value, (_key, inner: unknown) => {
    if (isObject(inner)) found.push(inner)
    return inner
  })
  return found
}

/** Lines, and of one that holds two records both. */
function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => line.split(/(?<=\})(?=\{"type":)/).flatMap(parsed))
}

function parsed(text: string): readonly Row[] {
  try {
    return rowsIn([JSON.parse(text)])
  } catch {
    return []
  }
}

/** Items of a rollout, of those that a compaction kept too; or of the oldest form, which is one object. */
function itemsOf(text: string): readonly Row[] {
  const rows = text.startsWith('{\n') ? text.split(/\n(?=\{)/).flatMap(parsed) : rowsOf(text)
  return rows.flatMap((row) => {
    if (Array.isArray(row.items)) return rowsIn(row.items)
    const payload = row.payload ?? row
    if (row.type === 'compacted') return listAt(payload, 'replacement_history')
    return row.type === 'event_msg' ? [] : rowsIn([payload])
  })
}
