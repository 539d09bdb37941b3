import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { CHANGES, type ChangeCode } from '../../src/model/change.ts'
import type { Change } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { APIS, type Api, awaitsAnswer, violationsOf, write } from './apis.ts'
import type { Target } from './arbitrary/target.ts'
import { type Damaged, damaged, damageKinds, damages } from './raw/damage.ts'
import { plans } from './raw/plan.ts'
import { LONGEST, RAW_FORMATS, type RawFormat, rendered } from './raw/render/index.ts'
import { count, FULL, forAll, printCounts } from './runs.ts'
import { pairsOf } from './wire.ts'

printCounts('damaged')

const fired = new Map<ChangeCode, number>()

function note(changes: readonly Change[]): void {
  for (const { code } of changes) fired.set(code, (fired.get(code) ?? 0) + 1)
}

function checkPairs(api: Api, request: { readonly [key: string]: unknown }, { pairs, gone }: Damaged): void {
  const { calls, results } = pairsOf(api.id, request)
  const byId = new Map(results.map((result) => [result.id, result.said]))
  expect(results.length).toBe(calls.length)
  for (const [token, answer] of pairs) {
    const call = calls.find(({ said }) => said.includes(token))
    expect({ token, there: call !== undefined }).toEqual({ token, there: true })
    const said = byId.get(call!.id) ?? ''
    count('pairs')
    if (answer !== undefined) expect(said).toContain(answer)
    else expect(said).not.toMatch(/\br\d+x/)
  }
  const told = JSON.stringify(request)
  for (const token of gone) expect(told).not.toContain(token)
}

/** Tokens of texts that no damage takes away. */
function textTokens({ plan }: Damaged, format: RawFormat): readonly string[] {
  return plan.records.flatMap((record) => {
    if (record.kind === 'instruction' && format === 'claude-code') return []
    if (record.kind !== 'user' && record.kind !== 'text' && record.kind !== 'instruction') return []
    return record.text.match(/\b[uaw]\d+(?:_\d+)?x/g) ?? []
  })
}

/** A random damaged raw history, read and written to every API. */
describe('damaged histories', () => {
  test.each(RAW_FORMATS)('of %s are accepted, and every result is with its call', (format) => {
    const targets = fc.tuple(...APIS.map((api) => api.target)) as fc.Arbitrary<readonly Target<WriteOptions>[]>
    const cases = fc.tuple(plans, damages(damageKinds(format === 'claude-code')), targets, fc.nat(100))
    forAll(
      format,
      cases,
      ([plan, done, options, lines]) => {
        const broken = damaged(plan, done)
        for (const kind of broken.done) count(kind)
        const read = readSession(rendered(format, broken.plan, lines), { format, maxLineBytes: LONGEST })
        note(read.changes)
        APIS.forEach((api, index) => {
          const target = options[index]!
          const { request, changes } = write(api, read.session, { ...target.options, next: 'Go on.' })
          note(changes)
          expect(violationsOf(api, request, target)).toEqual([])
          checkPairs(api, request, broken)
          const asItEnds = write(api, read.session, target.options)
          note(asItEnds.changes)
          if (awaitsAnswer(api, asItEnds.request)) expect(violationsOf(api, asItEnds.request, target)).toEqual([])
          const told = JSON.stringify(request)
          const replaced = changes.filter(({ code }) => code === 'instructions-replaced').map(({ before }) => before)
          for (const token of textTokens(broken, format)) expect([told, ...replaced].join('\n')).toContain(token)
        })
      },
      FULL ? 0.5 : 1,
    )
  })
})

/** Codes that no damage here can bring about, and what else holds them. */
const ELSEWHERE: { readonly [code in ChangeCode]?: string } = {
  'args-rewritten': 'No reader keeps a text beside a value that it does not say; random sessions do.',
  'compaction-applied': 'Compactions: the tests of the reader of transcripts.',
  'value-not-json': 'Values in memory: the tests of what readers are given.',
  'part-left-out': 'Formats that keep notes among their parts: the tests of their readers.',
  'session-left-out': 'Sources of several sessions: the tests of files.',
  'file-left-out': 'Folders: the tests of files.',
  'file-cut-off': 'Compressed files: the tests of files.',
  'database-damaged': 'Databases: the tests of files.',
  'prefix-changed': 'Threads: the law of signed thinking.',
  'result-resolved': 'The hooks of `resolveSession`: their own test.',
  'media-resolved': 'The hooks of `resolveSession`: their own test.',
}

afterAll(() => {
  const codes = Object.keys(CHANGES) as ChangeCode[]
  console.log(`changes: ${codes.map((code) => `${code} ${fired.get(code) ?? 0}`).join(', ')}`)
  if (!FULL) return
  const rare = codes.filter((code) => (fired.get(code) ?? 0) < 20 && ELSEWHERE[code] === undefined)
  expect(rare).toEqual([])
})
