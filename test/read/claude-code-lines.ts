import type { AssistantMessage, Message, Part, ToolCallEntry } from '../../src/model/session.ts'
import { reader } from '../../src/read/claude-code/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'

export type Line = { readonly [key: string]: unknown }

const ENVELOPE = {
  isSidechain: false,
  userType: 'external',
  cwd: '/w',
  sessionId: 'S',
  version: '2.1.40',
  gitBranch: 'main',
  timestamp: '2026-02-01T10:00:00.000Z',
}

/** A record of the parent chain. */
export function link(type: string, uuid: string, parentUuid: string | null, fields: Line = {}): Line {
  return { parentUuid, ...ENVELOPE, type, uuid, ...fields }
}

export function user(uuid: string, parent: string | null, content: unknown, fields: Line = {}): Line {
  return link('user', uuid, parent, { message: { role: 'user', content }, ...fields })
}

/** A line of an API message: one block. */
export function said(uuid: string, parent: string | null, id: string, block: unknown, fields: Line = {}): Line {
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [block],
    stop_reason: null,
  }
  return link('assistant', uuid, parent, { message, requestId: `req_${id}`, ...fields })
}

export const text = (value: string): Line => ({ type: 'text', text: value })
export const use = (id: string, name = 'Bash'): Line => ({ type: 'tool_use', id, name, input: { command: id } })

export function result(uuid: string, parent: string | null, id: string, content: unknown, more: Line = {}): Line {
  return user(uuid, parent, [{ type: 'tool_result', tool_use_id: id, content, ...more }])
}

export const jsonl = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export function read(lines: readonly Line[] | string, options: ReadOptions = {}): ReturnType<typeof reader.read> {
  const source = readSource(typeof lines === 'string' ? lines : jsonl(lines))
  const read = reader.read(source, options)
  return { ...read, changes: [...source.changes, ...read.changes] }
}

/** A conversation in short: `user: hi`, `assistant: [thinking] text, Bash(toolu_1)=completed:out`. */
export function short(messages: readonly Message[]): string[] {
  return messages.map((message) => `${labelOf(message)}: ${message.parts.map(shortPart).join(', ')}`)
}

function labelOf(message: Message): string {
  return message.role === 'user' && message.kind !== undefined ? message.kind : message.role
}

function shortPart(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'reasoning') return `[${part.text}]`
  if (part.type === 'tool-call') return shortCall(part)
  return part.type
}

function shortCall({ id, state }: ToolCallEntry): string {
  if (state.status === 'completed') return `${id}=completed:${outputText(state.result)}`
  if (state.status === 'failed') return `${id}=failed:${outputText(state.error)}`
  return `${id}=${state.status}`
}

const outputText = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output))

export function codes(read: ReturnType<typeof reader.read>): string[] {
  return read.changes.map((change) => change.code)
}

export function callsOf(messages: readonly Message[]): ToolCallEntry[] {
  return messages.flatMap((message) => message.parts as readonly Part[]).filter((part) => part.type === 'tool-call')
}

export function firstAssistant(messages: readonly Message[]): AssistantMessage {
  const found = messages.find((message) => message.role === 'assistant')
  if (found === undefined) throw new Error('no assistant message')
  return found
}
