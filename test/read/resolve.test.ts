import { describe, expect, it } from 'vitest'
import type { MediaPart, Session, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { resolveSession } from '../../src/read/resolve.ts'

const call = (id: string, state: ToolCallState, more: Partial<ToolCallEntry> = {}): ToolCallEntry => ({
  type: 'tool-call',
  id,
  name: 'bash',
  args: {},
  state,
  ...more,
})
const media = (url: string): MediaPart => ({ type: 'media', kind: 'image', mediaType: 'image/png', source: { url } })
const inline: MediaPart = { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } }
const session = (...parts: readonly ToolCallEntry[]): Session => ({
  version: 1,
  messages: [
    { role: 'user', parts: [media('u')] },
    { role: 'assistant', parts },
  ],
})
const partsOf = (found: Session) => found.messages[1]?.parts ?? []

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

describe('late results', () => {
  it('are asked for open calls that the client runs, and no other', async () => {
    const asked: string[] = []
    const given = frozen(
      session(
        call('a', { status: 'interrupted' }),
        call('b', { status: 'pending' }),
        call('c', { status: 'completed', result: 'C' }),
        call('d', { status: 'failed', error: 'D' }),
        call('e', { status: 'interrupted' }, { executor: 'provider' }),
      ),
    )
    const { session: found, changes } = await resolveSession(given, {
      async call({ id }) {
        asked.push(id)
        return id === 'a' ? { status: 'completed', result: 'A' } : undefined
      },
    })
    expect(asked).toEqual(['a', 'b'])
    expect(partsOf(found)[0]).toEqual(call('a', { status: 'completed', result: 'A' }))
    for (const index of [1, 2, 3, 4]) expect(partsOf(found)[index]).toBe(partsOf(given)[index])
    expect(found.messages[0]).toBe(given.messages[0])
    expect(changes).toMatchObject([{ code: 'result-resolved', at: { message: 1, part: 0, callId: 'a' } }])
  })

  it('leave the session as it is when nothing is known', async () => {
    const given = frozen(session(call('a', { status: 'interrupted' })))
    expect((await resolveSession(given, {})).session).toBe(given)
    const same = await resolveSession(given, { call: async (entry) => entry.state, media: async (part) => part })
    expect(same).toEqual({ session: given, changes: [] })
    expect(same.session).toBe(given)
  })
})

describe('media', () => {
  it('is asked for in messages and in outputs of every state', async () => {
    const given = frozen(
      session(
        call('a', { status: 'completed', result: [{ type: 'text', text: 'x' }, media('a')] }),
        call('b', { status: 'failed', error: [media('b')] }),
        call('c', { status: 'interrupted', partial: [media('c'), media('keep')] }),
        call('d', { status: 'completed', result: 'text' }),
      ),
    )
    const { session: found, changes } = await resolveSession(given, {
      media: async (part) => ('url' in part.source && part.source.url !== 'keep' ? inline : undefined),
    })
    expect(found.messages[0]?.parts).toEqual([inline])
    expect(partsOf(found)).toEqual([
      call('a', { status: 'completed', result: [{ type: 'text', text: 'x' }, inline] }),
      call('b', { status: 'failed', error: [inline] }),
      call('c', { status: 'interrupted', partial: [inline, media('keep')] }),
      call('d', { status: 'completed', result: 'text' }),
    ])
    expect(partsOf(found)[3]).toBe(partsOf(given)[3])
    expect(changes.map(({ code, before, at }) => [code, before, at.callId])).toEqual([
      ['media-resolved', 'u', undefined],
      ['media-resolved', 'a', 'a'],
      ['media-resolved', 'b', 'b'],
      ['media-resolved', 'c', 'c'],
    ])
  })

  it('of a late result is asked for too', async () => {
    const { session: found } = await resolveSession(session(call('a', { status: 'pending' })), {
      call: async () => ({ status: 'completed', result: [media('late')] }),
      media: async () => inline,
    })
    expect(partsOf(found)).toEqual([call('a', { status: 'completed', result: [inline] })])
  })
})

it('tells changes in the order of the session, whichever hook answers first', async () => {
  const given = session(call('slow', { status: 'pending' }), call('fast', { status: 'pending' }))
  const { changes } = await resolveSession(given, {
    async call({ id }) {
      if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 20))
      return { status: 'completed', result: id }
    },
  })
  expect(changes.map((c) => c.at.callId)).toEqual(['slow', 'fast'])
})

it('passes on what a hook throws', async () => {
  const given = session(call('a', { status: 'pending' }))
  const failing = async (): Promise<ToolCallState> => {
    throw new Error('store is down')
  }
  await expect(resolveSession(given, { call: failing })).rejects.toThrow('store is down')
})
