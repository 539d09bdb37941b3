import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonText } from '../../../src/files/repair/json-text.ts'

type Path = (string | number)[]

/** Every place of a value, with what stands there. */
function places(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const keyed = inner.map(([key, one]) => places(one, [...path, Array.isArray(value) ? Number(key) : key]))
  return [{ path, value }, ...keyed.flat()]
}

describe('JSON that is changed in place', () => {
  it('is found at every path, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, '\t', '\r\n '), (value, indent) => {
        const text = new JsonText(` ${JSON.stringify(value, null, indent)}\n`)
        for (const { path, value: wanted } of places(JSON.parse(JSON.stringify(value)))) {
          expect(JSON.parse(text.textAt(path)!)).toEqual(wanted)
        }
      }),
    )
  })

  it('has the new value there, and all else byte for byte', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, choice) => {
        const all = places(JSON.parse(JSON.stringify(value)))
        const { path } = all[choice % all.length]!
        const stored = JSON.stringify(value, null, 2)
        const text = new JsonText(stored)
        const before = text.textAt(path)!
        text.replace(path, '"new"')
        const start = text.edited().indexOf('"new"', 0)
        expect(text.edited().length).toBe(stored.length - before.length + 5)
        expect(new JsonText(text.edited()).textAt(path)).toBe('"new"')
        expect(start).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('takes members and items that were not there', () => {
    const text = new JsonText('{ "a": [ ], "b": {}, "c": [1 , 2 ] }')
    text.set(['b'], 'x', '"y"')
    text.insertBehind(['c', 0], '3')
    text.insertBehind(['c', 1], '4')
    text.set([], 'd', 'null')
    expect(text.edited()).toBe('{"d":null, "a": [ ], "b": {"x":"y"}, "c": [1,3 , 2,4 ] }')
    expect(text.edits.map(({ place }) => place)).toEqual(['b.x', 'behind c[0]', 'behind c[1]', 'd'])
  })

  it('heeds the last of two members of one name, escaped names, and a mark at the start', () => {
    const text = new JsonText('\uFEFF{"a":1,"\\u0061":{"q\\"":"}"}}')
    expect(text.textAt(['a'])).toBe('{"q\\"":"}"}')
    expect(text.textAt(['a', 'q"'])).toBe('"}"')
    expect(text.textAt(['a', 'no'])).toBeUndefined()
    expect(text.textAt(['__proto__'])).toBeUndefined()
  })

  it('may be nested deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(new JsonText(`{"deep":${deep},"a":1}`).textAt(['a'])).toBe('1')
  })
})
