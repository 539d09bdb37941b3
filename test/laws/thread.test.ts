import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message, Session, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { type OptionsOf, openThread, type WritableApi } from '../../src/write/index.ts'
import { APIS, type Api, write } from './apis.ts'
import { state } from './arbitrary/calls.ts'
import { next, sessions } from './arbitrary/session.ts'
import { frozen } from './freeze.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('thread = whole')

function opened(api: Api, session: Session, options: WriteOptions) {
  const start: Session = { ...session, messages: [] }
  return openThread(api.id, { ...(options as OptionsOf<WritableApi>), start })
}

const bytesOf = (written: { readonly request: unknown; readonly changes: unknown }): string =>
  JSON.stringify([written.request, written.changes])

/** Law 8. A thread that grew gives what the whole history gives. */
describe.each(APIS)('$id', (api) => {
  test('gives the same request, message by message, whatever was asked for in between', () => {
    const cases = fc.tuple(sessions(), api.target, next, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
    forAll(api.id, cases, ([{ session }, target, coming, asks]) => {
      const thread = opened(api, session, target.options)
      const taken: { readonly written: ReturnType<typeof thread.request>; readonly bytes: string }[] = []
      session.messages.forEach((message, index) => {
        thread.push(frozen(message))
        if (asks[index % asks.length] !== true) return
        const written = thread.request(index % 2 === 0 ? {} : { next: coming })
        taken.push({ written, bytes: bytesOf(written) })
        count(`${api.id} asked in between`)
      })
      expect(bytesOf(thread.request())).toBe(bytesOf(write(api, session, target.options)))
      expect(bytesOf(thread.request({ next: coming }))).toBe(
        bytesOf(write(api, session, { ...target.options, next: coming })),
      )
      // Requests taken earlier are not written to later.
      for (const { written, bytes } of taken) expect(bytesOf(written)).toBe(bytes)
    })
  })

  test('takes outcomes in the open end as if they had always stood there', () => {
    forAll(`${api.id} settled`, fc.tuple(sessions(), api.target, state, state), ([{ session }, target, one, two]) => {
      const { waiting, settled, outcomes } = lastCalls(session, [one, two])
      const thread = opened(api, session, target.options)
      for (const message of waiting) thread.push(frozen(message))
      for (const [id, outcome] of outcomes) thread.settle(id, outcome)
      count(`${api.id} outcomes`, outcomes.length)
      const whole = write(api, { ...session, messages: settled }, target.options)
      expect(JSON.stringify(thread.request().request)).toBe(JSON.stringify(whole.request))
    })
  })
})

interface Waiting {
  readonly waiting: readonly Message[]
  readonly settled: readonly Message[]
  readonly outcomes: readonly (readonly [string, ToolCallState])[]
}

const isOpen = (call: ToolCallEntry): boolean => call.state.status === 'pending' || call.state.status === 'interrupted'

/** The history up to its last assistant message, whose calls wait; and the same with their outcomes. Ids are made unique. */
function lastCalls(session: Session, states: readonly ToolCallState[]): Waiting {
  const end = session.messages.findLastIndex((message) => message.role === 'assistant')
  const before = session.messages.slice(0, Math.max(end, 0)).map(closed)
  const last = session.messages[end]
  if (last?.role !== 'assistant') return { waiting: before, settled: before, outcomes: [] }
  const outcomes: (readonly [string, ToolCallState])[] = []
  const calls = (pending: boolean): AssistantMessage => ({
    ...last,
    parts: last.parts.map((part, index) => {
      if (part.type !== 'tool-call' || part.executor === 'provider') return part
      const id = `waiting_${index}`
      const outcome = states[index % states.length]!
      if (pending) outcomes.push([id, outcome])
      return { ...part, id, state: pending ? { status: 'pending', reason: 'running' } : outcome }
    }),
  })
  return { waiting: [...before, calls(true)], settled: [...before, calls(false)], outcomes }
}

/** Earlier open calls would be settled first. */
function closed(message: Message): Message {
  if (message.role !== 'assistant') return message
  const parts = message.parts.map((part) =>
    part.type === 'tool-call' && isOpen(part)
      ? { ...part, state: { status: 'completed' as const, result: 'done' } }
      : part,
  )
  return { ...message, parts }
}
