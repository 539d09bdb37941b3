import { describe, expect, it } from 'vitest'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import { type Recording, recordings } from '../openai/shared.ts'

const all = recordings('responses')

/** A local server stood in for OpenAI in recordings of this model. */
const STAND_IN = 'llama-cpp-reasoning-model'
const serverOf = ({ server, request }: Recording): string => (request.model === STAND_IN ? 'llamacpp' : server)

/** The server of the recordings holds nothing. */
const known = { items: new Map<string, string | null>(), responses: new Set<string>() }

/** Refusals of OpenAI that no body shows: which models exist, and whose key it is. */
const NOT_IN_THE_BODY: ReadonlyMap<unknown, string> = new Map([
  ['model_not_found', 'which models exist is not in the body'],
  ['invalid_api_key', 'the key is not in the body'],
])

describe.skipIf(all.length === 0)('recorded calls of the Responses API', () => {
  it('finds nothing in what was accepted', () => {
    const accepted = all.filter((one) => one.status === 200)
    const refused = accepted.flatMap((one) => {
      const [first] = checkOpenAIResponses(one.request, { dialect: serverOf(one) })
      return first === undefined ? [] : [`${one.server} ${one.from}: ${first.message}`]
    })
    console.log(
      `responses: ${accepted.length} accepted requests of ${new Set(accepted.map((one) => one.server)).size} servers`,
    )
    expect(accepted.length).toBeGreaterThan(140)
    expect(refused).toEqual([])
  })

  it('has the words of OpenAI for what it refused', () => {
    const refused = all.filter((one) => one.server === 'openai' && one.status !== 200)
    let told = 0
    const unseen: string[] = []
    for (const { from, request, answer, status } of refused) {
      const { error } = answer as { readonly error: { readonly [key: string]: unknown } }
      const why = NOT_IN_THE_BODY.get(error.code)
      if (why !== undefined) {
        unseen.push(`${from}: ${error.code}, ${why}`)
        continue
      }
      const first = checkOpenAIResponses(request, { known })[0]
      const { message, code, param, type } = first ?? {}
      expect({ status: first?.status, message, code, param, type }).toEqual({ status, ...error })
      told++
    }
    console.log(
      `responses: ${told} of ${refused.length} refusals of OpenAI can be seen from the body; not:\n  ${unseen.join('\n  ')}`,
    )
    expect(told).toBe(1)
  })
})
