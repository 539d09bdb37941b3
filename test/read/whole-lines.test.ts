import { describe, expect, it } from 'vitest'
import { Pieces } from '../../src/read/pieces.ts'
import { readSource } from '../../src/read/source.ts'
import { wholeLines } from '../../src/read/whole-lines.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function cut(text: string, size: number): Uint8Array[] {
  const bytes = encoder.encode(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  )
}

const linesOf = (text: string, size: number, limit = 1000) =>
  [...wholeLines(cut(text, size), limit)].map((given) =>
    'bytes' in given ? { text: decoder.decode(given.bytes), last: given.last } : given,
  )

const TEXTS = ['a\nbb\n\nccc\n', 'a', '\n', 'a\r\nü🧭\r\n   ', '{"a":"long long long line"}\n{"b":1}\n{"c"', '\n\n  \n']

describe('wholeLines', () => {
  it('gives whole lines, and all of them, wherever the pieces are cut', () => {
    for (const text of TEXTS) {
      for (let size = 1; size <= encoder.encode(text).length; size++) {
        const given = linesOf(text, size)
        const texts = given.map((one) => ('text' in one ? one.text : ''))
        // What is blank behind the last line says nothing.
        expect(texts.join('')).toBe(text.slice(0, texts.join('').length))
        expect(text.slice(texts.join('').length).trim()).toBe('')
        for (const one of given.slice(0, -1))
          expect(one).toMatchObject({
            text: /\n$/.exec(text) ? expect.any(String) : expect.stringMatching(/\n$/),
            last: false,
          })
        expect(given.filter((one) => 'last' in one && one.last).length).toBeLessThanOrEqual(1)
        expect(given.at(-1)).toMatchObject({ last: true })
      }
    }
  })

  it('passes by a line over the limit, and no other', () => {
    for (let size = 1; size < 20; size++) {
      const given = linesOf('aaaa\nbbbbbbbbbbbbbbb\ncccc', size, 10)
      const skipped = given.filter((one) => 'skippedBytes' in one)
      const rest = given.flatMap((one) => ('text' in one ? [one.text] : [])).join('')
      // A piece that holds the line as a whole leaves it to who reads the lines.
      if (size < 15) expect([skipped, rest]).toEqual([[{ skippedBytes: 16 }], 'aaaa\ncccc'])
      else expect(rest.replace('bbbbbbbbbbbbbbb\n', '')).toBe('aaaa\ncccc')
    }
    expect(linesOf('bbbbbbbbbbbbbbb', 4, 10)).toEqual([{ skippedBytes: 15 }])
  })
})

describe('a source in pieces', () => {
  const reading = (text: string, size: number, options = {}) =>
    readSource(Pieces.of(encoder.encode(text), { piece: size }), options)

  it.each([
    ['lines', '{"a":1}\n{"b":"ü🧭"}\n\n{"c":3}\n'],
    ['a torn end', '{"a":1}\n{"b":2}\n{"c'],
    ['a torn line with its newline', '{"a":1}\n{"b":"x\n'],
    ['glued records', '{"a":1}\n{"b":2}{"c":3}\n{"d":4}'],
    ['a broken beginning', '{"a\n{"b":2}\n{"c":3}\n'],
    ['one value on many lines', '{\n  "a": [\n    1\n  ]\n}\n'],
    ['one value that begins on a full line', '[{"a":1},\n{"b":2}]\n'],
    ['values that each take many lines', '{\n "a": 1\n}\n{\n "b": 2\n}\n'],
    ['one value on one line', '[{"a":1},{"b":2}]'],
    ['a mark of byte order', '\ufeff{"a":1}\n{"b":2}\n'],
  ])('is what it is as a whole: %s', (_name, text) => {
    const whole = readSource(text)
    for (let size = 1; size <= encoder.encode(text).length; size++) expect(reading(text, size)).toEqual(whole)
  })

  it('says why nothing can be read', () => {
    expect(() => reading('', 4)).toThrow('empty')
    expect(() => reading('hello\nworld\n', 4)).toThrow('no JSON object')
    expect(() => reading('{"a":1}', 4, { maxBytes: 3 })).toThrow('over 3 bytes')
  })

  const counted = (text: string, piece: number): { readonly source: Pieces; readonly asked: () => number } => {
    const bytes = encoder.encode(text)
    let asked = 0
    const at = (start: number, length: number): Uint8Array => {
      asked += length
      return bytes.subarray(start, start + length)
    }
    return { source: new Pieces(bytes.length, at, { piece }), asked: () => asked }
  }

  it('is read once where its first line is torn, and not put together', () => {
    const text = `{"torn":"\n${'{"a":1}\n'.repeat(1000)}`
    const { source, asked } = counted(text, 64)
    expect(readSource(source)).toEqual(readSource(text))
    expect(asked()).toBeLessThan(text.length * 1.5)
  })

  it('tells of a line over the limit within one value', () => {
    const long = `{"role":"user","content":"${'x'.repeat(200)}"}`
    const short = '{"role":"user","content":"y"}'
    const messages = (start: string): string => `${start}\n${short},\n${short},\n${long},\n${short}\n]}`
    const { changes } = reading(messages('{"messages":['), 64, { maxLineBytes: 100 })
    expect(changes.map(({ code, at }) => [code, at.line])).toContainEqual(['line-too-long', 4])
    expect(() => reading(`[\n${short},\n${long},\n${short}\n]`, 64, { maxLineBytes: 100 })).toThrow('maxLineBytes')
  })

  it('is text in UTF-8 whatever a piece begins with', () => {
    const lines = ['{"a":1}\n', '??{"b":2}\n', '{"c":3}\n', '{"d":4}\n', '{"e":5}\n']
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ]) {
      const bytes = encoder.encode(lines.join(''))
      bytes.set(mark, lines[0]!.length)
      for (let piece = 1; piece <= bytes.length; piece++) {
        const { records } = readSource(Pieces.of(bytes, { piece }))
        expect(records?.map(({ value }) => value)).toMatchObject([{ a: 1 }, { b: 2 }, { c: 3 }, { d: 4 }, { e: 5 }])
      }
    }
  })

  it('says what the system says when it cannot be read', () => {
    const bytes = encoder.encode('{"a":1}\n{"b":2}\n')
    let isBroken = false
    const at = (start: number, length: number): Uint8Array => {
      if (isBroken) throw new Error('EIO: the disk is broken')
      return bytes.subarray(start, start + length)
    }
    const { records } = readSource(new Pieces(bytes.length, at, { piece: 8, held: 0 }))
    isBroken = true
    expect(() => records?.[1]?.value).toThrow('EIO: the disk is broken')
  })
})
