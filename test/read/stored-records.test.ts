import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { readSession } from '../../src/read/index.ts'
import { Pieces } from '../../src/read/pieces.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { fixtures } from '../fixtures/expectation.ts'
import { sharedFiles } from '../oracle/shared.ts'
import { CONVERSATIONS } from './conversations.ts'
import { jsonl, type Line } from './hostile.ts'

const encoder = new TextEncoder()

/** The text as a file of which nothing is held. */
const unheld = (text: string): Pieces => Pieces.of(encoder.encode(text), { piece: 512, held: 0 })

function told(source: string | Pieces, options: ReadOptions): unknown {
  try {
    return readSession(source, options)
  } catch (error) {
    if (ReadError.is(error)) return error.message
    throw error
  }
}

function expectSame(text: string, format?: ReadOptions['format']): void {
  for (const history of ['active', 'full', 'portable'] as const)
    expect(told(unheld(text), { format, history })).toEqual(told(text, { format, history }))
}

const isLines = (value: readonly Line[] | Line): value is readonly Line[] => Array.isArray(value)

describe('records that are not held', () => {
  it('are read again at each look', () => {
    const { records } = readSource(unheld('{"a":1}\n{"b":[2]}\r\n\n{"c":"ü🧭"}\n'))
    expect(records?.map(({ line, value }) => [line, value])).toEqual([
      [1, { a: 1 }],
      [2, { b: [2] }],
      [4, { c: 'ü🧭' }],
    ])
    const [first] = records ?? []
    const before = first?.value
    expect(records?.[1]?.value).toEqual({ b: [2] })
    expect(first?.value).toEqual(before)
    expect(first?.value).not.toBe(before)
  })

  it('are those behind the bytes that are held', () => {
    const text = '{"a":1}\n{"b":2}\n{"c":3}\n'
    const { records } = readSource(Pieces.of(encoder.encode(text), { piece: 8, held: 8 }))
    const values = records?.map((record) => Object.hasOwn(record, 'value'))
    expect(values).toEqual([true, false, false])
  })

  it('say so when the source was changed meanwhile', () => {
    const bytes = encoder.encode('{"a":1}\n{"b":2}\n{"c":3}\n')
    const { records } = readSource(Pieces.of(bytes, { piece: 8, held: 0 }))
    bytes.fill(0, 8)
    expect(records?.[0]?.value).toEqual({ a: 1 })
    expect(() => records?.[2]?.value).toThrow('line 3: the source was changed while it was read')
  })
})

describe('a source of which nothing is held is read as one that is held', () => {
  it.each(CONVERSATIONS)('%s', (_format, value) => {
    if (isLines(value)) expectSame(jsonl(value))
    else expectSame(JSON.stringify(value))
  })

  it('all damaged histories', () => {
    for (const { source } of fixtures()) expectSame(typeof source === 'string' ? source : JSON.stringify(source))
  })

  it.each(['claude-code', 'codex', 'gemini-cli', 'pi', 'qwen-code'] as const)('all stored sessions of %s', (format) => {
    for (const { text } of sharedFiles(`sessions/${format}`)) expectSame(text, format)
  })
})
