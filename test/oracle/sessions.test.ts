import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { APIS, type Api, write } from '../laws/apis.ts'
import { pairsOf } from '../laws/wire.ts'
import { fillGaps } from './gaps.ts'
import { schemaFaults } from './schemas.ts'
import { sharedFiles } from './shared.ts'

const files = sharedFiles('sessions/claude-code')
const table: string[] = []

interface Outcome {
  readonly faults: readonly unknown[]
  readonly calls: number
  readonly codes: ReadonlySet<string>
}

function outcome(api: Api, session: Session, model: string | undefined): Outcome {
  const { request, changes } = write(api, session, { next: 'Go on.', model })
  const body = { model: model ?? 'some-model', ...(api.id === 'anthropic' ? { max_tokens: 1024 } : {}), ...request }
  const { calls, results } = pairsOf(api.id, request)
  expect(results.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort())
  return {
    faults: [...api.check(body, { level: 'strict' }), ...schemaFaults(api.id, fillGaps(api.id, body))],
    calls: calls.length,
    codes: new Set(changes.map(({ code }) => code)),
  }
}

/** Real transcripts, killed and damaged ones among them, go on with every API. */
describe('stored Claude Code sessions', () => {
  test('go on with every API', () => {
    for (const { name, text } of files) {
      const { session, changes } = readSession(text)
      const author = session.messages.findLast((message) => message.role === 'assistant')?.by?.model
      const cells = APIS.map((api) => {
        const found = [
          outcome(api, session, undefined),
          outcome(api, session, api.id === 'anthropic' ? author : 'gpt-5'),
        ]
        for (const { faults } of found) expect({ name, api: api.id, faults }).toEqual({ name, api: api.id, faults: [] })
        return `${api.id} ${found[0]!.calls} calls, ${[...found[0]!.codes].join(' ') || 'no changes'}`
      })
      const read = [...new Set(changes.map(({ code }) => code))].join(' ')
      table.push([name, `${session.messages.length} messages`, `read: ${read || 'no changes'}`, ...cells].join(' | '))
    }
    console.log(table.join('\n'))
  }, 120_000)
})
