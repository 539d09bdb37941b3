import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, capture, type Journal, memoryStore } from '../../src/journal/index.ts'
import type { Session, ToolCallEntry } from '../../src/model/session.ts'
import { sessionBuilder } from '../../src/read/builder.ts'
import { fileFolder } from '../folders.ts'
import { rejection, using } from './folder.ts'
import { readJournal } from './read.ts'

const root = fileFolder()

async function* stream(...events: readonly (AgentEvent | Error)[]): AsyncGenerator<AgentEvent> {
  for (const event of events) {
    if (event instanceof Error) throw event
    yield event
  }
}

const text = (said: string): AgentEvent => ({ type: 'text', text: said })
const call = (name: string, id?: string): AgentEvent => ({ type: 'tool-call', name, args: { of: name }, id })
const result = (said: string, more: { id?: string; name?: string; failed?: boolean } = {}): AgentEvent => ({
  type: 'tool-result',
  result: said,
  ...more,
})

/** `user: text`, `assistant: text, name=outcome`. */
const told = (session: Session): string[] =>
  session.messages.map(({ role, parts }) => {
    const said = parts.map((part) =>
      part.type === 'text' ? part.text : part.type === 'tool-call' ? outcome(part) : part.type,
    )
    return `${role}: ${said.join(', ')}`
  })
function outcome({ name, state }: ToolCallEntry): string {
  if (state.status === 'completed') return `${name}=${String(state.result)}`
  return `${name}=${state.status}${state.status === 'failed' ? ` ${String(state.error)}` : ''}`
}

async function captured(...events: readonly (AgentEvent | Error)[]): Promise<string[]> {
  const store = memoryStore()
  const inMemory = await using(store, async (journal) => {
    await capture(stream(...events), journal)
    return journal.session()
  })
  const built = sessionBuilder()
  await capture(stream(...events), built)
  const { session } = built.build()
  expect(told(session)).toEqual(told(inMemory))
  expect(told(readJournal(store.text()).session)).toEqual(told(inMemory))
  return told(inMemory)
}

