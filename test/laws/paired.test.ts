import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantPart, Session, ToolCallEntry } from '../../src/model/session.ts'
import { APIS, write } from './apis.ts'
import { sessions } from './arbitrary/session.ts'
import type { Leaf } from './arbitrary/stamp.ts'
import { count, forAll, printCounts } from './runs.ts'
import { pairsOf } from './wire.ts'

printCounts('paired')

interface Placed {
  readonly call: ToolCallEntry
  readonly message: number
  readonly part: number
}

/** The client's calls of a session, in order. */
function clientCalls(session: Session): readonly Placed[] {
  return session.messages.flatMap((message, index) =>
    message.parts.flatMap((part: AssistantPart, place): readonly Placed[] =>
      part.type === 'tool-call' && part.executor !== 'provider' ? [{ call: part, message: index, part: place }] : [],
    ),
  )
}

/** What of a result must be told: its texts. A result with items of the API's own tells them instead. */
function toldBy(placed: Placed, leaves: readonly Leaf[], api: string): readonly string[] {
  if (placed.call.state.extra?.[api as 'openai-responses'] !== undefined && api === 'openai-responses') {
    const slot = placed.call.state.extra['openai-responses'] as { readonly item?: unknown }
    if (slot.item !== undefined) return []
  }
  return leaves
    .filter((leaf) => leaf.kind === 'output' && leaf.message === placed.message && leaf.part === placed.part)
    .map((leaf) => leaf.token)
}

/** Law 2. Every call has one result, no result stands alone, and the real one is there if there was one. */
describe.each(APIS)('$id', (api) => {
  test('pairs every call with its own result, and nothing else', () => {
    forAll(api.id, fc.tuple(sessions(), api.target), ([{ session, leaves }, target]) => {
      const { request } = write(api, session, target.options)
      const { calls, results } = pairsOf(api.id, request)
      const stored = clientCalls(session)
      expect(calls.length).toBe(stored.length)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
      expect(results.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort())
      const byId = new Map(results.map((result) => [result.id, result]))
      stored.forEach((placed, index) => {
        const call = calls[index]!
        const result = byId.get(call.id)!
        expect(result.at).toBeGreaterThan(call.at)
        count(`${api.id} pairs`)
        for (const token of toldBy(placed, leaves, api.id)) expect(result.said).toContain(token)
      })
    })
  })
})
