import { reader } from '../../src/read/pi/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { jsonl, type Line } from './hostile.ts'

const AT = '2026-03-15T10:11:12.345Z'

export const header = (fields: Line = {}): Line => ({
  type: 'session',
  version: 3,
  id: 'S',
  timestamp: AT,
  cwd: '/w',
  ...fields,
})

/** A record of the tree. */
export const entry = (type: string, id: string, parentId: string | null, fields: Line = {}): Line => ({
  type,
  id,
  parentId,
  timestamp: AT,
  ...fields,
})

export const message = (id: string, parentId: string | null, fields: Line): Line =>
  entry('message', id, parentId, { message: { timestamp: 1_773_569_473_000, ...fields } })

export const user = (id: string, parentId: string | null, content: unknown): Line =>
  message(id, parentId, { role: 'user', content })

export const ANTHROPIC = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' }

export const said = (id: string, parentId: string | null, content: unknown, fields: Line = {}): Line =>
  message(id, parentId, { role: 'assistant', content, ...ANTHROPIC, stopReason: 'stop', ...fields })

export const result = (id: string, parentId: string | null, toolCallId: string, content: unknown, fields: Line = {}) =>
  message(id, parentId, { role: 'toolResult', toolCallId, toolName: 'bash', content, isError: false, ...fields })

export const text = (value: string, fields: Line = {}): Line => ({ type: 'text', text: value, ...fields })
export const call = (id: string, fields: Line = {}): Line => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: { command: id },
  ...fields,
})

export function read(lines: readonly Line[] | string, options: ReadOptions = {}): ReturnType<typeof reader.read> {
  const source = readSource(typeof lines === 'string' ? lines : jsonl(lines))
  const read = reader.read(source, options)
  return { ...read, changes: [...source.changes, ...read.changes] }
}
