import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { explain } from '../../../src/check/index.ts'
import { claude, mocked, openai, thrown } from '../../mock/server.ts'

mocked()

describe('what the official SDKs throw', () => {
  it('for Messages is explained, with its place and the id of the call', async () => {
    const error = await thrown(
      claude.messages.create({
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
          { role: 'user', content: 'Well?' },
        ],
      }),
    )
    expect(error).toBeInstanceOf(Anthropic.APIError)
    expect(explain(error)).toMatchObject({
      api: 'anthropic',
      rules: [{ id: 'anthropic/tool-result-missing' }, {}, {}, {}],
      path: 'messages.1',
      ids: ['toolu_1'],
    })
    expect(explain(new Error('The turn failed', { cause: error }))).toEqual(explain(error))
    expect(explain((error as Error).message)).toEqual(explain(error))
  })

  it('for a stream of Messages is explained', async () => {
    const stream = claude.messages.stream({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }],
    })
    expect(explain(await thrown(stream.finalMessage()))).toMatchObject({
      api: 'anthropic',
      rules: [{ id: 'anthropic/empty-text-block' }, {}],
    })
  })

  it('for an unknown model is explained', async () => {
    const error = await thrown(
      claude.messages.create({ model: 'claude-nope', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }),
    )
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(explain(error)).toMatchObject({
      api: 'anthropic',
      rules: [{ id: 'anthropic/model-unknown' }],
      path: 'model',
    })
  })

  it('for chat completions is explained, with the place that `param` names', async () => {
    const error = await thrown(
      openai.chat.completions.create({
        model: 'gpt-4.1',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'tool', tool_call_id: 'call_1', content: 'x' },
        ],
      }),
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(explain(error)).toMatchObject({
      api: 'openai-chat',
      rules: [{ id: 'openai-chat/tool-message-orphan' }, { id: 'openai-chat/tool-message-id-unmatched' }],
      path: 'messages.[1].role',
    })
  })

  it('for Responses is explained, with the id that its words name', async () => {
    const error = await thrown(
      openai.responses.create({
        model: 'gpt-4.1',
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
        ],
      }),
    )
    expect(explain(error)).toMatchObject({
      api: 'openai-responses',
      rules: [{ id: 'openai-responses/function-call-output-missing' }],
      ids: ['call_1'],
    })
    const invalid = await thrown(
      openai.responses.create({
        model: 'gpt-4.1',
        input: [{ type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'read', arguments: '{}' }],
      }),
    )
    expect(explain(invalid)).toMatchObject({
      api: 'openai-responses',
      rules: [{ id: 'openai-responses/item-id-prefix' }],
      path: 'input[0].id',
    })
  })
})
