import { existsSync, readFileSync } from 'node:fs'
import type { Message, Session, ToolCallEntry } from '../../src/model/session.ts'
import type { Reader, ReadOptions } from '../../src/read/reader.ts'

export function reading(reader: Reader) {
  return (value: unknown, options: ReadOptions = {}) => {
    const { session, changes } = reader.read({ value, changes: [] }, options)
    return {
      session,
      messages: session.messages,
      calls: callsOf(session),
      codes: changes.map((change) => change.code),
      changes,
    }
  }
}

export function readingLines(reader: Reader) {
  return (values: readonly unknown[]) => {
    const records = values.map((value, index) => ({ line: index + 1, value }))
    return reader.read({ records, changes: [] }, {})
  }
}

export function callsOf(session: Session): ToolCallEntry[] {
  return session.messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
  )
}

/** Each call with its outcome, as `id=result`. */
export function outcomes(session: Session): string[] {
  return callsOf(session).map(({ id, state }) => {
    if (state.status === 'completed') return `${id}=${printed(state.result)}`
    return `${id}=${state.status === 'failed' ? `!${printed(state.error)}` : state.status}`
  })
}

const printed = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output))

/** Roles and kinds of parts in order, such as `assistant: text tool-call`. */
export const outline = (messages: readonly Message[]): string[] =>
  messages.map((message) => `${message.role}: ${message.parts.map((part) => part.type).join(' ')}`.trim())

export const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

export function nested(depth: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { in: value } : [value]
  return value
}

export interface Recorded {
  readonly from: string
  readonly server: string
  readonly status: number
  readonly request: { readonly [key: string]: unknown }
  readonly answer: { readonly [key: string]: unknown } | null
}

/** Calls recorded from live servers, where they are at hand; empty elsewhere. */
export function recorded(name: 'anthropic' | 'chat' | 'responses'): readonly Recorded[] {
  const path = new URL(`../../../shared/recorded/${name}.jsonl`, import.meta.url)
  if (!existsSync(path)) {
    console.log(`recorded ${name} calls are not at hand: skipped`)
    return []
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
}
