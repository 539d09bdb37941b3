import { describe } from 'vitest'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import { testRecordedCalls } from '../openai/recorded-calls.ts'
import { recordings } from '../openai/shared.ts'
import { serverOf } from './stand-in.ts'

const all = recordings('responses')

/** The server of the recordings holds nothing. */
const known = { items: new Map<string, string | null>(), responses: new Set<string>() }

describe.skipIf(all.length === 0)('recorded calls of the Responses API', () => {
  testRecordedCalls({
    name: 'responses',
    all,
    accepted: 140,
    check: (one) => checkOpenAIResponses(one.request, { dialect: serverOf(one) }),
    checkOpenAI: (request) => checkOpenAIResponses(request, { known }),
  })
})
