import { describe, expect, it } from 'vitest'
import { type Explanation, explain } from '../../../src/check/index.ts'
import { bodyOf, repr, TOLD, type Told } from './texts.ts'

/** Each way in which a refusal of ours may come to a reader. */
const WAYS: { readonly [way: string]: (told: Told) => unknown } = {
  'as the words alone': ({ violation }) => violation.message,
  'as a body': bodyOf,
  'as the text of a body': (told) => JSON.stringify(bodyOf(told), null, 2),
  'as Node prints it': (told) => `${told.violation.status} ${JSON.stringify(bodyOf(told))}`,
  'as Python prints it': (told) => `Error code: ${told.violation.status} - ${repr(bodyOf(told))}`,
  'as a text in a text in a text': (told) => JSON.stringify({ log: JSON.stringify(JSON.stringify(bodyOf(told))) }),
  'as a thrown error': (told) =>
    Object.assign(new Error(`${told.violation.status} ${told.violation.message}`), {
      status: told.violation.status,
      error: bodyOf(told),
    }),
}

const idsOf = (explanation: Explanation | undefined): readonly string[] => explanation?.rules.map(({ id }) => id) ?? []

describe('what our own checkers say', () => {
  it.each(Object.entries(WAYS))('is explained as that very rule, %s', (_way, put) => {
    const missed = TOLD.flatMap((told) => {
      const ids = idsOf(explain(put(told)))
      const { rule, message } = told.violation
      return ids.includes(rule) ? [] : [`${rule}: ${message.slice(0, 200)} -> ${ids.join(' ')}`]
    })
    expect([...new Set(missed)]).toEqual([])
  })

  it('stands for few rules, each with a meaning and a repair', () => {
    for (const told of TOLD) {
      const { rules } = explain(bodyOf(told)) ?? { rules: [] }
      expect(rules.length).toBeLessThanOrEqual(5)
      expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
      for (const { meaning, repair } of rules) expect(meaning.length * repair.length).toBeGreaterThan(0)
    }
  })

  it('is of that API, but for the words that chat completions and Responses share', () => {
    const shared = new Set<string>()
    for (const told of TOLD) {
      const { api } = explain(bodyOf(told)) ?? {}
      if (api === undefined && told.api !== 'anthropic') shared.add(told.violation.rule)
      else expect([told.violation.rule, api]).toEqual([told.violation.rule, told.api])
    }
    expect([...shared].sort()).toEqual([
      'openai-chat/body-not-json',
      'openai-chat/invalid-range',
      'openai-chat/temperature-range',
      'openai-chat/tools-empty',
      'openai-chat/tools-too-many',
      'openai-chat/unknown-parameter',
      'openai-responses/body-not-json',
      'openai-responses/invalid-range',
      'openai-responses/tools-too-many',
      'openai-responses/unknown-parameter',
    ])
  })

  it('keeps the path that stands in its words', () => {
    const placed = TOLD.filter(({ violation: { message, path } }) => path !== '' && message.startsWith(`${path}: `))
    expect(placed.length).toBeGreaterThan(100)
    for (const told of placed) {
      const { message, path } = told.violation
      for (const put of Object.values(WAYS)) expect([message, explain(put(told))?.path]).toEqual([message, path])
    }
    const quoted = TOLD.filter(
      ({ violation: { message, path } }) => path.includes('[') && message.includes(`'${path}'`),
    )
    expect(quoted.length).toBeGreaterThan(50)
    for (const told of quoted) {
      const { message, path } = told.violation
      for (const put of Object.values(WAYS)) expect([message, explain(put(told))?.path]).toEqual([message, path])
    }
  })

  it('has its path from `param` where the words have none', () => {
    const only = TOLD.filter(({ violation: { param, message } }) => param?.includes('[') && !message.includes('['))
    expect(only.length).toBeGreaterThan(10)
    for (const told of only) expect(explain(bodyOf(told))?.path).toBe(told.violation.param)
  })
})
