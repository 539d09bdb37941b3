import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { Pieces } from '../../src/read/pieces.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { textChunks } from '../../src/read/text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const recordsOf = (input: string | Uint8Array, options?: ReadOptions) =>
  readSource(input, options).records?.map(({ line, value }) => [line, value])
const codesOf = (input: string | Uint8Array, options?: ReadOptions) =>
  readSource(input, options).changes.map(({ code, at }) => [code, at.line])
function reasonOf(input: string | Uint8Array, options?: ReadOptions): string {
  try {
    readSource(input, options)
  } catch (error) {
    if (ReadError.is(error)) return error.message
    throw error
  }
  throw new Error('expected a ReadError')
}

describe('one JSON value', () => {
  it.each([
    ['on one line', '{"a":1}'],
    ['on one line with a newline', '{"a":1}\r\n'],
    ['pretty-printed', '{\n  "a": 1\n}\n'],
    ['behind blank lines', '\n \n{"a":1}'],
    ['behind a byte order mark', '\ufeff{"a":1}'],
  ])('is the value %s', (_name, input) => {
    expect(readSource(input)).toEqual({ value: { a: 1 }, changes: [] })
    expect(readSource(bytes(input))).toEqual({ value: { a: 1 }, changes: [] })
  })

  it('is the value when it is an array, or given as an object', () => {
    expect(readSource('[{"a":1}]')).toEqual({ value: [{ a: 1 }], changes: [] })
    const given = { a: 1 }
    expect(readSource(given).value).toBe(given)
  })

  it('replaces bytes that are no UTF-8', () => {
    const input = bytes('{"a":"xy"}')
    input[6] = 0xff
    expect(readSource(input).value).toEqual({ a: '\ufffdy' })
  })

  it('reads UTF-16 with a mark, as some shells redirect', () => {
    const text = '{"a":1}'
    const input = new Uint8Array(2 + text.length * 2)
    input.set([0xff, 0xfe])
    for (let i = 0; i < text.length; i++) input[2 + i * 2] = text.charCodeAt(i)
    expect(readSource(input).value).toEqual({ a: 1 })
  })
})

