import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC_RULES } from '../../../src/check/anthropic/index.ts'
import { CASES } from './cases.ts'

const BOOK = new URL('../../../../shared/rules/anthropic-rules.json', import.meta.url)

interface BookRule {
  readonly id: string
  readonly rejects: boolean
  readonly textPublished: boolean
  readonly messages: readonly string[]
}

/** Rules that cannot be told from a body, or not in exact words. */
const NOT_SEEN: { readonly [rule: string]: string } = {
  'anthropic/prompt-too-long': 'tokens are counted by the API',
  'anthropic/json-syntax': 'a value is always written as JSON without syntax faults',
  'anthropic/beta-header-unknown': 'a header, and the list of known betas is not published',
  'anthropic/thinking-bound-to-conversation': 'needs what the model saw',
  'anthropic/thinking-latest-modified': 'needs the original answer',
  'anthropic/thinking-adjacent': 'needs the original answer',
  'anthropic/server-tool-resume-without-tool': 'only the end of the words is published',
  'anthropic/image-oversized-error-opt': 'needs the size limits of each model',
  'anthropic/file-source': 'files are kept by the API',
  'anthropic/pdf-pages': 'pages stand in compressed parts of the file',
  'anthropic/converse-alternation': 'a body of Converse has another shape',
  'anthropic/converse-blank-text': 'a body of Converse has another shape',
  'anthropic/converse-empty-content': 'a body of Converse has another shape',
  'anthropic/converse-toolconfig': 'a body of Converse has another shape',
  'anthropic/converse-tool-results': 'a body of Converse has another shape',
  'anthropic/converse-tool-id': 'a body of Converse has another shape',
  'anthropic/converse-input-too-long': 'tokens are counted by the API',
  'anthropic/count-tokens-same': 'another endpoint, which a body does not name',
}

/** Words that no rule of the book has: recorded, generic schema words, or our own reading of several rules. */
const BEYOND_THE_BOOK = new Set([
  'anthropic/body-object',
  'anthropic/message-role-type',
  'anthropic/block-field-type',
  'anthropic/top-level-type',
  'anthropic/tool-use-id-length',
  'anthropic/tool-def-field',
  'anthropic/tool-type-unknown',
  'anthropic/strict-tools-count',
  'anthropic/strict-optional-parameters',
  'anthropic/strict-union-parameters',
  'anthropic/strict-boolean-schema',
  'anthropic/strict-circular-schema',
])

const present = existsSync(BOOK)
if (!present) console.log('skipped: the rulebook is not here')
const book: readonly BookRule[] = present ? JSON.parse(readFileSync(BOOK, 'utf8')) : []

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `{i}` stands for anything, `…` for what is not known. */
const pattern = (template: string): RegExp =>
  new RegExp(
    `^${escaped(template)
      .replace(/\\\{[^}]*\\\}/g, '.+')
      .replace(/…/g, '.*')}$`,
  )

describe.skipIf(!present)('the rulebook', () => {
  const known = new Map(book.map((rule) => [rule.id, rule]))

  it('has each rule either checked or named with a reason', () => {
    const checked = book.filter(({ id }) => ANTHROPIC_RULES.includes(id))
    const accepted = book.filter((rule) => !rule.rejects && !ANTHROPIC_RULES.includes(rule.id))
    const unpublished = book.filter((rule) => rule.rejects && !rule.textPublished && !ANTHROPIC_RULES.includes(rule.id))
    const open = book.filter(
      (rule) => ![...checked, ...accepted, ...unpublished].includes(rule) && NOT_SEEN[rule.id] === undefined,
    )
    console.log(
      `${book.length} rules: ${checked.length} checked, ${accepted.length} say what is accepted, ${unpublished.length} have no published words, ${Object.keys(NOT_SEEN).length} cannot be seen:`,
    )
    for (const [rule, reason] of Object.entries(NOT_SEEN)) console.log(`  ${rule}: ${reason}`)
    expect(open.map(({ id }) => id)).toEqual([])
    expect(Object.keys(NOT_SEEN).filter((id) => ANTHROPIC_RULES.includes(id))).toEqual([])
  })

  it('knows every rule that is checked', () => {
    expect(ANTHROPIC_RULES.filter((rule) => !known.has(rule) && !BEYOND_THE_BOOK.has(rule))).toEqual([])
  })

  it('has the words of every case', () => {
    const others = CASES.filter(({ rule, says }) => {
      const templates = known.get(rule)?.messages ?? []
      return templates.length > 0 && !templates.some((template) => pattern(template).test(says))
    })
    expect(others.map(({ rule, says }) => `${rule}: ${says}`)).toEqual([])
  })
})
