import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantPart } from '../../src/model/session.ts'
import { APIS, write } from './apis.ts'
import { next, sessions } from './arbitrary/session.ts'
import { frozen } from './freeze.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('pure')

/** Every object in a request. */
function objectsIn(value: unknown): ReadonlySet<object> {
  const found = new Set<object>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null || found.has(one)) continue
    found.add(one)
    open.push(...Object.values(one))
  }
  return found
}

/** What the wire form of this API may share with the session: raw blocks, and arguments where they go as a value. */
function shareable(part: AssistantPart, api: string): object | undefined {
  if (part.type === 'native')
    return part.api === api && typeof part.value === 'object' ? (part.value ?? undefined) : undefined
  if (part.type !== 'tool-call' || part.executor === 'provider' || api !== 'anthropic') return undefined
  return typeof part.args === 'object' ? (part.args ?? undefined) : undefined
}

/** Law 4. The same input gives the same bytes, and nothing is written to. */
describe.each(APIS)('$id', (api) => {
  test('takes frozen input, and gives the same bytes twice', () => {
    forAll(api.id, fc.tuple(sessions(), api.target, next), ([{ session }, target, coming]) => {
      const options = frozen({ ...target.options, next: coming })
      const first = write(api, frozen(session), options)
      const bytes = JSON.stringify([first.request, first.changes])
      const second = write(api, session, options)
      expect(JSON.stringify([second.request, second.changes])).toBe(bytes)
      expect(JSON.stringify([first.request, first.changes])).toBe(bytes)
    })
  })

  test('copies nothing that it does not change', () => {
    forAll(`${api.id} shared`, fc.tuple(sessions(), api.target), ([{ session }, target]) => {
      // Markers are placed and taken away in copies.
      const { request, changes } = write(api, session, { ...target.options, cache: 'drop' })
      const written = objectsIn(request)
      session.messages.forEach((message, index) => {
        if (changes.some((change) => change.at.message === index)) return
        for (const part of message.parts) {
          const shared = shareable(part, api.id)
          if (shared === undefined) continue
          count(`${api.id} values shared`)
          expect(written.has(shared)).toBe(true)
        }
      })
    })
  })
})