describe('JSON lines', () => {
  it('gives each record its line, blank lines and carriage returns passed over', () => {
    expect(recordsOf('{"a":1}\r\n\r\n  \n{"b":2}\n')).toEqual([
      [1, { a: 1 }],
      [4, { b: 2 }],
    ])
    expect(codesOf('{"a":1}\r\n\r\n  \n{"b":2}\n')).toEqual([])
  })

  it('takes a record with a comma behind it, of which there is nothing to tell', () => {
    expect(recordsOf('{"a":1},\n{"b":2},\n')).toEqual([
      [1, { a: 1 }],
      [2, { b: 2 }],
    ])
    expect(codesOf('{"a":1},\n{"b":2},\n')).toEqual([])
  })

  it('ends lines at newlines only', () => {
    expect(recordsOf('{"a":"x\u2028y\u0085z"}\n{"b":2}')).toEqual([
      [1, { a: 'x\u2028y\u0085z' }],
      [2, { b: 2 }],
    ])
  })

  it('takes a whole last line without a newline', () => {
    expect(codesOf('{"a":1}\n{"b":2}')).toEqual([])
    expect(recordsOf('{"a":1}\n{"b":2}')).toHaveLength(2)
  })

  it('skips an unreadable line and keeps its neighbours', () => {
    const input = '{"a":1}\n{"b":\n{"c":3}\nnonsense\n"a text"\n{"d":4}\n'
    expect(recordsOf(input)).toEqual([
      [1, { a: 1 }],
      [3, { c: 3 }],
      [6, { d: 4 }],
    ])
    expect(codesOf(input)).toEqual([
      ['line-unreadable', 2],
      ['line-unreadable', 4],
      ['line-unreadable', 5],
    ])
  })

  it('skips an unreadable first line', () => {
    expect(recordsOf('{"a":"cu\n{"b":2}\n{"c":3}\n')).toEqual([
      [2, { b: 2 }],
      [3, { c: 3 }],
    ])
  })

  it.each([
    ['without a newline', '{"a":1}\n{"b":"cut'],
    ['ended by a repair', '{"a":1}\n{"b":"cut\n'],
    ['of NUL bytes', '{"a":1}\n\0\0\0\0'],
  ])('reports a torn last line %s', (_name, input) => {
    expect(recordsOf(input)).toEqual([[1, { a: 1 }]])
    expect(codesOf(input)).toEqual([['line-torn', 2]])
  })

  it('tells a broken last line from a torn one', () => {
    expect(codesOf('{"a":1}\n{"b":oops}\n')).toEqual([['line-unreadable', 2]])
  })

  it('splits records that stand on one line', () => {
    const input = '{"a":"}{"}{"b":[1,{"c":"\\"}"}]} {"d":4}\n{"e":5}'
    expect(recordsOf(input)).toEqual([
      [1, { a: '}{' }],
      [1, { b: [1, { c: '"}' }] }],
      [1, { d: 4 }],
      [2, { e: 5 }],
    ])
    expect(codesOf(input)).toEqual([['line-glued', 1]])
  })

  it('finds the whole record behind a torn one that lost its newline', () => {
    for (const torn of ['{"type":"us', '{"type":', '{"m":{"x":1}', '{"m":{"text":"say {', '{"m":"a\\"b', '{"m":[1,2']) {
      const input = `{"a":1}\n${torn}{"b":{"c":"}"}}\n{"d":4}\n`
      const lost = torn === '{"type":' ? [] : [[2, { b: { c: '}' } }]]
      expect(recordsOf(input), torn).toEqual([[1, { a: 1 }], ...lost, [3, { d: 4 }]])
      expect(codesOf(input), torn).toEqual([['line-unreadable', 2]])
    }
  })

  it('never takes a member of a torn record for a record', () => {
    for (const torn of [
      '{"message":{"role":"user"}',
      '{"list":[{"a":1},{"b":2}',
      '{"list":[1, {"b":2}',
      '{"t":"use {}',
    ]) {
      expect(recordsOf(`{"a":1}\n${torn}`), torn).toEqual([[1, { a: 1 }]])
      expect(codesOf(`{"a":1}\n${torn}`), torn).toEqual([['line-torn', 2]])
    }
  })

  it('reads records that were printed over several lines each', () => {
    const input = '{\n  "a": 1\n}\n{\n  "b": 2\n}\n'
    expect(recordsOf(input)).toEqual([
      [1, { a: 1 }],
      [4, { b: 2 }],
    ])
    expect(codesOf(`${input}{\n "c":`)).toEqual([['line-torn', 8]])
  })

  it('skips lines over the limit, counted in bytes', () => {
    const input = `{"a":1}\n{"b":"${'é'.repeat(20)}"}\n{"c":3}\n`
    for (const source of [input, bytes(input)]) {
      expect(recordsOf(source, { maxLineBytes: 40 })).toEqual([
        [1, { a: 1 }],
        [3, { c: 3 }],
      ])
      expect(codesOf(source, { maxLineBytes: 40 })).toEqual([['line-too-long', 2]])
      expect(codesOf(source, { maxLineBytes: 48 })).toEqual([])
    }
  })

  it('reads text and bytes alike, whatever is cut, glued or put between', () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.object({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
      fc.string(),
      fc.constant(''),
    )
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, cut) => {
        const text = lines.join('\n')
        const input = `{"first":1}\n${text.slice(0, cut % (text.length + 1))}`.toWellFormed()
        expect(readSource(bytes(input))).toEqual(readSource(input))
      }),
    )
  })

  it('keeps every whole line before a cut, at every cut', () => {
    const lines = ['{"a":{"b":[1,2,{"c":"x"}]}}', '{"d":"\\"{}[]"}', '{"e":[{"f":1}]}']
    const text = `${lines.join('\n')}\n`
    for (let cut = 1; cut <= text.length; cut++) {
      const whole = text
        .slice(0, cut)
        .split('\n')
        .filter((line) => lines.includes(line))
      if (whole.length < 2) continue
      expect(recordsOf(text.slice(0, cut))?.map(([, value]) => value)).toEqual(whole.map((line) => JSON.parse(line)))
    }
  })
})

