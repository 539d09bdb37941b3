import { at, type Fields, items, type Loaded, parsedLines, textAt } from './kit.ts'

/**
 * As pi loads a session and sends it: the path to the last entry, behind the last compaction what that one kept; then its
 * step before each request, which closes open calls where the conversation goes on, and takes failed answers away, but takes
 * every result for one.
 */
export function loadPi(text: string): Loaded {
  return sent(contextOf(parsedLines(text)))
}

/** As it stands in the context, before pi closes anything. */
export function contextOf(records: readonly Fields[]): readonly Fields[] {
  const [header, ...entries] = records
  if (header?.type !== 'session' || textAt(header, 'id') === '') return []
  const path = header.version === undefined ? entries : pathOf(entries)
  const edits = new Map(
    path.filter(({ type }) => type === 'context_edit').map((edit) => [edit.targetId, edit.replacement] as const),
  )
  return windowOf(path).flatMap((entry): Fields[] => {
    const edit = edits.get(entry.id)
    if (edit === null) return []
    const content = at(edit, 'content')
    const edited = content === undefined ? {} : { content }
    if (entry.type === 'message') return items([entry.message]).map((message) => ({ ...message, ...edited }))
    if (entry.type === 'custom_message') return [{ role: 'custom' }]
    if (entry.type === 'compaction') return [{ role: 'compactionSummary' }]
    return entry.type === 'branch_summary' && entry.summary !== '' ? [{ role: 'branchSummary' }] : []
  })
}

function pathOf(entries: readonly Fields[]): readonly Fields[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry] as const))
  const path = new Set<Fields>()
  let entry = entries.at(-1)
  while (entry !== undefined && !path.has(entry)) {
    path.add(entry)
    entry = byId.get(entry.parentId)
  }
  return [...path].reverse()
}

function windowOf(path: readonly Fields[]): readonly Fields[] {
  const last = path.findLastIndex(({ type }) => type === 'compaction')
  const compaction = path[last]
  if (compaction === undefined) return path
  const before = path.slice(0, last)
  const first = before.findIndex(({ id }, index) =>
    id === undefined ? index + 1 === compaction.firstKeptEntryIndex : id === compaction.firstKeptEntryId,
  )
  const kept = first < 0 ? [] : before.slice(first).filter(({ type }) => type !== 'compaction')
  return [compaction, ...kept, ...path.slice(last + 1)]
}

const TURNS = new Set<unknown>(['user', 'custom', 'hookMessage', 'branchSummary', 'compactionSummary', 'bashExecution'])

function sent(context: readonly Fields[]): Loaded {
  const calls: string[] = []
  const results: string[] = []
  let pending: string[] = []
  const close = (): void => {
    results.push(...pending)
    pending = []
  }
  for (const message of context) {
    if (message.role === 'toolResult') {
      const id = textAt(message, 'toolCallId')
      results.push(id)
      pending = pending.filter((one) => one !== id)
    } else if (message.role === 'assistant') {
      close()
      if (message.stopReason === 'error' || message.stopReason === 'aborted') continue
      pending = callIds(message)
      calls.push(...pending)
    } else if (TURNS.has(message.role)) close()
  }
  // What is open at the end is what a repair is for; since 0.69 pi closes that too.
  return { calls, results }
}

const callIds = (message: Fields): string[] =>
  items(message.content)
    .filter(({ type }) => type === 'toolCall')
    .map((block) => textAt(block, 'id'))
