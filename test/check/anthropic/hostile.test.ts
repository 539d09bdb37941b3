import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../../../src/check/anthropic/index.ts'
import { growth, LINEAR } from '../../hostile/growth.ts'
import * as b from './bodies.ts'
import { BEDROCK, NO_BETAS, STRICT, VERTEX } from './case.ts'
import { CASES } from './cases.ts'

const OPTIONS = [{}, STRICT, BEDROCK, VERTEX, NO_BETAS]
const checkAll = (body: unknown): void => {
  for (const options of OPTIONS) {
    for (const violation of checkAnthropic(body, options)) {
      expect(typeof violation.message).toBe('string')
      expect(violation.message).not.toMatch(/undefined|\[object/)
    }
  }
}

const WEIRD = [
  undefined,
  null,
  true,
  0,
  -1.5,
  Number.NaN,
  '',
  'x',
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { type: {} },
]
const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype)

/** Every place of a value, as a function that puts something else there. */
function* places(value: unknown, put: (inner: unknown) => unknown): Generator<(inner: unknown) => unknown> {
  yield put
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield* places(inner, (other) =>
      put(
        Array.isArray(value)
          ? value.map((each, at) => (String(at) === key ? other : each))
          : { ...value, [key]: other },
      ),
    )
  }
}

const small = CASES.filter(({ body }) => JSON.stringify(body).length < 3000)

describe('hostile bodies', () => {
  it.each(WEIRD.map((value) => [JSON.stringify(value) ?? 'undefined', value]))('%s is answered', (_name, value) => {
    checkAll(value)
    if (!(typeof value === 'object' && value !== null && !Array.isArray(value))) {
      expect(checkAnthropic(value)).toMatchObject([{ rule: 'anthropic/body-object', status: 400 }])
    }
  })

  it('with any value of a wrong type in any place are answered', () => {
    let count = 0
    for (const { body } of small) {
      for (const put of places(body, (inner) => inner)) {
        checkAnthropic(put(WEIRD[count % WEIRD.length]), OPTIONS[count % OPTIONS.length])
        count++
      }
    }
    console.log(`${count} bodies with a wrong value`)
    expect(count).toBeGreaterThan(3000)
  })

  it.each(PROTOTYPE)('%s is no type, role, key, id or name of ours', (name) => {
    const own = JSON.parse(`{${JSON.stringify(name)}: 1}`)
    checkAll(b.body([{ role: name, content: 'x' }]))
    checkAll(b.ask({ type: name }))
    expect(checkAnthropic(b.ask({ type: name }))[0]?.rule).toBe('anthropic/block-type-unknown')
    expect(checkAnthropic(b.asking(own))[0]?.rule).toBe('anthropic/top-level-extra-keys')
    expect(checkAnthropic(b.ask({ ...b.text('x'), ...own }))[0]?.rule).toBe('anthropic/block-extra-field')
    const called = b.body([b.hi, b.assistant(b.call(name, { name, input: own })), b.user(b.result(name))])
    expect(checkAnthropic(called)).toEqual([])
    checkAll(b.answered([{ type: name }]))
    checkAll(b.asking({ model: name, tool_choice: { type: name }, thinking: { type: name } }))
    checkAll(b.asking({ tools: [{ name, input_schema: { type: 'object', properties: own } }, { type: name }] }))
  })

  it('with an own __proto__ key are read by that key', () => {
    const block = JSON.parse('{"type":"text","text":"x","__proto__":1}')
    expect(checkAnthropic(b.ask(block))[0]?.message).toBe(
      'messages.0.content.0.text.__proto__: Extra inputs are not permitted',
    )
  })

  it('nested very deeply are answered', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level++) deep = [deep]
    checkAll(b.body([b.hi, b.assistant(b.call('t1', { input: { deep } })), b.user(b.result('t1'))]))
    checkAll(b.body(deep))
    let schema: unknown = { type: 'object' }
    for (let level = 0; level < 5000; level++) schema = { type: 'object', properties: { a: schema } }
    checkAll(b.asking({ tools: [{ ...b.TOOL, strict: true, input_schema: schema }] }))
    let bad: unknown = '\ud83d'
    for (let level = 0; level < 20_000; level++) bad = [bad]
    checkAll(b.body([b.hi, b.assistant(b.call('t1', { input: { bad } })), b.user(b.result('t1'))]))
  })

  it('that hold themselves are answered', () => {
    const body: { [key: string]: unknown } = { ...b.asking({}) }
    body.system = [body]
    body.metadata = { body }
    body.more = [body, body]
    checkAll(body)
  })

  it('with huge ids, names and texts are answered in time', async () => {
    const checked = (length: number): void => {
      const long = 'a'.repeat(length)
      const blank = b.text(' '.repeat(length))
      checkAll(b.body([b.hi, b.assistant(b.call(`${long}!`, { name: long })), b.user(b.result(long), blank)]))
      checkAll(b.asking({ model: `${long}@`, tools: [{ ...b.TOOL, name: long }] }))
      checkAll(b.ask(b.image(`${'A'.repeat(length)}=!`), b.imageFrom({ type: 'url', url: `https://${long}` })))
    }
    expect(await growth(1_000_000, checked)).toBeLessThan(LINEAR)
  })

  it('are not changed', () => {
    for (const { body, options } of small) {
      const before = JSON.stringify(body)
      checkAnthropic(body, options)
      expect(JSON.stringify(body)).toBe(before)
    }
  })

  it('of any JSON are answered', () => {
    const block = fc.record({ type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image', 'thinking') })
    const blocks = fc.array(
      fc.tuple(block, fc.dictionary(fc.string(), fc.jsonValue())).map(([a, c]) => ({ ...c, ...a })),
    )
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(blocks, fc.jsonValue()),
    })
    fc.assert(
      fc.property(
        fc.record({ messages: fc.oneof(fc.array(message), fc.jsonValue()), tools: fc.jsonValue() }),
        (body) => {
          for (const options of OPTIONS) checkAnthropic(body, options)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('the encoding of a body', () => {
  it('is looked at in keys, too, and told at the object that has the key', () => {
    const found = checkAnthropic(
      b.body([b.hi, b.assistant(b.call('t1', { input: { '\ud83d': 1 } })), b.user(b.result('t1'))]),
    )
    expect(found[0]).toMatchObject({ rule: 'anthropic/json-lone-surrogate', path: 'messages.1.content.0.input' })
  })

  it('tells a NUL before a surrogate behind it, as the parser meets them', () => {
    const found = checkAnthropic(b.ask(b.text('a\u0000b'), b.text('\udc00')))
    expect(found.map(({ rule }) => rule)).toEqual(['anthropic/json-truncated', 'anthropic/json-lone-surrogate'])
  })
})
