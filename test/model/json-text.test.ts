import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonOf } from '../../src/model/json-text.ts'

describe('a text that is the JSON of an object', () => {
  it('is told as JSON.stringify would', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 2, withBigInt: false, withDate: false }), fc.nat(200), (value, place) => {
        const text = JSON.stringify(value)
        expect(isJsonOf(text, value)).toBe(true)
        const other = `${text.slice(0, place)}~${text.slice(place + 1)}`
        expect(isJsonOf(other, value)).toBe(other === text)
        expect(isJsonOf(text.slice(0, -1), value)).toBe(false)
        expect(isJsonOf(`${text} `, value)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it.each<readonly [string, object, boolean]>([
    ['{}', {}, true],
    ['{"a":"b","c":1,"d":true}', { a: 'b', c: 1, d: true }, true],
    // Not JSON at all, though the same characters stand in it.
    ['{"a":"b"c"}', { a: 'b"c' }, false],
    ['{"a":"b\\"c"}', { a: 'b"c' }, true],
    ['{"a":"\u0001"}', { a: '\u0001' }, false],
    ['{"a":"b\\c"}', { a: 'b\\c' }, false],
    ['{"a":0}', { a: -0 }, true],
    ['{"a":10}', { a: 1 }, false],
    ['{"a":1}', { a: 10 }, false],
    ['{"a":NaN}', { a: Number.NaN }, false],
    ['{"a":1}', { a: '1' }, false],
    ['{"a":"1"}', { a: 1 }, false],
    ['{"a":1}', { a: 1, b: undefined }, true],
    ['{"a":1,}', { a: 1 }, false],
    ['{"a":1,"b":2}', { a: 1 }, false],
    ['{"a":1}', { a: 1, b: 2 }, false],
    ['{"b":2,"a":1}', { a: 1, b: 2 }, false],
    ['{}', [], false],
    [`{"a":"${'x'.repeat(1000)}"}`, { a: 'x'.repeat(1000) }, true],
  ])('%s of %o: %s', (text, value, same) => {
    expect(isJsonOf(text, value)).toBe(same)
  })
})
