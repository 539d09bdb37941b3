import { describe, expect, it } from 'vitest'
import { type AgentEvent, capture, memoryStore } from '../../src/journal/index.ts'
import { toAnthropic } from '../../src/write/anthropic/index.ts'
import { using } from './folder.ts'
import { done, places, statesOf } from './places.ts'
import { readJournal } from './read.ts'
import { assistant, call, head, lines, text, user } from './records.ts'

/** Dirge kept calls with the session: each line of that list is a test here, in our own shape. */

const { stored, newPath } = places()

async function* stream(...events: readonly AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* events
}
const event = (name: string, id?: string): AgentEvent => ({ type: 'tool-call', name, args: {}, id })

describe('tool calls kept with the session', () => {
  it('D1: an entry for each call, with id, name, parsed args and its state, on the assistant message', async () => {
    await using(memoryStore(), async (journal) => {
      await journal.assistant({ parts: [call('a'), call('b'), call('c')] })
      await journal.settle('a', done('A'))
      await journal.settle('b', { status: 'interrupted' })
      await journal.settle('c', { status: 'failed', error: 'permission denied' })
      expect(journal.session().messages[0]?.parts).toEqual([
        call('a', done('A')),
        call('b', { status: 'interrupted' }),
        call('c', { status: 'failed', error: 'permission denied' }),
      ])
    })
  })

  it('D2: a message stored without calls or optional fields loads, and all that is stored comes back', async () => {
    const path = stored(lines(head, user('hi'), assistant(text('ho'))))
    await using(path, (journal) => expect(journal.session().messages).toHaveLength(2))
    const rich = newPath()
    const message = {
      by: { model: 'm' },
      stop: 'end',
      usage: { inputTokens: 1 },
      id: 'x',
      at: 'now',
      extra: { pi: 1 },
      parts: [],
    } as const
    await using(rich, (journal) => journal.assistant(message))
    await using(rich, (journal) => expect(journal.session().messages[0]).toEqual({ role: 'assistant', ...message }))
  })

  it('D3: a call is interrupted until its result comes, and a result without an id is of the oldest open call of its name', async () => {
    const store = memoryStore()
    await using(store, async (journal) => {
      const seen: unknown[] = []
      async function* live(): AsyncGenerator<AgentEvent> {
        yield event('read')
        yield event('read')
        seen.push(...statesOf(readJournal(store.text()).session))
        yield { type: 'tool-result', name: 'read', result: 'the first' }
      }
      await capture(live(), journal)
      expect(seen).toEqual([{ status: 'interrupted' }, { status: 'interrupted' }])
      expect(statesOf(journal.session())).toEqual([done('the first'), { status: 'interrupted' }])
    })
  })

  it('D4: the calls of a run stand on its message at its end, and when the user interjects', async () => {
    await using(memoryStore(), async (journal) => {
      await capture(
        stream(event('a', 'a'), event('b', 'b'), { type: 'interjected', text: 'stop' }, { type: 'done' }),
        journal,
      )
      expect(journal.session().messages).toMatchObject([{ parts: [{ id: 'a' }, { id: 'b' }] }, { role: 'user' }])
    })
  })

  it('D5: an abort keeps the partial text and all calls, and calls without text are worth a message', async () => {
    await using(memoryStore(), async (journal) => {
      await capture(
        stream(
          event('a', 'a'),
          event('b', 'b'),
          { type: 'tool-result', id: 'a', result: 'A' },
          { type: 'text', text: 'Ha' },
          { type: 'aborted' },
        ),
        journal,
      )
      expect(statesOf(journal.session())).toEqual([done('A'), { status: 'interrupted' }])
      expect(journal.session().messages[1]).toMatchObject({ parts: [{ text: 'Ha' }], stop: 'aborted' })
    })
    await using(memoryStore(), async (journal) => {
      await capture(stream(event('a', 'a'), { type: 'aborted' }), journal)
      expect(journal.session().messages).toMatchObject([{ parts: [{ id: 'a' }], stop: 'aborted' }])
    })
  })

  it('D6: the request has the text, the calls, and one result for each: verbatim, or a text that says what is known', async () => {
    await using(memoryStore(), async (journal) => {
      await journal.user('go')
      await journal.assistant({ parts: [text('So:'), call('a'), call('b'), call('c')] })
      await journal.settle('a', done('verbatim é'))
      await journal.settle('b', { status: 'interrupted', dispatched: true })
      await journal.settle('c', { status: 'failed', error: 'no such file' })
      await journal.user('and now?')
      const { request } = toAnthropic(journal.session())
      const wire = JSON.stringify(request.messages)
      expect(request.messages[1]).toMatchObject({
        role: 'assistant',
        content: [{ type: 'text' }, { id: 'a' }, { id: 'b' }, { id: 'c' }],
      })
      expect(wire.match(/"tool_result"/g)).toHaveLength(3)
      expect(wire).toContain('verbatim é')
      expect(wire).toContain('its outcome is unknown')
      expect(wire).toContain('no such file')
    })
  })

  it('D7: what a summary replaced and what was rewound is reported, and read when asked for', () => {
    const source = lines(user('one'), user('two'), { type: 'rewind', keep: 1 }, user('three'), {
      type: 'compaction',
      parts: [{ type: 'text', text: 'sum' }],
      keep: 0,
    })
    const { branches, changes } = readJournal(source)
    expect(branches).toEqual([{ leaf: 'm1', root: 'm1', parent: 'm0', messages: 1, preview: 'two' }])
    expect(changes.map(({ code }) => code)).toEqual(['branch-left-out', 'compaction-applied'])
    expect(readJournal(source, { leaf: 'm1' }).session.messages).toHaveLength(2)
    expect(readJournal(source, { history: 'full' }).session.messages).toHaveLength(2)
  })

  it("D8: the session's other data survives, since nothing is ever rewritten", async () => {
    const path = newPath()
    const extra = {
      dirge: { permission_allowlist: [{ tool: 'bash', pattern: 'cargo *' }], extra_entries: [{ data: 'x' }] },
    }
    await using(path, async (journal) => {
      await journal.describe({ extra })
      await journal.user('hi')
      await journal.describe({ title: 'labelled' })
    })
    await using(path, (journal) => expect(journal.session()).toMatchObject({ title: 'labelled', extra }))
  })
})
