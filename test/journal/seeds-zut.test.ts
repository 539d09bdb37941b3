import { readdirSync, statSync, writeFileSync } from 'node:fs'
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
import { faultyFiles, systemError } from './faulty-files.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { lock } from './locks.ts'
import { bytes, done, places, statesOf } from './places.ts'
import { assistant, call, dispatch, head, lines, settle, text } from './records.ts'

/** Zut wrote journals of its agents: each line of that list is a test here, in our own shape. */

const { root, stored, newPath } = places()

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

  it('Z1: pieces of a stream are no records of their own, and reasoning is none when the caller wants it so', async () => {
    const path = newPath()
    async function* events(): AsyncGenerator<AgentEvent> {
      for (const piece of ['Let ', 'me ', 'think.']) yield { type: 'reasoning', text: piece }
      for (const piece of 'An answer in pieces.') yield { type: 'text', text: piece }
    }
    await using(path, (journal) => capture(events(), journal), { reasoning: 'drop' })
    expect(recordsIn(path)).toMatchObject([
      { type: 'session' },
      { type: 'message', message: { parts: [{ type: 'text', text: 'An answer in pieces.' }] } },
    ])
    expect(bytes(path)).not.toContain('think')
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
