import { check } from '../src/check/index.ts'
import { convert, openThread, readSession, type Session, type WritableApi } from '../src/index.ts'
import { history, transcript } from './histories.ts'
import { type Contender, measure, print, type Row } from './measure.ts'

const APIS: readonly WritableApi[] = ['anthropic', 'openai-chat', 'openai-responses']
const ROUNDS = 100

const parsed = (text: string): Contender => ({ name: 'JSON', run: () => JSON.stringify(JSON.parse(text)) })

function ratios(base: Contender, contenders: readonly Contender[], target: number, rounds = ROUNDS): readonly Row[] {
  const [unit, ...times] = measure([base, ...contenders], rounds)
  return contenders.map(({ name }, index) => ({
    what: name,
    ratio: times[index]! / unit!,
    target,
    note: `${times[index]!.toFixed(2)} ms against ${unit!.toFixed(2)} ms`,
  }))
}

function converting(session: Session): readonly Contender[] {
  return APIS.map((api) => ({ name: api, run: () => convert(session, api) }))
}

function pushing(api: WritableApi, depth: number): Contender {
  const message = history(2).messages[1]!
  const user = history(2).messages[0]!
  const thread = openThread(api, { start: { version: 1, messages: history(depth).messages } })
  return {
    name: `depth ${depth}`,
    run() {
      for (let count = 0; count < 200; count++) thread.push(count % 2 === 0 ? user : message)
    },
  }
}

function checking(api: WritableApi): readonly Row[] {
  const { request } = convert(history(2000), api)
  const body = {
    model: api === 'anthropic' ? 'claude-sonnet-4-6' : 'gpt-4.1',
    ...(api === 'anthropic' ? { max_tokens: 1024 } : {}),
    ...request,
  }
  return ratios(parsed(JSON.stringify(body)), [{ name: api, run: () => check(api, body) }], 1)
}

const clean = history(2000)
const dirty = history(2000, true)
print(
  'Converting 2,000 messages against JSON.parse + JSON.stringify of the session, clean',
  ratios(parsed(JSON.stringify(clean)), converting(clean), 0.25),
)
print('The same, with a defect in every second answer', ratios(parsed(JSON.stringify(dirty)), converting(dirty), 0.5))

const lines = transcript(2000)
const splitting: Contender = {
  name: 'lines',
  run: () => lines.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line))),
}
print(
  'Reading a Claude Code transcript against splitting and JSON.parse per line',
  ratios(splitting, [{ name: 'claude-code', run: () => readSession(lines) }], 2),
)

const lengths = [1_000, 10_000, 100_000]
for (const api of APIS) {
  const sessions = lengths.map((length) => history(length, true))
  const times = sessions.map((session) => measure([{ name: api, run: () => convert(session, api) }], 6)[0]!)
  const rows = lengths.slice(1).map((length, index) => ({
    what: `${length} messages`,
    ratio: times[index + 1]! / times[index]! / (length / lengths[index]!),
    note: `${times[index + 1]!.toFixed(1)} ms, ${((times[index + 1]! / length) * 1000).toFixed(2)} us a message`,
  }))
  print(`Cost a message against a history of a tenth, ${api}`, rows)
}

for (const api of APIS) {
  const [shallow, deep] = measure([pushing(api, 100), pushing(api, 10_000)], 200)
  print(`One push at depth 10,000 against depth 100, ${api}`, [
    { what: 'push', ratio: deep! / shallow!, target: 1.2, note: `${((deep! / 200) * 1000).toFixed(2)} us` },
  ])
}

print('Checking a 2,000-message request against JSON.stringify + JSON.parse of it', APIS.flatMap(checking))
// Loaded only now, since what else is loaded changes how the engine treats all of it.
const { addedByMocks } = await import('./mock.ts')
print("What a mock adds to msw's own cost for 2,000 messages against checking them", await addedByMocks())

const { appending, opening } = await import('./journal.ts')
print(
  'An append to a journal against write and datasync of the same handle (1.25x is 0.8 of its rate)',
  await appending(),
)
print('Opening a journal against splitting and JSON.parse per line', await opening(100))
