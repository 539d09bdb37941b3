import { describe, expect, it } from 'vitest'
import { Ids } from '../../src/mock/ids.ts'
import { piecesOf } from '../../src/mock/pieces.ts'
import { roughTokens } from '../../src/mock/tokens.ts'

describe('the pieces of a text', () => {
  it.each(['', 'a', 'twelve chars', '🧭'.repeat(50), `x${'🧭'.repeat(50)}`, 'y'.repeat(100_000)])(
    'are few, whole and in order (%#)',
    (text) => {
      const pieces = piecesOf(text)
      expect(pieces.join('')).toBe(text)
      expect(pieces.length).toBeLessThanOrEqual(64)
      for (const piece of pieces) {
        expect(piece).not.toBe('')
        expect(encodeURIComponent(piece)).toMatch(/./)
      }
    },
  )

  it('are several for a text of some length', () => {
    expect(piecesOf('This is a text of some length.').length).toBeGreaterThan(2)
  })
})

describe('ids', () => {
  it('count by shape, pass over what the request holds, and begin again', () => {
    const ids = new Ids()
    const shape = { prefix: 'call_', digits: 4 }
    expect([ids.next(shape), ids.next(shape), ids.next({ prefix: 'msg_', digits: 2 })]).toEqual([
      'call_0001',
      'call_0002',
      'msg_01',
    ])
    expect(ids.next(shape, '["call_0003","call_0005"]')).toBe('call_0004')
    expect(ids.next(shape, '["call_0003","call_0005"]')).toBe('call_0006')
    ids.reset()
    expect(ids.next(shape)).toBe('call_0001')
  })
})

describe('the rough count of tokens', () => {
  it('is a quarter of the characters, whatever they are nested in', () => {
    expect(roughTokens('x'.repeat(400))).toBe(100)
    expect(roughTokens([{ content: [{ text: 'x'.repeat(400) }] }, 'y'.repeat(40)], undefined)).toBe(110)
  })

  it('does not count the bytes of media', () => {
    const image = (data: string): unknown => ({ source: { type: 'base64', data } })
    expect(roughTokens(image('A'.repeat(1_000_000)))).toBe(roughTokens(image('A')))
  })

  it('does not depend on the stack', () => {
    expect(roughTokens(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe(0)
  })
})
