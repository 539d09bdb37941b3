import { at, type Fields, items, type Loaded, parsedLines, textAt } from './kit.ts'

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call'])
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output'])
const INJECTED = ['<environment_context>', '<user_instructions>', '# AGENTS.md', '<turn_aborted>', '<skill>']

/**
 * As Codex replays a rollout: in the order of the file; a compaction puts its own history in the place of all before, or
 * its summary, and a roll-back takes the last turns away. Before its own repairs, which fill in what has no output.
 */
export function loadCodex(text: string): Loaded {
  let history: Fields[] = []
  for (const record of parsedLines(text)) {
    const payload = at(record, 'payload')
    if (payload === undefined) history.push(record)
    else if (record.type === 'response_item') history.push(...items([payload]))
    else if (record.type === 'compacted') history = [...items(at(payload, 'replacement_history'))]
    else if (at(payload, 'type') === 'thread_rolled_back')
      history = rolledBack(history, Number(at(payload, 'num_turns')))
  }
  const ids = (types: ReadonlySet<string>): string[] =>
    history
      .filter((item) => types.has(textAt(item, 'type')) && item.execution !== 'server')
      .map((item) => textAt(item, 'call_id'))
      .filter((id) => id !== '')
  return { calls: ids(CALLS), results: ids(RESULTS) }
}

function rolledBack(history: readonly Fields[], turns: number): Fields[] {
  let left = turns
  let cut = history.length
  for (let index = history.length - 1; index >= 0 && left > 0; index--) {
    if (!isPrompt(history[index]!)) continue
    cut = index
    left--
  }
  return history.slice(0, cut)
}

function isPrompt(item: Fields): boolean {
  if (item.type !== 'message' || item.role !== 'user') return false
  const text = textAt(items(item.content)[0], 'text')
  return !INJECTED.some((begin) => text.startsWith(begin))
}
