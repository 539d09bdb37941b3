import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../../../src/check/anthropic/index.ts'
import { DAMAGES } from './damages.ts'

const FILE = new URL('../../../../shared/recorded/anthropic.jsonl', import.meta.url)

interface Recorded {
  readonly from: string
  readonly server: string
  readonly status: number
  readonly request: { readonly messages?: unknown }
  readonly answer: { readonly error?: { readonly message?: string } }
}

/** What was refused for something that does not stand in the body. */
const NOT_SEEN: { readonly [words: string]: string } = {
  'API key is invalid.': 'a header',
  'Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas.':
    'the cost of compiling is measured by the API: the schema is within each published limit',
}

const present = existsSync(FILE)
if (!present) console.log('skipped: the recordings are not here')
const lines = present ? readFileSync(FILE, 'utf8').trim().split('\n') : []

/** The recordings hide ids: the result of the one server call has another stand-in than its call. */
const restored = (line: string): string =>
  line.includes('"srvtoolu_') ? line.replaceAll('toolu_REDACTED_1', /srvtoolu_\w+/.exec(line)?.[0] ?? '') : line

const recorded: readonly Recorded[] = lines
  .map((line): Recorded => JSON.parse(restored(line)))
  .filter(({ server }) => server === 'anthropic')
const accepted = recorded.filter(({ status }) => status === 200)
const refused = recorded.filter(({ status }) => status !== 200)

describe.skipIf(!present)('recorded calls', () => {
  it('that were accepted have no violation', () => {
    const wrong = accepted.flatMap(({ from, request }) =>
      checkAnthropic(request).map(({ message }) => `${from}: ${message}`),
    )
    console.log(`${accepted.length} accepted requests`)
    expect(wrong).toEqual([])
    expect(accepted.length).toBeGreaterThan(100)
  })

  it('that were refused get the recorded words', () => {
    const seen = refused.filter(({ answer }) => NOT_SEEN[answer.error?.message ?? ''] === undefined)
    for (const { from, status, request, answer } of seen) {
      const [first] = checkAnthropic(request)
      expect({ from, status: first?.status, message: first?.message }).toEqual({
        from,
        status,
        message: answer.error?.message,
      })
    }
    console.log(`${seen.length} of ${refused.length} refused requests; not seen: ${JSON.stringify(NOT_SEEN)}`)
    expect(seen.length).toBeGreaterThan(10)
  })
})

describe.skipIf(!present)('accepted requests with one damage', () => {
  it.each(DAMAGES.map((damage) => [damage.name, damage] as const))('%s', (_name, damage) => {
    let count = 0
    for (const { from, request } of accepted) {
      const copy = structuredClone(request)
      const expected = damage.apply(copy)
      if (expected === undefined) continue
      count++
      const [first] = checkAnthropic(copy)
      expect({ from, rule: first?.rule, message: first?.message }).toEqual({ from, ...expected })
    }
    console.log(`${damage.name}: ${count} requests`)
    expect(count).toBeGreaterThan(20)
  })
})
