import { describe, expect, it } from 'vitest'
import { Ids } from '../../src/mock/ids.ts'
import { growth, LINEAR } from '../hostile/growth.ts'

const SHAPE = { prefix: 'call_', digits: 6 }

describe('ids', () => {
  it('count by shape, from the beginning after a reset', () => {
    const ids = new Ids()
    expect([ids.next(SHAPE), ids.next(SHAPE), ids.next({ prefix: 'msg_', digits: 2 })]).toEqual([
      'call_000001',
      'call_000002',
      'msg_01',
    ])
    ids.reset()
    expect(ids.next(SHAPE)).toBe('call_000001')
  })

  it('leave out what the request holds already, and nothing else', () => {
    const ids = new Ids()
    const request = '"call_000001" "call_000002" "call_call_000004" "call_00000" "call_ab0003" "xcall_000005"'
    expect([1, 2, 3].map(() => ids.next(SHAPE, request))).toEqual(['call_000003', 'call_000006', 'call_000007'])
  })

  it('are found in a history of many thousand of them in one look', async () => {
    const [FEW, MANY] = [500, 32_000]
    const heldIds = (count: number): string =>
      Array.from({ length: count }, (_, index) => `call_${String(index + 1).padStart(24, '0')}`).join(' ')
    const held = new Map([FEW, MANY].map((count) => [count, heldIds(count)]))
    const next = (count: number): string => new Ids().next({ prefix: 'call_', digits: 24 }, held.get(count)!)
    expect(next(MANY)).toBe('call_000000000000000000032001')
    expect(await growth(MANY, next)).toBeLessThan(LINEAR)
  })
})
