import type { Plan, Rec } from '../plan.ts'
import { anthropicBlocks } from './anthropic.ts'
import { MODELS, roleOf } from './shared.ts'

const SESSION = '7d0b9c52-5f5e-4d1b-9c37-2f1f6b0f0a11'
const uuid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Lines that are no conversation, or lack what their kind needs. */
const ODD: readonly object[] = [
  { type: 'progress', data: { type: 'hook_progress' } },
  { type: 'user' },
  { type: 'assistant', message: 'not an object' },
  { type: 'hologram', beam: 1 },
  {
    type: 'assistant',
    message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'No answer.' }] },
  },
  {
    type: 'assistant',
    message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
    isApiErrorMessage: true,
  },
]

/** One line a block, as the tool writes them; the lines of one answer share a message id. */
export function claudeCodeLines({ records }: Plan): readonly string[] {
  let turn = 0
  let parent: string | null = null
  return records
    .filter((record) => record.kind !== 'instruction')
    .map((record, index) => {
      if (roleOf(record) !== 'assistant') turn++
      const line = {
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/home/user/project',
        sessionId: SESSION,
        version: '2.1.40',
        ...spoken(record, turn),
        uuid: uuid(index),
        timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      }
      parent = line.uuid
      return JSON.stringify(line)
    })
}

function spoken(record: Rec, turn: number): object {
  if (record.kind === 'odd') return ODD[record.form % ODD.length]!
  const content = anthropicBlocks(record)
  if (roleOf(record) !== 'assistant') {
    const plain = record.kind === 'user' && record.media === undefined
    return { type: 'user', message: { role: 'user', content: plain ? record.text : content } }
  }
  const message = {
    model: MODELS.anthropic,
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: null,
  }
  return { type: 'assistant', message, requestId: `req_${turn}` }
}

/** Damage to the lines themselves, which costs no other line anything. */
export const LINE_DAMAGES: readonly ((lines: readonly string[]) => readonly string[])[] = [
  (lines) => lines,
  (lines) => [...lines, lines[0]!.slice(0, 40)],
  (lines) => lines.toSpliced(1, 0, '{"type":"user","mess', 'no json at all'),
  (lines) => [lines.slice(0, 2).join(''), ...lines.slice(2)],
  (lines) => lines.toSpliced(0, 1, lines[0]!, lines[0]!),
  (lines) => lines.toSpliced(1, 0, JSON.stringify({ type: 'queue-operation', blob: 'x'.repeat(LONGEST) })),
  // What came before is gone.
  (lines) => lines.toSpliced(0, 1, lines[0]!.replace('"parentUuid":null', `"parentUuid":"${uuid(999)}"`)),
  // A question that was asked anew.
  (lines) =>
    lines.toSpliced(
      1,
      0,
      lines[0]!.replace(uuid(0), uuid(998)).replace(/"timestamp":"[^"]+"/, '"timestamp":"2026-01-01T00:00:00.500Z"'),
    ),
]

/** Of a line, in the options of the reader. */
export const LONGEST = 65_536
