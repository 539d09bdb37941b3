import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../../src/check/anthropic/index.ts'
import { checkOpenAIChat } from '../../src/check/openai-chat/index.ts'
import { RULES as CHAT_RULES } from '../../src/check/openai-chat/rules.ts'
import { checkOpenAIResponses } from '../../src/check/openai-responses/index.ts'
import { RULES as RESPONSES_RULES } from '../../src/check/openai-responses/rules.ts'
import type { CheckOptions, Violation } from '../../src/check/rule.ts'
import { mocked } from '../mock/server.ts'
import { ACCEPTED } from './anthropic/accepted-cases.ts'
import { CASES as ANTHROPIC_CASES } from './anthropic/cases.ts'
import { NOT_SEEN, UNPUBLISHED } from './anthropic/not-seen.ts'
import type { RuleCase } from './openai/case.ts'
import { CASES as CHAT_CASES } from './openai-chat/rule-cases.ts'
import { CASES as RESPONSES_CASES } from './openai-responses/rule-cases.ts'

/**
 * Each rule of each rulebook is shown by a request that breaks it before any other, in the exact words, and by a near miss
 * that passes; or it is named with the reason why no request can show it. One table of all of them is printed.
 */

const mock = mocked()

/** What was found when a rule was put to the test. */
interface Proof {
  readonly rule: string
  /** The first violation of the body that breaks it. */
  readonly first: Violation | undefined
  readonly says: string
  /** What is wrong with the near miss. */
  readonly left: readonly Violation[]
}

interface Rulebook {
  readonly name: string
  readonly rules: readonly string[]
  proofs(): Promise<readonly Proof[]>
  /** Rows that say what is accepted, each with what is wrong with its bodies. */
  readonly accepted: ReadonlyMap<string, readonly Violation[]>
  /** Why a rule has no test. */
  reason(rule: string): string | undefined
  /** How many rules may be without a test: this number only falls. */
  readonly untested: number
}

type Books = { readonly [file: string]: unknown }

const FOLDER = new URL('../../../shared/rules/', import.meta.url)
const present = existsSync(FOLDER)
if (!present) console.log('skipped: the coverage of the rulebooks, since ../shared/rules is absent')

function stored(file: string): unknown {
  return present ? JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) : []
}

interface AnthropicRow {
  readonly id: string
  readonly rejects: boolean
  readonly textPublished: boolean
}

/** Of the text and the path of a request, which only a server sees. */
const AT_THE_SERVER = [
  {
    rule: 'anthropic/json-syntax',
    path: '/v1/messages',
    breaks: '{"messages":[,]}',
    says: 'The request body is not valid JSON: unexpected character: line 1 column 14 (char 13)',
    passes: '{"model":"claude-haiku-4-5","max_tokens":1,"messages":[{"role":"user","content":"[,]"}]}',
  },
  {
    rule: 'anthropic/count-tokens-same',
    path: '/v1/messages/count_tokens',
    breaks: '{"model":"claude-haiku-4-5","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}',
    says: 'max_tokens: Extra inputs are not permitted',
    passes: '{"model":"claude-haiku-4-5","messages":[{"role":"user","content":"hi"}]}',
  },
]

async function violationsAt(path: string, body: string): Promise<readonly Violation[]> {
  await fetch(`https://api.anthropic.com${path}`, { method: 'POST', body })
  return mock.requests.at(-1)!.violations
}

async function anthropicProofs(): Promise<readonly Proof[]> {
  const proofs: Proof[] = ANTHROPIC_CASES.map(({ rule, body, says, options, passes, passesWith }) => ({
    rule,
    first: checkAnthropic(body, options)[0],
    says,
    left: checkAnthropic(passes, passesWith ?? options),
  }))
  for (const { rule, path, breaks, says, passes } of AT_THE_SERVER) {
    const [first] = await violationsAt(path, breaks)
    proofs.push({ rule, first, says, left: await violationsAt(path, passes) })
  }
  return proofs
}

