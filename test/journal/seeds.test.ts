import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type AgentEvent,
  capture,
  fileStore,
  type Journal,
  JournalError,
  LockedError,
  memoryStore,
  openJournal,
  writeSummary,
} from '../../src/journal/index.ts'
import type { Session, ToolCallState } from '../../src/model/session.ts'
import { toAnthropic } from '../../src/write/anthropic/index.ts'
import { faultyFiles, systemError } from './faulty-files.ts'
import { folder, recordsIn, rejection, using } from './folder.ts'
import { ended, lock } from './locks.ts'
import { readJournal } from './read.ts'
import { assistant, call, dispatch, head, lines, settle, text, user } from './records.ts'

/** What the systems did that this one grew from: D dirge, Z zut, O oino. Each line of theirs is a test here, in our own shape. */

const root = folder()
let count = 0
function stored(content: string): string {
  const path = join(root, `s${count++}.jsonl`)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}
const bytes = (path: string): string => readFileSync(path, 'utf8')
const newPath = (): string => join(root, `n${count++}`, 'j.jsonl')
const statesOf = ({ messages }: Session): ToolCallState[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state] : [])))
const done = (result: string): ToolCallState => ({ status: 'completed', result })
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

describe('a durable journal', () => {
  it('Z1: appends one record for each finished event, with version and time, for the owner alone', async () => {
    const path = newPath()
    await using(path, async (journal) => {
      await journal.acceptTurn('t')
      await journal.beginTurn('t')
      await journal.user('u')
      await journal.assistant({ parts: [call('a')] })
      await journal.dispatch({ id: 'a', name: 'bash', args: {} })
      await journal.settle('a', done('A'))
      await journal.usage({ inputTokens: 1 })
      await journal.endTurn('t', 'failed')
    })
    const records = recordsIn(path)
    expect(records.map(({ type }) => type)).toEqual([
      'session',
      'turn',
      'turn',
      'message',
      'message',
      'dispatch',
      'settle',
      'usage',
      'turn',
    ])
    for (const { journal, at } of records) expect([journal, new Date(at).toISOString()]).toEqual([1, at])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('Z2: a record is synced before anyone hears of it, and one over the limit is refused', async () => {
    const { files, log } = faultyFiles()
    await using(
      fileStore(newPath(), files),
      async (journal) => {
        let heardAfter = ''
        journal.subscribe(() => {
          heardAfter = log.at(-1) ?? ''
        })
        await journal.user('x')
        expect([heardAfter, log.at(-1)]).toEqual(['datasync', 'datasync'])
        expect(await rejection(journal.user('x'.repeat(2000)))).toMatchObject({ code: 'too-large' })
      },
      { maxRecordBytes: 1000 },
    )
  })

  it('Z3: a summary is a projection: replaced as a whole, bounded between characters, made anew, and never believed', async () => {
    const path = newPath()
    const summary = join(root, 'summary.json')
    await using(path, async (journal) => {
      await journal.beginTurn('t')
      await journal.assistant({ parts: [text('é'.repeat(5000))] })
      await journal.endTurn('t', 'completed')
      await writeSummary(journal, summary)
      const { turns, messages } = JSON.parse(bytes(summary)) as { turns: { result: string }[]; messages: number }
      expect(messages).toBe(1)
      expect(turns[0]?.result).toBe('é'.repeat(2048))
      const before = bytes(summary)
      for (const operation of ['open', 'writeFile', 'sync', 'rename'] as const) {
        const { files } = faultyFiles((asked) => {
          if (asked === operation) throw systemError('ENOSPC')
        })
        const writing = writeSummary(journal, summary, files)
        expect(await rejection(writing)).toMatchObject({ name: 'JournalError', code: 'io' })
        expect(bytes(summary)).toBe(before)
      }
      expect(statSync(summary).mode & 0o777).toBe(0o600)
    })
    expect(readdirSync(root).filter((name) => name.endsWith('.new'))).toEqual([])
    writeFileSync(summary, '{"turns":[{"id":"never","stage":"accepted"}]}')
    await using(path, async (journal) => {
      expect(journal.turns().map(({ id }) => id)).toEqual(['t'])
      await writeSummary(journal, summary)
      expect(bytes(summary)).not.toContain('never')
    })
  })

  it('Z4: while another host holds the lease nothing is read and nothing repaired', async () => {
    const path = stored(`${lines(head, assistant(call('a')))}{"torn`)
    await lock(path, { host: 'elsewhere' })
    const before = bytes(path)
    const { files, log } = faultyFiles()
    expect(LockedError.is(await rejection(openJournal(fileStore(path, files))))).toBe(true)
    expect(log).not.toContain('read')
    expect(bytes(path)).toBe(before)
  })

  it('Z5: a torn last line is let pass; all other damage refuses opening, with a reason and the line', async () => {
    await using(stored(`${lines(head)}{"journal":1,`), (journal) => expect(journal.opened.tornTail).toBeDefined())
    const damaged: readonly (readonly [string, RegExp])[] = [
      [`${lines(head)}{"journal":1,\n`, /line 2: this is no JSON/],
      [lines(head, settle('a', 'x')), /line 2: a result without a call/],
      [lines(head, assistant(call('a')), settle('a', 'x'), settle('a', 'y')), /line 4: .* has its result/],
      [lines(head, assistant(call('a')), dispatch('a'), dispatch('a')), /line 4: .* dispatched already/],
      [
        lines({ type: 'turn', id: 't', stage: 'accepted' }, { type: 'turn', id: 't', stage: 'accepted' }),
        /line 2: .* cannot be accepted/,
      ],
      [lines({ type: 'turn', id: 't', stage: 'completed' }), /line 1: .* cannot be completed/],
      [lines({ type: 'usage', usage: { inputTokens: -1 } }), /line 1: usage counts below zero/],
    ]
    for (const [content, reason] of damaged) {
      const error = await rejection(openJournal(stored(content)))
      expect(error).toMatchObject({ name: 'JournalError', code: 'corrupt' })
      expect((error as Error).message).toMatch(reason)
    }
  })

  it('Z6: what ran or waited is interrupted, in a stable order and once; a second time changes not even the time', async () => {
    const path = stored(
      lines(
        { type: 'turn', id: 'ran', stage: 'started' },
        { type: 'turn', id: 'queued', stage: 'accepted' },
        assistant(call('a'), call('b')),
        dispatch('b'),
      ),
    )
    await using(path, (journal) => {
      expect(journal.opened.interruptedTurns).toEqual(['ran', 'queued'])
      expect(journal.opened.closedCalls.map(({ id }) => id)).toEqual(['a', 'b'])
    })
    const [content, { mtimeMs }] = [bytes(path), statSync(path)]
    await using(path, (journal) => expect(journal.opened.interruptedTurns).toEqual([]))
    expect(bytes(path)).toBe(content)
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
  })

  it('Z7: a real result that follows its closer stands, and the closer needs no rewriting of the file', async () => {
    const path = stored(lines(head, assistant(call('a')), dispatch('a')))
    await using(path, () => {})
    const closed = bytes(path)
    await using(path, (journal) => journal.settle('a', done('real')))
    expect(bytes(path).startsWith(closed)).toBe(true)
    await using(path, (journal) => expect(statesOf(journal.session())).toEqual([done('real')]))
  })

  it('Z8: usage, in all and by turn, and the context in use are there again after a restart', async () => {
    const path = newPath()
    const spend = async (journal: Journal, id: string): Promise<void> => {
      await journal.beginTurn(id)
      await journal.usage({ inputTokens: 10, outputTokens: 1 }, { used: 11, max: 200 })
      await journal.usage({ inputTokens: 20 }, { used: 31, max: 200 })
      await journal.endTurn(id, 'completed')
    }
    await using(path, (journal) => spend(journal, 'one'))
    await using(path, async (journal) => {
      await spend(journal, 'two')
      expect(journal.usageTotals()).toEqual({
        total: { inputTokens: 60, outputTokens: 2 },
        context: { used: 31, max: 200 },
      })
      expect(journal.turns().map(({ usage }) => usage)).toEqual([
        { inputTokens: 30, outputTokens: 1 },
        { inputTokens: 30, outputTokens: 1 },
      ])
    })
  })

  it('Z9: the last text is the result of its turn only when no call follows it', async () => {
    await using(memoryStore(), async (journal) => {
      await journal.beginTurn('answered')
      await journal.assistant({ parts: [text('First'), call('a')] })
      await journal.settle('a', done('A'))
      await journal.assistant({ parts: [text('The answer.')] })
      await journal.endTurn('answered', 'completed')
      await journal.beginTurn('called')
      await journal.assistant({ parts: [text('I go on'), call('b')] })
      await journal.settle('b', done('B'))
      await journal.endTurn('called', 'completed')
      await journal.beginTurn('failed')
      await journal.assistant({ parts: [text('Half')] })
      await journal.endTurn('failed', 'failed')
      expect(journal.turns().map(({ result }) => result)).toEqual(['The answer.', undefined, undefined])
    })
  })

  it('Z10: an id that names a file is checked', () => {
    for (const id of ['..', 'a/b', 'a\\b', '.x', ''])
      expect(() => fileStore({ folder: root, id })).toThrow(JournalError)
  })
})

describe('the dispatch record, and the repair on resume', () => {
  it('O1: a dispatch names the call, its input and whether it only reads, and is no conversation', async () => {
    const path = newPath()
    await using(path, async (journal) => {
      await journal.assistant({ parts: [call('a')] })
      await journal.dispatch({ id: 'a', name: 'bash', args: { command: 'ls' }, readOnly: true })
      expect(journal.session().messages).toHaveLength(1)
    })
    expect(recordsIn(path).at(-1)).toMatchObject({
      type: 'dispatch',
      call: { id: 'a', name: 'bash', args: { command: 'ls' }, readOnly: true },
    })
  })

  it('O2: repair runs once, under the lease, before the session is used, and only appends', async () => {
    const path = stored(lines(head, assistant(call('a'))))
    await lock(path, await ended())
    const before = bytes(path)
    const { files, log } = faultyFiles()
    await using(fileStore(path, files), (journal) =>
      expect(statesOf(journal.session())).toMatchObject([{ status: 'interrupted' }]),
    )
    expect(log.indexOf('link')).toBeLessThan(log.indexOf('read'))
    expect(log.filter((operation) => operation === 'write')).toHaveLength(1)
    expect(bytes(path).startsWith(before)).toBe(true)
  })

  it('O3: a torn last line gets an end of its own; a whole one without a newline is taken', async () => {
    const torn = stored(`${lines(head)}{"journal":1,"seq":1,"ty`)
    await using(torn, (journal) => journal.user('next'))
    await using(torn, (journal) => expect(journal.session().messages).toHaveLength(1))
    const whole = stored(lines(head, user('one')).trimEnd())
    await using(whole, (journal) => journal.user('two'))
    await using(whole, (journal) => expect(journal.session().messages).toHaveLength(2))
  })

  it('O4: an open call gets a result that says verify; one that never started reads differently', async () => {
    await using(stored(lines(head, user('go'), assistant(call('ran'), call('not')), dispatch('ran'))), (journal) => {
      const wire = JSON.stringify(toAnthropic(journal.session(), { next: 'go on' }).request.messages)
      expect(wire).toContain('Verify the current state before running it again')
      expect(wire).toContain('interrupted before it started; it was not run')
      expect(wire).not.toMatch(/you may retry|try again/i)
    })
  })

  it('O5: one repair record says what was closed, what was torn, and when, and is synced; else nothing is written', async () => {
    const path = stored(`${lines(head, assistant(call('a')))}{"torn`)
    const { files, log } = faultyFiles()
    await using(fileStore(path, files), () => {})
    expect(log.slice(log.indexOf('write'), log.indexOf('write') + 2)).toEqual(['write', 'datasync'])
    expect(recordsIn(path).filter(({ type }) => type === 'repair')).toMatchObject([
      { closed: [{ id: 'a' }], torn: { length: 6 } },
    ])
    log.length = 0
    await using(fileStore(path, files), () => {})
    expect(log).not.toContain('write')
  })

  it('O6: in memory, and where no file was made, nothing is repaired; a fault of the system keeps the session from being used', async () => {
    const store = memoryStore()
    await using(store, (journal) => journal.assistant({ parts: [call('a')] }))
    await using(store, (journal) => expect(statesOf(journal.session())).toEqual([{ status: 'pending' }]))
    const never = newPath()
    await using(never, () => {})
    expect(existsSync(never)).toBe(false)
    for (const operation of ['read', 'write', 'datasync'] as const) {
      const { files } = faultyFiles((asked) => {
        if (asked === operation) throw systemError('EIO')
      })
      const opening = openJournal(fileStore(stored(lines(head, assistant(call('a')))), files))
      expect(await rejection(opening)).toMatchObject({ name: 'JournalError', code: 'io' })
    }
  })

  it('O7: an open call is never run again by itself', async () => {
    const path = stored(lines(head, assistant(call('a')), dispatch('a')))
    await using(path, () => {})
    await using(path, () => {})
    expect(recordsIn(path).filter(({ type }) => type === 'dispatch')).toHaveLength(1)
  })
})
