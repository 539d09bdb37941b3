import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC_RULES } from '../../../src/check/anthropic/index.ts'
import type { Book, Rules } from '../../../src/check/explain/book.ts'
import { BOOKS } from '../../../src/check/explain/books.ts'
import { explain } from '../../../src/check/index.ts'
import { RULES as CHAT_RULES } from '../../../src/check/openai-chat/rules.ts'
import { RULES as RESPONSES_RULES } from '../../../src/check/openai-responses/rules.ts'

const bookOf = (api: string): Book => BOOKS.find((book) => book.api === api)!

/** Every rule that some words or some sign stand for. */
function reachable(book: Book): ReadonlySet<string> {
  const listed = (rules: Rules<string>): readonly string[] => (typeof rules === 'string' ? [rules] : rules)
  return new Set([
    ...[book.sentences, book.alone, book.signs].flatMap((table) => Object.values(table).flatMap(listed)),
    ...book.places.flatMap(([, , rules]) => listed(rules)),
  ])
}

describe('the tables', () => {
  it.each(BOOKS.map((book) => [book.api, book] as const))(
    'of %s give each rule a meaning and a repair',
    (_api, book) => {
      const missing = [...reachable(book)].filter((rule) => !Object.hasOwn(book.meanings, rule))
      expect(missing).toEqual([])
      for (const [meaning, repair] of Object.values(book.meanings)) {
        expect(meaning).toMatch(/^[`\p{Lu}].*\.$/u)
        expect(repair).toMatch(/^[`\p{Lu}].*\.$/u)
      }
    },
  )

  it('know every rule that is checked', () => {
    const checked: readonly (readonly [string, readonly string[]])[] = [
      ['anthropic', ANTHROPIC_RULES.map((id) => id.slice('anthropic/'.length))],
      ['openai-chat', Object.keys(CHAT_RULES)],
      ['openai-responses', Object.keys(RESPONSES_RULES)],
    ]
    for (const [api, rules] of checked) {
      expect(rules.filter((rule) => !Object.hasOwn(bookOf(api).meanings, rule))).toEqual([])
    }
  })

  it('name repair steps and options that are there', () => {
    const repair = readFileSync('src/repair/index.ts', 'utf8')
    const options = readFileSync('src/rules/options.ts', 'utf8')
    const codes = readFileSync('src/model/change.ts', 'utf8')
    for (const [, repairText] of BOOKS.flatMap((book) => Object.values(book.meanings))) {
      for (const [, step] of repairText.matchAll(/repair step `(\w+)`/g))
        expect(repair).toMatch(new RegExp(`^    ${step}[(,]`, 'm'))
      for (const [, option] of repairText.matchAll(
        /(?:Pass|Say|`level|as) `?(model|platform|next|store|thinking|tools)\b/g,
      )) {
        expect(options).toMatch(new RegExp(`^  readonly ${option}\\?`, 'm'))
      }
      for (const [, code] of repairText.matchAll(/reports? (?:as )?`([a-z]+-[a-z-]+)`/g))
        expect(codes).toContain(`'${code}'`)
    }
  })
})

const shared = new URL('../../../../shared/rules/', import.meta.url)
const present = existsSync(shared)
if (!present) console.log('skipped: the rulebooks are not here')

interface BookRule {
  readonly id: string
  /** Its texts; placeholders in braces. */
  readonly texts: readonly string[]
}

function read(file: string): unknown {
  return present ? JSON.parse(readFileSync(new URL(file, shared), 'utf8')) : []
}

/** Notes in place of a text. */
const hasWords = (text: string): boolean => !/^(?:—|\(|see |…)/.test(text) && text !== ''

function anthropicRules(): readonly BookRule[] {
  const rows = read('anthropic-rules.json') as readonly { id: string; messages: readonly string[] }[]
  return rows.map(({ id, messages }) => ({ id, texts: messages.filter(hasWords) }))
}

function openaiRules(api: 'chat' | 'responses'): readonly BookRule[] {
  const rows = (read('openai-rules.json') as { [api: string]: readonly { id: string; text: string }[] })[api] ?? []
  return rows.map(({ id, text }) => ({ id, texts: hasWords(text) ? text.split(' | ').filter(hasWords) : [] }))
}

const VALUES: { readonly [placeholder: string]: string } = { type: 'text', name: 'web_search', kind: 'web_search' }

/** A text as an API would write it. */
function filled(template: string): string {
  return template.replaceAll('\\|', '|').replace(/\{([^{}]*)\}\}?/g, (_, inner: string) => {
    if (/^(?:[ijknlcdw]|c-1|n-1|[wh]2?|max|cap|tokens)$/.test(inner)) return '3'
    return (
      VALUES[inner] ?? (/^ids?\d?$/.test(inner) ? 'toolu_1' : (inner.split('|')[0] ?? '').replace(/\W/g, '_') || 'x')
    )
  })
}

/** Templates that say of no word what it is, so that the words of the rule are told by other rows. */
const NO_WORDS: { readonly [rule: string]: string } = {
  'anthropic/null-is-not-omission': 'the words are cut off; told by place and type',
  'anthropic/bedrock-unsupported': 'any path; told where the place is one that Bedrock lacks',
  'anthropic/vertex-unsupported': 'any path; told where the place is one that Vertex lacks',
}

describe.skipIf(!present)('the rulebooks', () => {
  it.each([
    ['anthropic', anthropicRules()],
    ['openai-chat', openaiRules('chat')],
    ['openai-responses', openaiRules('responses')],
  ] as const)('have each rule with a text explained: %s', (api, rules) => {
    const known = reachable(bookOf(api))
    const short = (id: string): string => id.slice(api.length + 1)
    const covered = rules.filter(({ id }) => known.has(short(id)))
    const open = rules.filter(({ id }) => !known.has(short(id)))
    console.log(
      `${api}: ${covered.length} of ${rules.length} rules are explained; of the others no words are known, or nothing is refused: ${open.map(({ id }) => short(id)).join(', ')}`,
    )
    expect(open.filter(({ texts }) => texts.length > 0)).toEqual([])
    expect(rules.filter(({ id }) => !Object.hasOwn(bookOf(api).meanings, short(id)))).toEqual([])
  })

  it.each([
    ['anthropic', anthropicRules()],
    ['openai-chat', openaiRules('chat')],
    ['openai-responses', openaiRules('responses')],
  ] as const)('have each text explained as its rule: %s', (_api, rules) => {
    const missed = rules
      .filter(({ id }) => NO_WORDS[id] === undefined)
      .flatMap(({ id, texts }) =>
        texts.flatMap((template) => {
          const found = explain(filled(template))?.rules.map((rule) => rule.id) ?? []
          return found.includes(id) ? [] : [`${id}: ${filled(template)} -> ${found.join(' ')}`]
        }),
      )
    expect(missed).toEqual([])
  })
})
