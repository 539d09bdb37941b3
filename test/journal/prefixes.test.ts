import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileStore, type Journal, openJournal } from '../../src/journal/index.ts'
import type { Message, Session } from '../../src/model/session.ts'
import { fileFolder } from '../folders.ts'
import { bytesStore } from './bytes-store.ts'
import { unsyncedFiles } from './faulty-files.ts'
import { readJournal } from './read.ts'
import { call, text } from './records.ts'

const root = fileFolder()
const path = join(root, 'j.jsonl')
const open = (start?: object): Promise<Journal> =>
  openJournal(fileStore(path, unsyncedFiles), start === undefined ? {} : { start })

const START: Partial<Session> = {
  id: 's',
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'é' }] },
    { role: 'assistant', parts: [call('old', { status: 'completed', result: 'before' })] },
  ],
}

/** A run with a crash in it, and one behind it: turns, parallel calls, results out of order, a summary, repairs of torn ends. */
async function work(journal: Journal): Promise<void> {
  await journal.beginTurn()
  await journal.user('go → on')
  await journal.assistant({ parts: [text('I run two.'), call('a'), call('b')] })
  await journal.dispatch({ id: 'b', name: 'bash', args: {} })
  await journal.settle('b', { status: 'completed', result: 'B' })
  await journal.usage({ outputTokens: 3 })
}

async function recorded(): Promise<Buffer> {
  rmSync(path, { force: true })
  for (let crash = 0; crash < 2; crash++) {
    const journal = await open(START)
    await work(journal)
    if (crash === 1) await journal.compact('So far.', 1)
    await journal.close()
    writeFileSync(
      path,
      Buffer.concat([readFileSync(path), Buffer.from('{"journal":1,"seq":9999,"at":"20é').subarray(0, -1)]),
    )
  }
  return readFileSync(path)
}

it('every prefix of a journal opens, loses no whole record, and is written to once at most', async () => {
  const bytes = await recorded()
  let repaired = 0
  for (let length = 0; length <= bytes.length; length++) {
    const prefix = bytes.subarray(0, length)
    const store = bytesStore(prefix)
    const first = await openJournal(store, { start: START })
    const after = store.bytes
    expect(after.subarray(0, length).equals(prefix), `prefix of ${length} bytes`).toBe(true)
    const second = await openJournal(store, { start: START })
    expect(store.bytes.equals(after), `prefix of ${length} bytes`).toBe(true)
    expect(second.session()).toEqual(first.session())
    expectWhole(prefix, after)
    if (after.length > length) repaired++
  }
  console.log(`journal prefixes: ${bytes.length + 1} opened twice, ${repaired} of them written to the first time`)
})

const STRIDE = process.env.FULL === '1' ? 1 : 61

it('so does every prefix of its file, whose time does not change when nothing is written', async () => {
  const bytes = await recorded()
  let opened = 0
  for (let length = 0; length <= bytes.length; length += STRIDE) {
    const prefix = bytes.subarray(0, length)
    writeFileSync(path, prefix)
    const first = await open(START)
    await first.close()
    const after = readFileSync(path)
    expect(after.subarray(0, length).equals(prefix), `prefix of ${length} bytes`).toBe(true)
    const { mtimeMs } = statSync(path)
    const second = await open(START)
    await second.close()
    expect(readFileSync(path).equals(after), `prefix of ${length} bytes`).toBe(true)
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
    expectWhole(prefix, after)
    opened++
  }
  console.log(`journal prefixes: ${opened} of ${bytes.length + 1} opened twice as files`)
}, 900_000)

/** What the whole lines of the prefix acknowledged is in the session of the repaired file, by a count that knows no journal. */
function expectWhole(prefix: Buffer, repaired: Buffer): void {
  const lines = prefix.toString('utf8', 0, prefix.lastIndexOf(10) + 1).split('\n')
  const whole = lines.filter((line) => line !== '' && !line.endsWith('\u0018')).map((line) => JSON.parse(line))
  if (whole.length === 0) return
  const recorded = whole.filter(({ type }) => type === 'message').map(({ message }) => message as Message)
  const results = whole.filter(({ type, state }) => type === 'settle' && state.status === 'completed').length
  const { messages } = readJournal(repaired, { history: 'full' }).session
  expect(textsOf(messages).slice(0, recorded.length)).toEqual(textsOf(recorded))
  expect(completed(messages)).toBeGreaterThanOrEqual(results + completed(recorded))
}

const textsOf = (messages: readonly Message[]): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))
const completed = (messages: readonly Message[]): number =>
  messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === 'tool-call' && part.state.status === 'completed'),
  ).length
