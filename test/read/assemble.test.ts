import { describe, expect, it } from 'vitest'
import type { Message, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { type Assembler, assembler, type OpenCall } from '../../src/read/assemble.ts'

const call = (id: string, name = 'bash', more: Partial<OpenCall> = {}): OpenCall => ({
  type: 'tool-call',
  id,
  name,
  args: {},
  ...more,
})
const text = (value: string) => ({ type: 'text', text: value }) as const
const done = (result: string): ToolCallState => ({ status: 'completed', result })
const real = (callId: string, result: string, name?: string) => ({ callId, state: done(result), name })
const closer = (callId: string, error = 'closer') =>
  ({ callId, state: { status: 'failed', error }, synthetic: true }) as const

function run(steps: (a: Assembler) => void, unanswered: 'interrupted' | 'pending-at-end' = 'interrupted') {
  const a = assembler({ unanswered })
  steps(a)
  const { messages, changes } = a.finish()
  return { messages, changes, codes: changes.map((c) => c.code), outcomes: outcomes(messages) }
}

/** The outcome of every call in order, as `id=result`. */
function outcomes(messages: readonly Message[]): string[] {
  return callsOf(messages).map((entry) => `${entry.id}=${outcome(entry.state)}`)
}
function outcome(state: ToolCallState): string {
  if (state.status === 'completed') return String(state.result)
  return state.status === 'failed' ? `!${String(state.error)}` : state.status
}
function callsOf(messages: readonly Message[]): ToolCallEntry[] {
  return messages.flatMap((m) => (m.role === 'assistant' ? m.parts.filter((p) => p.type === 'tool-call') : []))
}

describe('pairing by id', () => {
  it('gives a call its result', () => {
    const { messages, codes } = run((a) => {
      a.user({ parts: [text('hi')] })
      a.assistant({ parts: [text('so'), call('a')] })
      a.result(real('a', 'A'))
    })
    expect(messages).toEqual([
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [text('so'), { ...call('a'), state: done('A') }] },
    ])
    expect(codes).toEqual([])
  })

  it('takes an id used again in a later turn for another call', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'first'))
      a.user({ parts: [text('again')] })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'second'))
    })
    expect(outcomes).toEqual(['a=first', 'a=second'])
    expect(codes).toEqual([])
  })

  it('serves the nearest earlier turn first, so that an unanswered call of an old turn does not take its result', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.user({ parts: [text('again')] })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'second'))
    })
    expect(outcomes).toEqual(['a=interrupted', 'a=second'])
    expect(codes).toEqual(['call-unfinished'])
  })

  it('gives two calls of one id in one turn their results in order', () => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('a'), call('a')] })
      a.result(real('a', '1'))
      a.result(real('a', '2'))
    })
    expect(outcomes).toEqual(['a=1', 'a=2'])
  })

  it('leaves out a result before its call, and one without any call', () => {
    const { outcomes, changes } = run((a) => {
      a.result({ ...real('a', 'early'), line: 7 })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'A'))
      a.result(real('z', 'alone'))
    })
    expect(outcomes).toEqual(['a=A'])
    expect(changes.map((c) => [c.code, c.at, c.before])).toEqual([
      ['orphan-result', { callId: 'a', line: 7 }, 'early'],
      ['orphan-result', { callId: 'z' }, 'alone'],
    ])
  })

  it.each(Object.getOwnPropertyNames(Object.prototype))('takes %s for an id like any other', (name) => {
    const { outcomes, codes } = run((a) => {
      a.result(real(name, 'early'))
      a.assistant({ parts: [call(name, name)] })
      a.result(real(name, 'A', name))
    })
    expect(outcomes).toEqual([`${name}=A`])
    expect(codes).toEqual(['orphan-result'])
  })
})
