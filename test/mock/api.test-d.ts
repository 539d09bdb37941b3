import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { ApiId, Json } from '../../src/index.ts'
import {
  type MockProviders,
  type MockRequest,
  mockProviders,
  type Reply,
  type Violation,
} from '../../src/mock/index.ts'
import { type Has, holds } from '../types/shape.ts'

/** The public shapes of the mock, which may be added to. Compiled, never run. */

holds<
  Has<
    MockRequest,
    {
      readonly api: ApiId
      readonly url: string
      readonly body: Json
      readonly streamed: boolean
      readonly violations: readonly Violation[]
    }
  >
>()
holds<Has<MockProviders, { readonly handlers: readonly object[]; readonly requests: readonly MockRequest[] }>>()

export const mock: MockProviders = mockProviders({
  level: 'strict',
  baseUrls: { anthropic: 'https://proxy.example', 'openai-chat': undefined, gemini: undefined },
  without: ['openai-chat/tool-call-id-too-long'],
  dialects: { 'openai-chat': 'mistral' },
  onViolation: 'throw',
})

export const replies: readonly Reply[] = [
  'a text',
  { text: 'a text', reasoning: 'a thought', toolCalls: [{ name: 'run', args: { a: [1] }, id: 'x' }], stop: 'length' },
  { toolCalls: [{ name: 'run', args: 'text' }], usage: { inputTokens: 1 } },
  { status: 529, body: { type: 'error' } },
  { status: 500 },
  { drop: true },
]
mock.reply(
  ...replies,
  (request) => request.url,
  async () => ({ drop: true }),
)

/** Without a cast, whatever version of msw the caller has. */
export const server: object = setupServer(...mockProviders().handlers)
export const handlers: readonly RequestHandler[] = mockProviders().handlers
