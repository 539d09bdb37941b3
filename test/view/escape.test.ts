import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeJson, escapeText, glimpse } from '../../src/view/escape.ts'
import { growth } from '../hostile/growth.ts'

/** What a terminal acts on, or what reorders or hides the text around it. */
const dangerous =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e007f}]/u

describe('escapeText', () => {
  it('shows terminal commands as text', () => {
    expect(escapeText('\u001b[31mred\u001b[0m')).toBe('\\x1b[31mred\\x1b[0m')
    expect(escapeText('\u001b]8;;http://x\u0007link')).toBe('\\x1b]8;;http://x\\x07link')
    expect(escapeText('\u009b31m\u007f')).toBe('\\x9b31m\\x7f')
  })

  it('shows characters that turn or hide the text around them', () => {
    expect(escapeText('a\u202eb\u2066c\u200fd\u061ce')).toBe('a\\u202eb\\u2066c\\u200fd\\u061ce')
    expect(escapeText('\ufeff\u200b\u2028')).toBe('\\ufeff\\u200b\\u2028')
    expect(escapeText('\u{e0041}')).toBe('\\u{e0041}')
  })

  it('names the controls that everybody knows', () => {
    expect(escapeText('a\nb\tc\rd\0')).toBe('a\\nb\\tc\\rd\\x00')
  })

  it('shows half a surrogate pair', () => {
    expect(escapeText('x\ud83d')).toBe('x\\ud83d')
  })

  it('leaves other scripts, emoji and joiners alone', () => {
    const text = 'naïve שלום 日本語 👩‍👩‍👧 \\n'
    expect(escapeText(text)).toBe(text)
  })

  it('lets nothing dangerous through', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !dangerous.test(escapeText(text))))
  })
})

describe('escapeJson', () => {
  it('keeps the value and prints nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = escapeJson(JSON.stringify(value, null, 2))
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(dangerous.test(text.replaceAll('\n', ''))).toBe(false)
      }),
    )
  })

  it('writes what lies outside the first plane as a pair', () => {
    expect(escapeJson(JSON.stringify('\u{e0041}\u202e'))).toBe('"\\udb40\\udc41\\u202e"')
  })
})

describe('glimpse', () => {
  it('puts a text on one line', () => {
    expect(glimpse('  one\n\n  two\tthree ', 40)).toBe('one two three')
  })

  it('cuts at the width and says so', () => {
    expect(glimpse('abcdefgh', 5)).toBe('abcd…')
    expect(glimpse('abcde', 5)).toBe('abcde')
  })

  it('never cuts through a character or through an escape', () => {
    expect(glimpse('ab👍cd', 4)).toBe('ab👍…')
    expect(glimpse('ab\u001bcdef', 5)).toBe('ab…')
    expect(glimpse('ab\u001bc', 7)).toBe('ab\\x1bc')
  })

  it('stays within the width and safe, and does not read the whole of a long text', async () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const shown = glimpse(text, width)
        expect([...shown].length).toBeLessThanOrEqual(width)
        expect(dangerous.test(shown)).toBe(false)
      }),
    )
    const texts = new Map([500_000, 32_000_000].map((length) => [length, 'x'.repeat(length)]))
    // A hundred times, since one glimpse takes less than clocks tell. 64 times the text takes as long.
    const glimpses = (length: number): void => {
      for (let time = 0; time < 100; time++) glimpse(texts.get(length)!, 80)
    }
    expect(await growth(32_000_000, glimpses, 0.5)).toBeLessThan(0.5)
  })
})