it('tells of 20,000 bad lines one by one, and of more how many they are', () => {
  const text = `{"a":1}\n${'nonsense\n'.repeat(20_500)}${'{"b":1}{"c":1}\n'.repeat(3)}{"d":1}\n`
  const { records, changes } = readSource(text)
  expect(records).toHaveLength(8)
  expect(changes).toHaveLength(20_002)
  expect(changes.slice(-2)).toMatchObject([
    { code: 'line-unreadable', at: { line: 20_002 }, message: 'From this line on 500 more lines are of this kind.' },
    { code: 'line-glued', at: { line: 20_502 }, message: 'From this line on 3 more lines are of this kind.' },
  ])
})

describe('sources too large for one string', () => {
  const pieces = (text: string, maxLineBytes: number) => [
    ...textChunks(Pieces.of(bytes(text), { piece: 8 }), { maxBytes: 1000, maxLineBytes }),
  ]

  it('are decoded in pieces that end at a newline', () => {
    expect(pieces('aé\nbb\nccccccccc\ndd', 10)).toMatchObject([
      { text: 'aé\nbb\n', last: false, start: 0 },
      { text: 'ccccccccc\n', last: false, start: 7 },
      { text: 'dd', last: true, start: 17 },
    ])
  })

  it('lose no more than the lines over the limit', () => {
    expect(pieces('aé\nccccccccccc\ndd', 10)).toMatchObject([
      { text: 'aé\n', last: false, start: 0 },
      { skippedBytes: 12 },
      { text: 'dd', last: true, start: 16 },
    ])
  })
})

describe('what cannot be read at all', () => {
  it.each([
    ['', 'empty'],
    [' \n\n', 'empty'],
    ['hello\nworld', 'no JSON object'],
    ['42', 'no JSON object'],
    ['{"a":', 'no JSON object'],
    ['{\n  "a": 1,\n', 'cut off'],
    ['SQLite format 3\0 and so on', 'SQLite'],
    ['\0\x01\x02\0\0', 'binary'],
    ['PK\x03\x04..', 'ZIP'],
  ])('says of %j why', (input, reason) => {
    expect(reasonOf(input)).toContain(reason)
    expect(reasonOf(bytes(input))).toContain(reason)
  })

  it('knows compressed bytes', () => {
    expect(reasonOf(new Uint8Array([0x1f, 0x8b, 8, 0]))).toContain('gzip')
    expect(reasonOf(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]))).toContain('zstd')
  })

  it('refuses sources over the limit', () => {
    expect(reasonOf('{"a":1}', { maxBytes: 6 })).toContain('maxBytes')
    expect(reasonOf(bytes('{"a":1}'), { maxBytes: 6 })).toContain('maxBytes')
    expect(reasonOf('{"a":"é"}', { maxBytes: 9 })).toContain('maxBytes')
    expect(readSource('{"a":"é"}', { maxBytes: 10 }).value).toEqual({ a: 'é' })
    expect(reasonOf('{"a":1}', { maxLineBytes: 6 })).toContain('maxLineBytes')
  })

  it('gives up on a long text without records instead of reporting each line', () => {
    expect(reasonOf('x\n'.repeat(20_000))).toContain('10000 lines')
  })
})

describe('hostile sources', () => {
  it('survives nesting, quotes and brackets without end', () => {
    const deep = '['.repeat(200_000)
    expect(reasonOf(deep)).toContain('no JSON object')
    expect(codesOf(`{"a":1}\n${deep}\n`)).toEqual([['line-torn', 2]])
    expect(recordsOf(`{"a":1}\n${'{"a":1},'.repeat(100_000)}\n`)).toHaveLength(100_001)
    expect(codesOf(`{"a":1}\nx${'{"a":1},'.repeat(100_000)}\n`)).toEqual([['line-unreadable', 2]])
    expect(codesOf(`{"a":1}\n${'"\\'.repeat(100_000)}\n{"a":1}\n`)).toEqual([['line-unreadable', 2]])
  })
})
