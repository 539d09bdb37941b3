import { describe } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { testRecordedCalls } from '../openai/recorded-calls.ts'
import { recordings } from '../openai/shared.ts'

const all = recordings('chat')

describe.skipIf(all.length === 0)('recorded calls of chat completions', () => {
  testRecordedCalls({
    name: 'chat',
    all,
    accepted: 400,
    check: ({ request, server }) => checkOpenAIChat(request, { dialect: server }),
    checkOpenAI: checkOpenAIChat,
  })
})
