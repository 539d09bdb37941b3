import type { AssistantPart, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import type { JournalEntry, JournalRecord } from '../../src/read/journal/record.ts'

/** Stamps entries as the records of one journal. */
export function records(...entries: readonly JournalEntry[]): JournalRecord[] {
  return entries.map((entry, seq) => ({ journal: 1, seq, at: '2026-03-01T10:00:00.000Z', ...entry }))
}

export const lines = (...entries: readonly JournalEntry[]): string =>
  records(...entries)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

export const head: JournalEntry = { type: 'session', session: { id: 's1', title: 'A session' } }
export const user = (text: string): JournalEntry => ({
  type: 'message',
  message: { role: 'user', parts: [{ type: 'text', text }] },
})
export const assistant = (...parts: readonly AssistantPart[]): JournalEntry => ({
  type: 'message',
  message: { role: 'assistant', parts },
})
export const text = (text: string): AssistantPart => ({ type: 'text', text })
export const call = (id: string, state: ToolCallState = { status: 'pending' }, name = 'bash'): ToolCallEntry => ({
  type: 'tool-call',
  id,
  name,
  args: { command: `run ${id}` },
  state,
})
export const dispatch = (id: string, name = 'bash'): JournalEntry => ({
  type: 'dispatch',
  call: { id, name, args: { command: `run ${id}` } },
})
export const settle = (callId: string, result: string): JournalEntry => ({
  type: 'settle',
  callId,
  state: { status: 'completed', result },
})
