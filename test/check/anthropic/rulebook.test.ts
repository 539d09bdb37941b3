import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC_RULES } from '../../../src/check/anthropic/index.ts'
import { CASES } from './cases.ts'

const BOOK = new URL('../../../../shared/rules/anthropic-rules.json', import.meta.url)

interface BookRule {
  readonly id: string
  readonly messages: readonly string[]
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
