import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Journal, JournalError, type JournalTurn, memoryStore } from '../../src/journal/index.ts'
import type { AssistantPart, Session, ToolCallState } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { fileFolder } from '../folders.ts'
import { random } from '../read/hostile.ts'
import { bytesStore } from './bytes-store.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { assistant, call, lines, text } from './records.ts'

const root = fileFolder()
let count = 0
const newPath = (): string => join(root, `n${count++}.jsonl`)

const textsOf = ({ messages }: Session): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))

describe('a record that is refused', () => {
  it('leaves the message before it open to be joined, live as in the file', async () => {
    const path = newPath()
    const live = await using(path, async (journal) => {
      await journal.user('hi')
      await journal.assistant({ parts: [text('one')] })
      expect(await rejection(journal.settle('nope', { status: 'completed', result: 'x' }))).toMatchObject({
        code: 'conflict',
      })
      await journal.assistant({ parts: [text('two')] }, { joins: true })
      expect(await rejection(journal.rewind(3))).toMatchObject({ code: 'conflict' })
      return journal.session()
    })
    expect(textsOf(live)).toEqual(['hi', 'one+two'])
    expect(textsOf(readSession(readFileSync(path)).session)).toEqual(['hi', 'one+two'])
    await using(path, (journal) => expect(journal.session()).toEqual(live))
  })

  it('does not change which of several calls takes a result without an id: the one that was closed first', async () => {
    const store = memoryStore()
    const live = await using(store, async (journal) => {
      expect(await rejection(journal.settle('', { status: 'interrupted' }))).toMatchObject({ code: 'conflict' })
      await journal.assistant({ parts: [call('a'), call('b')] })
      for (const id of ['b', 'a']) await journal.settle(id, { status: 'interrupted' })
      await journal.settle('', { status: 'completed', result: 'late' })
      return journal.session()
    })
    await using(store, (journal) => expect(journal.session()).toEqual(live))
    expect(statesOf(live)).toEqual(['interrupted', 'completed'])
  })
})

const statesOf = ({ messages }: Session): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state.status] : [])))

describe('a new journal whose first record is refused', () => {
  it.each<[string, (journal: Journal) => Promise<unknown>]>([
    ['a result', (journal) => journal.settle('nope', { status: 'completed', result: 'x' })],
    ['a dispatch', (journal) => journal.dispatch({ id: 'nope', name: 'bash', args: {} })],
    ['an end of a turn', (journal) => journal.endTurn('nope', 'completed')],
    ['usage', (journal) => journal.usage({ inputTokens: -1 })],
    ['a summary', (journal) => journal.compact('all', 1)],
    ['a rewind', (journal) => journal.rewind(1)],
  ])('is never made: %s', async (_what, write) => {
    const path = newPath()
    await using(path, async (journal) => {
      expect(await rejection(write(journal))).toMatchObject({ code: 'conflict' })
    })
    expect(existsSync(path)).toBe(false)
  })

  it('is made by the first one that is not', async () => {
    const path = newPath()
    await using(path, async (journal) => {
      await rejection(journal.settle('nope', { status: 'completed', result: 'x' }))
      await journal.user('hi')
    })
    expect(recordsIn(path).map(({ seq, type }) => [seq, type])).toEqual([
      [0, 'session'],
      [1, 'message'],
    ])
  })
})

it('a journal whose head is lost goes on with the calls that it has', async () => {
  const store = bytesStore(Buffer.from(lines(assistant(call('a')))))
  await using(store, async (journal) => {
    await journal.settle('a', { status: 'completed', result: 'late' })
    expect(statesOf(journal.session())).toEqual(['completed'])
  })
})

type Below = (below: number) => number
type Verb = (journal: Journal, below: Below, step: number) => Promise<unknown>

const pick = <T>(below: Below, values: readonly T[]): T => values[below(values.length)] as T

