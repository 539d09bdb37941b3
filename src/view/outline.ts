import type { Message, Session, ToolCallEntry, ToolCallState } from '../model/session.ts'
import { count, tally } from './count.ts'
import { glimpse } from './escape.ts'
import { partLine } from './part-line.ts'

export interface OutlineOptions {
  /** How many messages of a long session are shown: some of its beginning, most of its end. */
  readonly most: number
}

/** Such as `12 messages, 5 calls (3 completed, 1 failed, 1 interrupted)`. */
export function sessionSummary(session: Session): string {
  const calls = callsOf(session)
  const states = tally(calls.map((call): ToolCallState['status'] => call.state.status))
  const told = [...states].map(([status, number]) => `${number} ${status}`).join(', ')
  const detail = calls.length === 0 ? '' : ` (${told})`
  return `${count(session.messages.length, 'message')}, ${count(calls.length, 'call')}${detail}`
}

/** What is known of a session beside its messages, one fact a line. */
export function factLines({ id, title, cwd, createdAt, agent, parent, instructions, tools }: Session): string[] {
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['id', id],
    ['title', title],
    ['folder', cwd],
    ['created', createdAt],
    ['agent', agent],
    ['parent', parent?.id ?? parent?.callId],
    ['system', instructions?.map((part) => part.text).join(' ')],
    ['tools', tools?.map((tool) => tool.name).join(', ')],
  ]
  return facts.flatMap(([name, value]) => (value ? [`${name.padEnd(8)} ${glimpse(value, 90)}`] : []))
}

/** A line for each message and, below it, for each further part. */
export function messageLines({ messages }: Session, { most }: OutlineOptions): string[] {
  if (messages.length <= most) return messages.flatMap((message, index) => linesOf(message, index))
  const head = Math.floor(most / 4)
  const tail = messages.length - (most - head)
  return [
    ...messages.slice(0, head).flatMap((message, index) => linesOf(message, index)),
    `     ... ${count(tail - head, 'message')} more, shown by --all`,
    ...messages.slice(tail).flatMap((message, index) => linesOf(message, tail + index)),
  ]
}

function linesOf(message: Message, index: number): string[] {
  const lines = message.parts.map((part) => partLine(part))
  const head = `${String(index).padStart(4)} ${speakerOf(message).padEnd(10)} `
  const indent = ' '.repeat(head.length)
  if (lines.length === 0) return [`${head}(empty)`]
  return lines.map((line, position) => `${position === 0 ? head : indent}${line}`)
}

/** Who speaks, as outlines name it. */
export function speakerOf(message: Message): string {
  if (message.role === 'instruction') return message.authority
  return message.role === 'user' && message.kind !== undefined && message.kind !== 'prompt'
    ? message.kind
    : message.role
}

function callsOf({ messages }: Session): ToolCallEntry[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
  )
}
