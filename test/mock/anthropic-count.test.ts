import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { claude, mocked, thrown } from './server.ts'

const QUESTION: Anthropic.MessageParam = { role: 'user', content: 'How is the weather in Oslo and in Rome?' }
const BASE = {
  model: 'claude-opus-4-8',
  max_tokens: 256,
  tools: [{ name: 'weather', description: 'The weather of a city', input_schema: { type: 'object' as const } }],
  messages: [QUESTION],
}
const UNANSWERED: Anthropic.MessageParam[] = [
  QUESTION,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
  { role: 'user', content: 'Well?' },
]
const UNANSWERED_WORDS =
  'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

describe('the count of tokens', () => {
  const mock = mocked()
  const { max_tokens: _, ...COUNTED } = BASE

  it('counts more for more', async () => {
    const short = await claude.messages.countTokens(COUNTED)
    const long = await claude.messages.countTokens({ ...COUNTED, system: 'Be brief. '.repeat(100) })
    expect(short.input_tokens).toBeGreaterThan(10)
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 200)
    expect(long.input_tokens).toBeLessThan(short.input_tokens + 400)
  })

  it('refuses what the Messages API refuses, and its limit', async () => {
    const pairing = await thrown(claude.messages.countTokens({ ...COUNTED, messages: UNANSWERED }))
    expect(pairing).toBeInstanceOf(Anthropic.BadRequestError)
    expect((pairing as Error).message).toContain(UNANSWERED_WORDS)
    const limit = await thrown(claude.messages.countTokens(BASE as Anthropic.MessageCountTokensParams))
    expect(limit).toMatchObject({
      status: 400,
      error: { error: { message: 'max_tokens: Extra inputs are not permitted' } },
    })
  })

  it('takes no scripted reply', async () => {
    mock.reply('For the model.')
    await claude.messages.countTokens(COUNTED)
    expect((await claude.messages.create(BASE)).content).toEqual([{ type: 'text', text: 'For the model.' }])
  })
})

describe('the rule of counting alone', () => {
  const lax = mocked({ without: ['anthropic/count-tokens-same'] })

  it('can be left out', async () => {
    await claude.messages.countTokens(BASE as Anthropic.MessageCountTokensParams)
    lax.expectAccepted()
  })
})
