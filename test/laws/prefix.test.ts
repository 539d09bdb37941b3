import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/model/session.ts'
import { APIS, type Api, type Request, type Wire, wiresOf, write } from './apis.ts'
import { sessions } from './arbitrary/session.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('prefix-stable')

/** The session as it was `length` messages ago. */
const begun = (session: Session, length: number): Session => ({
  ...session,
  messages: session.messages.slice(0, length),
})

/**
 * What cannot change any more: all but the last wire turn, and an instruction that waits behind it. A bridge, which thinking
 * wants behind the last results, belongs to the open end with the results before it.
 */
function closedPart(api: Api, request: Request, bridged: boolean): readonly Wire[] {
  const wires = [...wiresOf(api, request)]
  if (api.id === 'anthropic') while (wires.at(-1)?.role === 'system') wires.pop()
  if (bridged) wires.splice(-2)
  wires.pop()
  if (waitsForServer(wires)) wires.pop()
  return wires
}

/** Whether the last turn has a call that the API is still at work on: what comes next decides whether it stays. */
function waitsForServer(wires: readonly Wire[]): boolean {
  const said = JSON.stringify(wires.at(-1) ?? null)
  const answered = JSON.stringify(wires)
  return [...said.matchAll(/"type":"server_tool_use","id":"(\w+)"/g)].some(
    ([, id]) => !answered.includes(`"tool_use_id":"${id}"`),
  )
}

/** Without cache markers, which move on as a conversation grows. */
const bytes = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))

/** Law 5. What was sent once stays a prefix of what is sent later, so that the provider's cache keeps hitting. */
describe.each(APIS)('$id', (api) => {
  test('keeps what it has written when messages come behind it', () => {
    const cases = fc.tuple(sessions(10), api.target, fc.nat(100))
    forAll(api.id, cases, ([{ session }, target, cut]) => {
      const length = cut % (session.messages.length + 1)
      const before = write(api, begun(session, length), target.options)
      const after = write(api, session, target.options).request
      const bridged = before.changes.some((change) => change.code === 'thinking-bridge')
      const closed = closedPart(api, before.request, bridged)
      count(`${api.id} wires kept`, closed.length)
      expect(wiresOf(api, after).slice(0, closed.length).map(bytes)).toEqual(closed.map(bytes))
      if (closed.length === 0) return
      // What stands before the messages: made-up definitions alone grow with the history.
      expect([after.system, after.instructions]).toEqual([before.request.system, before.request.instructions])
      const stubbed = before.changes.some((change) => change.code === 'tools-stubbed')
      const { tools } = before.request
      if (!stubbed && Array.isArray(tools) && tools.length > 0) expect(after.tools).toEqual(before.request.tools)
    })
  })
})