describe('capturing a live run', () => {
  it('names an event of an unknown type, and records what had come as cut off', async () => {
    for (const strange of [{ type: 'nope' }, { type: 'constructor' }, {}, null, 'text'] as unknown as AgentEvent[]) {
      await using(memoryStore(), async (journal) => {
        const error = await rejection(capture(stream(text('half'), strange), journal))
        expect(String(error)).toMatch(/^TypeError: .*no event of an agent.*text, reasoning, tool-call/)
        expect(journal.session().messages).toMatchObject([{ stop: 'aborted', parts: [{ text: 'half' }] }])
      })
    }
  })

  it('D3: a call is interrupted by default, and completed by the result of its id', async () => {
    expect(
      await captured(
        text('I look '),
        text('at both.'),
        call('read', 'a'),
        call('read', 'b'),
        result('B', { id: 'b' }),
        result('no', { id: 'a', failed: true }),
        text('Done.'),
        { type: 'done' },
      ),
    ).toEqual(['assistant: I look at both., read=failed no, read=B', 'assistant: Done.'])
  })

  it('D3: without ids a result is of the oldest open call of its name, else of the oldest', async () => {
    expect(
      await captured(
        call('read'),
        call('write'),
        call('read'),
        result('first read', { name: 'read' }),
        result('write', { name: 'write' }),
        result('second read'),
        call('a'),
        call('b'),
        result('oldest', { name: 'unknown' }),
      ),
    ).toEqual(['assistant: read=first read, write=write, read=second read', 'assistant: a=oldest, b=interrupted'])
  })

  it('D3: a result whose id nobody gave is of a call without an id', async () => {
    expect(await captured(call('a', 'known'), call('b'), result('B', { id: 'made up later' }))).toEqual([
      'assistant: a=interrupted, b=B',
    ])
  })

  it('D3: what is on the disk when the process dies before the result is right already', async () => {
    const path = join(root, 'dies.jsonl')
    await using(path, async (journal) => {
      async function* dying(): AsyncGenerator<AgentEvent> {
        yield call('push', 'a')
        const { session } = readJournal(readFileSync(path))
        expect(told(session)).toEqual(['assistant: push=interrupted'])
        yield result('pushed', { id: 'a' })
      }
      await capture(dying(), journal)
    })
    expect(told(readJournal(readFileSync(path)).session)).toEqual(['assistant: push=pushed'])
  })

  it('D4: the calls stay with their message when the user interjects in mid-run', async () => {
    expect(
      await captured(
        text('I push.'),
        call('push', 'a'),
        { type: 'interjected', text: 'wait' },
        result('pushed', { id: 'a' }),
        text('It is pushed.'),
      ),
    ).toEqual(['assistant: I push., push=pushed', 'user: wait', 'assistant: It is pushed.'])
  })

  it('D5: an abort keeps the text so far and all calls, finished and open ones', async () => {
    const store = memoryStore()
    const events = [text('Two things.'), call('a', 'a'), call('b', 'b'), result('A', { id: 'a' }), text('Half a sen')]
    await using(store, (journal) => capture(stream(...events, { type: 'aborted', reason: 'by the user' }), journal))
    const { session } = readJournal(store.text())
    expect(told(session)).toEqual(['assistant: Two things., a=A, b=interrupted', 'assistant: Half a sen'])
    expect(session.messages[1]).toMatchObject({ stop: 'aborted' })
    expect(session.messages[0]?.parts.at(-1)).toMatchObject({
      state: { status: 'interrupted', reason: 'by the user' },
    })
  })

  it('D5: open calls without any text are worth a message', async () => {
    const store = memoryStore()
    await using(store, (journal) => capture(stream(call('a', 'a'), { type: 'aborted' }), journal))
    const { session } = readJournal(store.text())
    expect(told(session)).toEqual(['assistant: a=interrupted'])
    expect(session.messages[0]).toMatchObject({ stop: 'aborted' })
  })

  it('D5: a result that comes after the abort is taken all the same', async () => {
    expect(await captured(call('a', 'a'), { type: 'aborted' }, result('late', { id: 'a' }))).toEqual([
      'assistant: a=late',
    ])
  })

  it('takes a stream that fails for aborted, and fails with it', async () => {
    await using(memoryStore(), async (journal) => {
      const failing = capture(stream(text('Half'), call('a'), new Error('connection reset')), journal)
      expect(await rejection(failing)).toMatchObject({ message: 'connection reset' })
      expect(told(journal.session())).toEqual(['assistant: Half, a=interrupted'])
      expect(journal.session().messages[0]?.parts[1]).toMatchObject({ state: { reason: 'connection reset' } })
    })
  })

  it('fails when the journal does, and writes nothing more', async () => {
    let journal: Journal | undefined
    await using(memoryStore(), (opened) => {
      journal = opened
    })
    expect(await rejection(capture(stream(call('a'), call('b')), journal!))).toMatchObject({ code: 'closed' })
  })

  it('keeps reasoning with its signature, and one that goes on as one', async () => {
    await using(memoryStore(), async (journal) => {
      const extra = { anthropic: { signature: 'sig' } }
      await capture(
        stream(
          { type: 'reasoning', text: 'I th' },
          { type: 'reasoning', text: 'ink', extra },
          { type: 'reasoning', text: 'again' },
          text('so'),
        ),
        journal,
      )
      expect(journal.session().messages[0]?.parts).toEqual([
        { type: 'reasoning', text: 'I think', extra },
        { type: 'reasoning', text: 'again' },
        { type: 'text', text: 'so' },
      ])
    })
  })

  it('leaves out a result of no call, and says so', async () => {
    const warned: string[] = []
    const onWarning = (warning: Error): unknown => warned.push(warning.message)
    process.on('warning', onWarning)
    expect(await captured(call('a', 'a'), result('A', { id: 'a' }), result('stray', { id: 'x' }))).toEqual([
      'assistant: a=A',
    ])
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect(warned).toContain('A result of the id x has no open call; it is left out.')
  })
})
