import { getResponse, HttpResponse, http, type RequestHandler } from 'msw'
import { check } from '../src/check/index.ts'
import { mockProviders } from '../src/mock/index.ts'
import { convert, type WritableApi } from '../src/write/index.ts'
import { history } from './histories.ts'
import type { Row } from './measure.ts'

interface Mocked {
  readonly api: WritableApi
  readonly url: string
  readonly beside: object
}

const MOCKED: readonly Mocked[] = [
  {
    api: 'anthropic',
    url: 'https://api.anthropic.com/v1/messages',
    beside: { model: 'claude-sonnet-4-6', max_tokens: 1024 },
  },
  { api: 'openai-chat', url: 'https://api.openai.com/v1/chat/completions', beside: { model: 'gpt-4.1' } },
  { api: 'openai-responses', url: 'https://api.openai.com/v1/responses', beside: { model: 'gpt-4.1' } },
]

const ROUNDS = 60
const WARMUPS = 10
const TARGET = 2

/** What a mock adds to msw's own cost for a request of 2,000 messages, against what checking that request costs. */
export async function addedByMocks(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const mocked of MOCKED) rows.push(await added(mocked))
  return rows
}

async function added({ api, url, beside }: Mocked): Promise<Row> {
  const text = JSON.stringify({ ...beside, ...convert(history(2000), api).request })
  const mock = mockProviders()
  // As any handler that looks at the body: it is read and parsed, and something is answered.
  const plain = http.post(url, async ({ request }) => {
    await request.json()
    return HttpResponse.json({ id: 'fixed' })
  })
  const ask = async (handlers: readonly RequestHandler[]): Promise<void> => {
    const response = await getResponse([...handlers], new Request(url, { method: 'POST', body: text }))
    if (response?.status !== 200) throw new Error(`${api}: ${await response?.text()}`)
    await response.text()
  }
  let arrived: unknown
  const times = await measured([
    { run: () => ask([plain]) },
    { prepare: () => mock.reset(), run: () => ask(mock.handlers) },
    // As it comes off the wire: what was just parsed is dearer to look at than what has long been there.
    { prepare: () => (arrived = JSON.parse(text)), run: () => check(api, arrived) },
  ])
  const [msw = 0, whole = 0, checking = 1] = times
  const note = `${(whole - msw).toFixed(2)} ms against ${checking.toFixed(2)} ms; msw alone ${msw.toFixed(2)} ms`
  return { what: api, ratio: (whole - msw) / checking, target: TARGET, note }
}

interface Candidate {
  /** Not measured. */
  readonly prepare?: () => unknown
  readonly run: () => unknown
}

/** Milliseconds of the processor, since what is awaited would count what else the machine does. */
function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The lower quartile of each; the candidates take turns, so that the load of the machine falls on all of them alike. */
async function measured(candidates: readonly Candidate[]): Promise<readonly number[]> {
  const times: number[][] = candidates.map(() => [])
  for (let round = -WARMUPS; round < ROUNDS; round++) {
    for (const [index, { prepare, run }] of candidates.entries()) {
      prepare?.()
      const start = spent()
      await run()
      if (round >= 0) times[index]?.push(spent() - start)
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 2] ?? 0)
}