function anthropicBook(): Rulebook {
  const rows = stored('anthropic-rules.json') as readonly AnthropicRow[]
  const unpublished = new Set(rows.filter((row) => row.rejects && !row.textPublished).map(({ id }) => id))
  return {
    name: 'anthropic-rules.json',
    rules: rows.map(({ id }) => id),
    proofs: anthropicProofs,
    accepted: new Map(
      rows.flatMap(({ id, rejects }): [string, readonly Violation[]][] => {
        const bodies = rejects ? undefined : ACCEPTED[id]
        return bodies === undefined ? [] : [[id, bodies.flatMap(({ body, options }) => checkAnthropic(body, options))]]
      }),
    ),
    reason: (rule) => NOT_SEEN[rule] ?? (unpublished.has(rule) ? UNPUBLISHED : undefined),
    untested: 34,
  }
}

interface OpenAIBook {
  readonly name: 'chat' | 'responses'
  readonly table: Books
  readonly cases: readonly RuleCase<CheckOptions>[]
  readonly check: (body: unknown, options?: CheckOptions) => readonly Violation[]
  readonly untested: number
}

function openaiBook({ name, table, cases, check, untested }: OpenAIBook): Rulebook {
  const books = stored('openai-rules.json') as { readonly [name: string]: readonly { readonly id: string }[] }
  const prefix = `openai-${name}/`
  return {
    name: `openai-rules.json, ${name}`,
    rules: (books[name] ?? []).map(({ id }) => id),
    proofs: async () =>
      cases.map(({ rule, breaks, message, options, passes, passesWith }) => ({
        rule: prefix + rule,
        first: check(breaks, options)[0],
        says: message,
        left: check(passes, passesWith ?? options),
      })),
    accepted: new Map(),
    reason(rule) {
      const row = table[rule.slice(prefix.length)] as { readonly never?: string } | undefined
      return row?.never
    },
    untested,
  }
}

const BOOKS: readonly Rulebook[] = [
  anthropicBook(),
  openaiBook({ name: 'chat', table: CHAT_RULES, cases: CHAT_CASES, check: checkOpenAIChat, untested: 6 }),
  openaiBook({
    name: 'responses',
    table: RESPONSES_RULES,
    cases: RESPONSES_CASES,
    check: checkOpenAIResponses,
    untested: 9,
  }),
]

/** `Map.groupBy` is not in Node 20. */
function byRule(proofs: readonly Proof[]): ReadonlyMap<string, readonly Proof[]> {
  const groups = new Map<string, Proof[]>()
  for (const proof of proofs) groups.set(proof.rule, [...(groups.get(proof.rule) ?? []), proof])
  return groups
}

interface Row {
  readonly rules: number
  readonly tested: number
  readonly 'says what is accepted, tested': number
  readonly 'named with a reason': number
  readonly forgotten: number
}

const isRight = ({ rule, first, says, left }: Proof): boolean =>
  first?.rule === rule && first.message === says && left.length === 0

describe.skipIf(!present)('the rulebooks', () => {
  const table: { [book: string]: Row } = {}
  const reasons: string[] = []

  it.each(BOOKS)('$name: each rule is tested, or named with its reason', async (book) => {
    const proofs = byRule(await book.proofs())
    const proved = book.rules.filter((rule) => proofs.has(rule))
    const rest = book.rules.filter((rule) => !proofs.has(rule) && !book.accepted.has(rule))
    const told = rest.filter((rule) => book.reason(rule) !== undefined)
    table[book.name] = {
      rules: book.rules.length,
      tested: proved.length,
      'says what is accepted, tested': book.accepted.size,
      'named with a reason': told.length,
      forgotten: rest.length - told.length,
    }
    reasons.push(...told.map((rule) => `  ${rule}: ${book.reason(rule)}`))

    expect(proved.flatMap((rule) => proofs.get(rule)!.filter((proof) => !isRight(proof)))).toEqual([])
    expect([...book.accepted].filter(([, violations]) => violations.length > 0)).toEqual([])
    expect(rest.filter((rule) => book.reason(rule) === undefined)).toEqual([])
    expect(told.length).toBeLessThanOrEqual(book.untested)
  })

  it('are told in one table', () => {
    console.table(table)
    console.log(`Not tested, since no request shows it:\n${reasons.sort().join('\n')}`)
    expect(Object.keys(table)).toHaveLength(BOOKS.length)
  })
})
