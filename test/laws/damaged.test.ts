import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { CHANGES, type ChangeCode } from '../../src/model/change.ts'
import type { Change } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { APIS, type Api, violationsOf, write } from './apis.ts'
import type { Target } from './arbitrary/target.ts'
import { DAMAGE_KINDS, type Damaged, damaged, damages } from './raw/damage.ts'
import { plans } from './raw/plan.ts'
import { claudeCodeLines, RAW_FORMATS, type RawFormat, rendered } from './raw/render.ts'
import { count, FULL, forAll, printCounts } from './runs.ts'
import { pairsOf } from './wire.ts'

printCounts('damaged')

const fired = new Map<ChangeCode, number>()

function note(changes: readonly Change[]): void {
  for (const { code } of changes) fired.set(code, (fired.get(code) ?? 0) + 1)
}

/** Damage to the lines themselves, which costs no other line anything. */
const LINE_DAMAGES = [
  (lines: string[]) => lines,
  (lines: string[]) => [...lines, lines[0]!.slice(0, 40)],
  (lines: string[]) => lines.toSpliced(1, 0, '{"type":"user","mess', 'no json at all'),
  (lines: string[]) => [lines.slice(0, 2).join(''), ...lines.slice(2)],
  (lines: string[]) => lines.flatMap((line, index) => (index === 0 ? [line, line] : [line])),
] as const

function source(format: RawFormat, { plan }: Damaged, lines: number): object | string {
  if (format !== 'claude-code') return rendered(format, plan)
  const damage = LINE_DAMAGES[lines % LINE_DAMAGES.length]!
  return damage([...claudeCodeLines(plan)]).join('\n')
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
    const cases = fc.tuple(plans, damages(DAMAGE_KINDS), targets, fc.nat(100))
    forAll(format, cases, ([plan, done, options, lines]) => {
      const broken = damaged(plan, done)
      for (const kind of broken.done) count(kind)
      const read = readSession(source(format, broken, lines), { format })
      note(read.changes)
      APIS.forEach((api, index) => {
        const target = options[index]!
        const { request, changes } = write(api, read.session, { ...target.options, next: 'Go on.' })
        note(changes)
        expect(violationsOf(api, request, target)).toEqual([])
        checkPairs(api, request, broken)
        const told = JSON.stringify(request)
        for (const token of textTokens(broken, format)) expect(told).toContain(token)
      })
    })
  })
})

/** Codes that no damage here can bring about, and what else holds them. */
const ELSEWHERE: { readonly [code in ChangeCode]?: string } = {}

afterAll(() => {
  const codes = Object.keys(CHANGES) as ChangeCode[]
  console.log(`changes: ${codes.map((code) => `${code} ${fired.get(code) ?? 0}`).join(', ')}`)
  if (!FULL) return
  const rare = codes.filter((code) => (fired.get(code) ?? 0) < 20 && ELSEWHERE[code] === undefined)
  expect(rare).toEqual([])
})
