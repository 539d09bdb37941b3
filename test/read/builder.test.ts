import { describe, expect, it } from 'vitest'
import { parseSession } from '../../src/model/schema.ts'
import type { Session, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { sessionBuilder } from '../../src/read/builder.ts'

const call = (id: string, name = 'bash', state: ToolCallState = { status: 'pending' }): ToolCallEntry => ({
  type: 'tool-call',
  id,
  name,
  args: {},
  state,
})
const done = (result: string): ToolCallState => ({ status: 'completed', result })
const statesOf = (session: Session) =>
  session.messages.flatMap((m) =>
    m.role === 'assistant' ? m.parts.flatMap((p) => (p.type === 'tool-call' ? [p.state] : [])) : [],
  )

describe('a builder', () => {
  it('builds what a live loop says', () => {
    const builder = sessionBuilder({ id: 's', title: 't' })
    builder.user('list files', { at: '2026-01-01T00:00:00Z' })
    builder.assistant([{ type: 'text', text: 'ok' }, call('a')], { by: { model: 'm' } })
    builder.settle('a', done('A'))
    builder.instruction('be brief')
    builder.instruction('be kind', 'developer')
    builder.assistant('done')
    const { session, changes } = builder.build()
    expect(changes).toEqual([])
    expect(parseSession(session)).toEqual({
      version: 1,
      id: 's',
      title: 't',
      messages: [
        { role: 'user', at: '2026-01-01T00:00:00Z', parts: [{ type: 'text', text: 'list files' }] },
        { role: 'assistant', by: { model: 'm' }, parts: [{ type: 'text', text: 'ok' }, call('a', 'bash', done('A'))] },
        { role: 'instruction', authority: 'system', parts: [{ type: 'text', text: 'be brief' }] },
        { role: 'instruction', authority: 'developer', parts: [{ type: 'text', text: 'be kind' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'done' }] },
      ],
    })
  })

  it('lets a call wait, be approved, and then be settled', () => {
    const builder = sessionBuilder()
    builder.assistant([call('a', 'rm', { status: 'pending', reason: 'approval' })])
    expect(statesOf(builder.build().session)).toEqual([{ status: 'pending', reason: 'approval' }])
    builder.settle('a', { status: 'pending', approved: true })
    expect(statesOf(builder.build().session)).toEqual([{ status: 'pending', approved: true }])
    builder.settle('a', done('A'))
    expect(builder.build()).toMatchObject({ changes: [] })
    expect(statesOf(builder.build().session)).toEqual([done('A')])
  })

  it('settles the calls of the nearest earlier turn, the oldest first', () => {
    const builder = sessionBuilder()
    builder.assistant([call('a')])
    builder.user('again')
    builder.assistant([call('a'), call('a')])
    for (const result of ['1', '2', '3']) builder.settle('a', done(result))
    expect(statesOf(builder.build().session)).toEqual([done('3'), done('1'), done('2')])
  })

  it('settles by name and order where there is no id', () => {
    const builder = sessionBuilder()
    builder.assistant([call('', 'bash'), call('', 'read')])
    builder.settle('', done('R'), 'read')
    builder.settle('', done('B'), 'bash')
    const { session, changes } = builder.build()
    expect(statesOf(session)).toEqual([done('B'), done('R')])
    expect(changes.map((c) => c.code)).toEqual(['result-paired-by-order', 'result-paired-by-order'])
  })

  it('reports what cannot be settled instead of throwing', () => {
    const builder = sessionBuilder()
    builder.assistant([call('a')])
    builder.settle('a', done('A'))
    builder.settle('a', done('again'))
    builder.settle('constructor', done('?'))
    const { session, changes } = builder.build()
    expect(statesOf(session)).toEqual([done('A')])
    expect(changes.map((c) => c.code)).toEqual(['duplicate-result', 'orphan-result'])
  })

  it('goes on from a session, whose calls can be settled, without touching it', () => {
    const start: Session = Object.freeze({
      version: 1,
      id: 's',
      instructions: [{ type: 'text', text: 'sys' } as const],
      messages: Object.freeze([
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] } as const,
        Object.freeze({
          role: 'assistant' as const,
          id: 'm',
          parts: Object.freeze([call('a'), call('b', 'x', done('B'))]),
        }),
      ]),
    })
    const builder = sessionBuilder(start)
    expect(builder.build().session).toEqual(start)
    builder.settle('a', done('A'))
    builder.user('next')
    const { session } = builder.build()
    expect(statesOf(session)).toEqual([done('A'), done('B')])
    expect(session.messages).toHaveLength(3)
    expect(session.instructions).toBe(start.instructions)
    expect(statesOf(start)).toEqual([{ status: 'pending' }, done('B')])
  })

  it('takes neither role nor parts from the further fields', () => {
    const builder = sessionBuilder()
    builder.user('hi', { role: 'user', parts: [], id: 'u' })
    builder.assistant('ho', { role: 'assistant', parts: [], id: 'm' })
    expect(builder.build().session.messages).toEqual([
      { role: 'user', id: 'u', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', id: 'm', parts: [{ type: 'text', text: 'ho' }] },
    ])
  })
})
