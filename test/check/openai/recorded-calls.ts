import { expect, it } from 'vitest'
import type { Violation } from '../../../src/check/rule.ts'
import type { Recording } from './shared.ts'

/** Calls of one API that were recorded, of all servers that speak it. */
export interface Recorded {
  readonly name: string
  readonly all: readonly Recording[]
  /** So many were accepted, at least. */
  readonly accepted: number
  /** Of an accepted call, by the server that took it. */
  check(recording: Recording): readonly Violation[]
  /** Of a call to OpenAI. */
  checkOpenAI(request: Recording['request']): readonly Violation[]
}

/** Refusals of OpenAI that no body shows: which models exist, and whose key it is. */
const NOT_IN_THE_BODY: ReadonlyMap<unknown, string> = new Map([
  ['model_not_found', 'which models exist is not in the body'],
  ['invalid_api_key', 'the key is not in the body'],
])

export function testRecordedCalls({ name, all, accepted: wanted, check, checkOpenAI }: Recorded): void {
  it('finds nothing in what was accepted', () => {
    const accepted = all.filter((one) => one.status === 200)
    const refused = accepted.flatMap((one) => {
      const [first] = check(one)
      return first === undefined ? [] : [`${one.server} ${one.from}: ${first.message}`]
    })
    const servers = new Set(accepted.map((one) => one.server))
    console.log(`${name}: ${accepted.length} accepted requests of ${servers.size} servers`)
    expect(accepted.length).toBeGreaterThan(wanted)
    expect(refused).toEqual([])
  })

  it('has the words of OpenAI for what it refused', () => {
    const refused = all.filter((one) => one.server === 'openai' && one.status !== 200)
    const unseen: string[] = []
    for (const { from, request, answer, status } of refused) {
      const { error } = answer as { readonly error: { readonly code?: unknown } }
      const why = NOT_IN_THE_BODY.get(error.code)
      if (why !== undefined) {
        unseen.push(`${from}: ${error.code}, ${why}`)
        continue
      }
      const [first] = checkOpenAI(request)
      const { message, code, param, type } = first ?? {}
      expect({ status: first?.status, message, code, param, type }).toEqual({ status, ...error })
    }
    const told = refused.length - unseen.length
    console.log(
      `${name}: ${told} of ${refused.length} refusals of OpenAI can be seen from the body; not:\n  ${unseen.join('\n  ')}`,
    )
    expect(told).toBe(1)
  })
}
