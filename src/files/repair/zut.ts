import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { kindOf } from '../../read/zut/blocks.ts'
import { closingText } from './closing-text.ts'
import { type LineFile, lineFile } from './line-file.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'
import { rewritten } from './rewritten-lines.ts'
import { isJournal, journalRepair } from './zut-journal.ts'

/**
 * Rows and records are appended. Two faults cannot be mended so, and have the file rewritten: a torn last line, which would
 * stand in the middle then, where zut takes no bad line; and, in a journal, a result that was made up and came to be.
 */
export function zut(stored: StoredFile, now: Date): Plan {
  const file = lineFile(stored)
  if (isJournal(file)) return rewritten(stored, file, journalRepair(file, now))
  const calls = trailingCalls(conversation(file))
  const closed = file.open.filter(({ id }) => calls.has(id))
  const leftToTool = file.open.filter(({ id }) => !calls.has(id))
  const records = closed.length === 0 ? [] : [toolRow(closed, now)]
  return rewritten(stored, file, { closed, leftToTool, records, dropped: new Set(), skipsUnended: false })
}

/** The stored messages, from the last compaction on, which repeats those that it keeps. */
function conversation({ lines: { records } }: LineFile): readonly unknown[] {
  const messages: unknown[] = []
  for (const { value } of records) {
    const type = stringAt(value, 'type')
    const list = valueAt(value, 'messages')
    if (type === 'message') messages.push(valueAt(value, 'message'))
    if (type !== 'compaction' || !Array.isArray(list)) continue
    messages.length = 0
    for (const message of list as readonly unknown[]) messages.push(message)
  }
  return messages
}

/**
 * The open calls of the answer that ends the conversation. Those of earlier ones zut closes itself when it loads the file, and
 * takes no result for them that stands elsewhere.
 */
function trailingCalls(messages: readonly unknown[]): ReadonlySet<string> {
  const answered = new Set<string>()
  for (const message of messages.toReversed()) {
    const role = stringAt(message, 'role')
    const content = valueAt(message, 'content')
    const blocks: readonly unknown[] = Array.isArray(content) ? content : []
    if (role === 'tool') for (const block of blocks) answered.add(stringAt(block, 'call_id') ?? '')
    else if (role === 'assistant') return new Set(callIds(blocks).filter((id) => !answered.has(id)))
    else if (isObject(message)) return new Set()
  }
  return new Set()
}

const callIds = (blocks: readonly unknown[]): readonly string[] =>
  blocks.flatMap((block) => (kindOf(block) === 'call' ? (stringAt(block, 'id') ?? []) : []))

/** The results of one answer are blocks of one message. */
function toolRow(calls: readonly OpenCall[], now: Date): object {
  const time = now.toISOString()
  const content = calls.map((call) => ({ call_id: call.id, content: [{ text: closingText(call) }], is_error: true }))
  return { type: 'message', message: { role: 'tool', content, time } }
}
