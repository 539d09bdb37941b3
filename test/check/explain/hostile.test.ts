import { describe, expect, it } from 'vitest'
import { BOOKS } from '../../../src/check/explain/books.ts'
import { explain } from '../../../src/check/index.ts'
import { cyclic, deep, ODD_VALUES, PROTOTYPE_NAMES } from '../openai/hostile.ts'

const LIMIT = 16_384
const WORDS = 'messages.3: `tool_use` ids must be unique'
const MEGABYTE = 2 ** 20

const repeated = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE)

/** Texts of which every piece looks like the beginning of something. */
const HOSTILE: { readonly [name: string]: string } = {
  backslashes: repeated('\\'),
  quotes: repeated("'"),
  'empty objects': repeated('{"a":{}}'),
  'open lists': repeated('['),
  'open objects': repeated('{"error":'),
  'fields without end': repeated('"type": "'),
  'beginnings of paths': repeated('messages.0.content.'),
  'faults without a path': repeated(': Field required'),
  'faults of everything': repeated("x: Field required Input should be Input tag ' String should "),
  'quoted faults': repeated("Invalid '"),
  'values without a list': repeated("Invalid value: '"),
  'half of a sentence': repeated('`tool_use` ids were found without `tool_result` blocks immediately '),
  'a sentence without end': repeated('The following tool_call_ids did not have response messages: '),
  statuses: repeated('error code 400 '),
  brackets: repeated('[ItemParam] [input[4]'),
  spaces: repeated(' '),
  'lone surrogates': repeated('\ud800'),
  NUL: repeated('\u0000'),
}

describe('how much is looked at', () => {
  it.each([
    ['a text', (text: string) => text],
    ['a body', (text: string) => ({ error: { message: text } })],
    ['an error', (text: string) => new Error('x', { cause: new Error(text) })],
  ])('is the beginning of %s', (_kind, put) => {
    const pad = (length: number): string => 'x '.repeat(length / 2)
    expect(explain(put(`${pad(LIMIT - 200)}${WORDS}`))).toMatchObject({ path: 'messages.3' })
    expect(explain(put(`${pad(LIMIT)}${WORDS}`))).toBeUndefined()
    expect(explain(put(`${WORDS} ${pad(MEGABYTE)}`))).toMatchObject({ path: 'messages.3' })
  })

  it('is the same for many texts together', () => {
    const full = 'x '.repeat(LIMIT / 2)
    expect(explain({ error: { message: full }, message: WORDS })).toBeUndefined()
    expect(explain({ error: { message: full.slice(0, LIMIT / 2) }, message: WORDS })).toBeDefined()
  })

  it('is a few layers of what was thrown', () => {
    let reads = 0
    const layer = (depth: number): object => ({
      get cause() {
        reads++
        return depth === 100_000 ? WORDS : layer(depth + 1)
      },
    })
    expect(explain(layer(0))).toBeUndefined()
    expect(reads).toBeLessThan(100)
  })

  it('is a few items of a list', () => {
    const read = new Set<string>()
    const list = new Proxy(new Array(1_000_000).fill('x'), {
      get(target, key) {
        if (typeof key === 'string') read.add(key)
        return Reflect.get(target, key)
      },
    })
    expect(explain(list)).toBeUndefined()
    expect([...read].filter((key) => /^\d+$/.test(key)).length).toBeLessThan(20)
  })
})

describe('hostile texts', () => {
  /** As many searches as the tables have literals, over as much text as is looked at: a few times that is fair. */
  const literals = BOOKS.flatMap(({ sentences, alone, places }) => [
    ...Object.keys(sentences),
    ...Object.keys(alone),
    ...places.map(([says]) => says),
  ])

  const fastest = (work: () => unknown): number => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      work()
      return performance.now() - start
    })
    return Math.min(...times)
  }

  it.each(Object.entries(HOSTILE))('take no more time than their beginning: %s', (_name, text) => {
    const head = text.slice(0, LIMIT)
    let found = 0
    const baseline = fastest(() => {
      for (const literal of literals) for (const char of [head, literal]) found += char.indexOf(`${literal}\u0001`)
    })
    explain(text)
    expect(fastest(() => explain(text))).toBeLessThan(30 * baseline + 10)
    expect(found).toBeLessThan(0)
  })
})

describe('hostile values', () => {
  it('are not explained, and never throw', () => {
    const thrower = new Proxy(
      {},
      {
        get() {
          throw new Error('no')
        },
      },
    )
    const revoked = Proxy.revocable([], {})
    revoked.revoke()
    for (const value of [...ODD_VALUES, cyclic(), deep(5000), thrower, revoked.proxy, Object.create(null)]) {
      expect(explain(value)).toBeUndefined()
      for (const key of ['message', 'error', 'cause', 'errors', 'status', 'type', 'code', 'param', 'paths', 'loc']) {
        expect(explain({ [key]: value, details: { [key]: value } })).toBeUndefined()
        expect(explain({ [key]: value, error: { message: WORDS } })).toMatchObject({ path: 'messages.3' })
      }
    }
  })

  it('have names of Object.prototype anywhere', () => {
    for (const name of PROTOTYPE_NAMES) {
      expect(
        explain({ type: name, code: name, param: name, error: { type: name, code: name, message: name } }),
      ).toBeUndefined()
      expect(explain(`messages.0.content.0.text.${name}: Extra inputs are not permitted`)).toMatchObject({
        rules: [{ id: 'anthropic/block-extra-field' }],
        path: `messages.0.content.0.text.${name}`,
      })
      expect(explain(`Unknown parameter: 'input[0].${name}'.`)).toMatchObject({
        rules: [{ id: 'openai-responses/unknown-item-field' }],
      })
    }
  })

  it('cannot make a path of what is none', () => {
    for (const odd of ['a b', '\u001b[31m', '__proto__ x', 'x'.repeat(1000)]) {
      const found = explain(`Unknown parameter: 'messages[0].${odd}'.`)
      expect(found?.path).toBeUndefined()
    }
  })
})