const IDS = ['a', 'b', 'c', '']
const TOOLS = ['x', 'y']
const CALL_STATES: readonly ToolCallState[] = [
  { status: 'pending' },
  { status: 'interrupted' },
  { status: 'completed', result: 'at once' },
  { status: 'pending', reason: 'approval' },
]
const RESULTS: readonly ToolCallState[] = [
  { status: 'completed', result: 'done' },
  { status: 'failed', error: 'no' },
  { status: 'interrupted' },
  { status: 'pending', reason: 'running' },
]

function partsOf(below: Below, step: number): AssistantPart[] {
  const calls = Array.from({ length: below(3) }, () =>
    call(pick(below, IDS), pick(below, CALL_STATES), pick(below, TOOLS)),
  )
  return [text(`said ${step}`), ...calls]
}

const say: Verb = (journal, below, step) => {
  const by = below(3) === 0 ? { by: { model: pick(below, ['m', 'n']) } } : {}
  return journal.assistant({ parts: partsOf(below, step), ...by }, { joins: below(2) === 0 })
}
const settle: Verb = (journal, below) =>
  journal.settle(pick(below, IDS), pick(below, RESULTS), pick<string | undefined>(below, [undefined, ...TOOLS]))

/** Messages and results are most of a real session. */
const VERBS: readonly Verb[] = [
  ...[say, say, say, settle, settle, settle],
  (journal, _below, step) => journal.user(`asked ${step}`),
  (journal, below) => journal.dispatch({ id: pick(below, IDS), name: pick(below, TOOLS), args: {} }),
  (journal, below, step) => journal.compact(`summary ${step}`, below(4)),
  (journal, below) => journal.rewind(below(4)),
  (journal, below) => journal.acceptTurn(pick<string | undefined>(below, ['t1', 't2', undefined])),
  (journal, below) => journal.beginTurn(pick<string | undefined>(below, ['t1', 't2', undefined])),
  (journal, below) => journal.endTurn(pick(below, ['t1', 't2']), pick(below, ['completed', 'failed'])),
  (journal, _below, step) => journal.describe({ title: `title ${step}` }),
  (journal, below) => journal.usage({ inputTokens: pick(below, [1, -1]) }),
]

const RUNS = 1500
const STEPS = 14

const stateOf = (journal: Journal) => ({
  session: journal.session(),
  turns: journal.turns(),
  usage: journal.usageTotals(),
})
const bodyOf = ({ messages, title }: Session): unknown => ({ messages, title })

/** Gives how many records were refused. */
async function scribble(journal: Journal, below: Below): Promise<number> {
  let refused = 0
  for (let step = 0; step < STEPS; step++) {
    await pick(below, VERBS)(journal, below, step).catch((error: unknown) => {
      if (!JournalError.is(error) || error.code !== 'conflict') throw error
      refused++
    })
  }
  return refused
}

describe('a journal after whatever was written and refused', () => {
  it('is the same live, opened again and read', async () => {
    let refused = 0
    for (let run = 1; run <= RUNS; run++) {
      const store = memoryStore()
      const live = await using(store, async (journal) => {
        refused += await scribble(journal, random(run))
        return stateOf(journal)
      })
      const stored = store.text()
      if (stored === '') continue
      expect(await using(store, stateOf), `run ${run}`).toEqual(live)
      // A reader takes open calls for what the next process would find undone.
      const { session } = readSession(stored)
      const found = await using(bytesStore(Buffer.from(stored)), (journal) => journal.session())
      expect(bodyOf(session), `run ${run}`).toEqual(bodyOf(found))
      const told = session.extra?.journal as { readonly turns?: readonly JournalTurn[] } | undefined
      expect(told?.turns ?? [], `run ${run}`).toEqual(live.turns)
    }
    expect(refused).toBeGreaterThan(RUNS)
    console.info(`journals: ${RUNS} of ${STEPS} records each, ${refused} of all refused`)
  })
})
