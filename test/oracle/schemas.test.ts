import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSession } from '../../src/read/index.ts'
import { APIS, write } from '../laws/apis.ts'
import { next, sessions } from '../laws/arbitrary/session.ts'
import { count, forAll, printCounts } from '../laws/runs.ts'
import { fillGaps, gapsFilled } from './gaps.ts'
import { schemaFaults } from './schemas.ts'
import { sharedFiles } from './shared.ts'

printCounts('schemas of the SDK types')

beforeAll(() => {
  // The first run makes them.
  for (const { id } of APIS) schemaFaults(id, {})
}, 120_000)

/** What is written has the shape that the vendors' own types give it. */
describe.each(APIS)('$id fits the types of the SDK', (api) => {
  test('whatever the session', () => {
    forAll(api.id, fc.tuple(sessions(), api.target, next), ([{ session }, target, coming]) => {
      const { request } = write(api, session, { ...target.options, next: coming })
      expect(schemaFaults(api.id, fillGaps(api.id, { ...target.beside, ...request }))).toEqual([])
    })
  })

  test('for stored sessions', () => {
    for (const folder of ['claude-code', 'codex', 'pi', 'cline', 'ai-sdk']) {
      for (const { name, text } of sharedFiles(`sessions/${folder}`)) {
        const session = sessionOf(text)
        if (session === undefined) continue
        count(`${api.id} stored sessions`)
        const { request } = write(api, session, {})
        const body = { model: 'some-model', max_tokens: 1024, ...request }
        const sent = api.id === 'anthropic' ? body : { ...body, max_tokens: undefined }
        expect({ name, faults: schemaFaults(api.id, fillGaps(api.id, sent)) }).toEqual({ name, faults: [] })
      }
    }
  })
})

afterAll(() => {
  console.log(gapsFilled())
})

test.each([
  ['anthropic', { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x', name: 'bob' }] }],
  ['openai-chat', { model: 'm', messages: [{ role: 'tool', content: 'x' }] }],
  ['openai-responses', { model: 'm', input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
] as const)('the schema of %s refuses what the types do not name', (api, body) => {
  expect(schemaFaults(api, body)).not.toEqual([])
})

/** Undefined for files that no reader takes: they are the readers' own tests' matter. */
function sessionOf(text: string) {
  try {
    return readSession(text).session
  } catch {
    return undefined
  }
}
