import { describe, expect, it } from 'vitest'
import { jsonFault, placeInText } from '../../src/mock/json-fault.ts'

const END = 'unexpected end of data'
const CHARACTER = 'unexpected character'
const ESCAPE = 'invalid escaped sequence in string'
const CONTROL = 'unexpected control character in string'

describe('a text that is no JSON', () => {
  it.each([
    ['', 'input data is empty', 0],
    [' \n', 'input data is empty', 2],
    ['{', END, 1],
    ['{"a"', END, 4],
    ['{"a":1', END, 6],
    ['{"a":1,', END, 7],
    ['["abc', END, 5],
    ['["abc\\', END, 6],
    ['["abc\\u12', END, 9],
    ['[tru', END, 4],
    ['[,]', CHARACTER, 1],
    ['[1,]', CHARACTER, 3],
    ['[1 2]', CHARACTER, 3],
    ['[1}', CHARACTER, 2],
    ['{a:1}', CHARACTER, 1],
    ['{"a" 1}', CHARACTER, 5],
    ['{"a":1,}', CHARACTER, 7],
    ['{"a":undefined}', CHARACTER, 5],
    ["{'a':1}", CHARACTER, 1],
    ['["\\x"]', ESCAPE, 2],
    ['["\\u12G4"]', ESCAPE, 2],
    ['["a\nb"]', CONTROL, 3],
    ['{} {}', 'unexpected content after document', 3],
    ['true false', 'unexpected content after document', 5],
  ])('%j: %s', (text, words, at) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonFault(text)).toEqual({ words, at })
  })

  it.each(['{}', ' [1, -2.5e+3, "a\\u00e9\\n\\"", true, false, null, {"a": {"b": []}}] ', '"x"', '0'])(
    'finds no fault with %s',
    (text) => {
      JSON.parse(text)
      expect(jsonFault(text)).toBeUndefined()
    },
  )

  it('is found at any depth and length', () => {
    expect(jsonFault('['.repeat(200_000))).toEqual({ words: END, at: 200_000 })
    const long = `["${'x'.repeat(5_000_000)}\\n"`
    expect(jsonFault(long)).toEqual({ words: END, at: long.length })
  })

  it('is told by line, column and character', () => {
    expect(placeInText('{"a":', 5)).toBe('line 1 column 6 (char 5)')
    expect(placeInText('{\n "🧭é":,\n', 9)).toBe('line 2 column 7 (char 8)')
  })
})
