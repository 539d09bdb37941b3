import Anthropic from '@anthropic-ai/sdk'
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type MockOptions, mockProviders, type ReadyProviders } from '../../src/mock/index.ts'

/** A mock behind a server of msw, for the tests of one file. */
export function mocked(options?: MockOptions): ReadyProviders {
  const mock = mockProviders(options)
  const handlers: readonly RequestHandler[] = mock.handlers
  const server = setupServer(...handlers)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => mock.reset())
  afterAll(() => server.close())
  return mock
}

/** The clients keep the `fetch` of the moment in which they are made, and the server replaces it later. */
const late: typeof fetch = (...request) => fetch(...request)

export const claude: Anthropic = new Anthropic({ apiKey: 'test', maxRetries: 0, fetch: late })
export const openai: OpenAI = new OpenAI({ apiKey: 'test', maxRetries: 0, fetch: late })

/** What a promise is rejected with. */
export async function thrown(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('this was expected to be rejected')
}
