import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { fromOpenAIChat, type OpenAIChatOptions, type Session, toOpenAIChat } from '../../src/index.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

/** A session whose answer came from a server, with its result. */
function session(dialect: string | undefined, model: string, said: object): Session {
  const completion = {
    model,
    choices: [{ message: { role: 'assistant', content: 'I look.', tool_calls: [call], ...said } }],
  }
  const answer = fromOpenAIChat(completion, dialect === undefined ? {} : { dialect })
  const parts = answer.parts.map((part) =>
    part.type === 'tool-call' ? { ...part, state: { status: 'completed' as const, result: 'seen' } } : part,
  )
  return {
    version: 1,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { ...answer, parts },
    ],
  }
}

function written(stored: Session, options: OpenAIChatOptions) {
  const { request, changes } = toOpenAIChat(stored, options)
  const body = { model: options.model ?? 'm', ...request }
  expect(check('openai-chat', body, { level: 'strict', dialect: options.dialect ?? undefined })).toEqual([])
  return { message: request.messages[1]!, codes: changes.map(({ code }) => code) }
}

const thought = { reasoning_content: 'hm' }
const details = [{ type: 'reasoning.text', text: 'hm', signature: 'S' }]

describe('reasoning of an earlier answer', () => {
  it.each([
    ['deepseek', 'reasoning_content'],
    ['llamacpp', 'reasoning_content'],
    ['kimi', 'reasoning_content'],
    ['groq', 'reasoning'],
    ['cerebras', 'reasoning'],
  ])('goes back to %s as %s', (dialect, field) => {
    for (const key of ['reasoning_content', 'reasoning']) {
      const { message, codes } = written(session(dialect, 'm-1', { [key]: 'hm' }), { dialect, model: 'm-2' })
      expect(message).toMatchObject({ [field]: 'hm', content: 'I look.' })
      expect(codes).toEqual([])
    }
  })

  it.each<[string, Session, OpenAIChatOptions]>([
    ['OpenAI, which has no place for it', session('deepseek', 'm', thought), { model: 'gpt-4.1' }],
    ['another server', session('deepseek', 'm', thought), { dialect: 'kimi', model: 'm' }],
    ['a server that refuses it', session('mistral', 'm', thought), { dialect: 'mistral', model: 'm' }],
    ['a server from one that is not known', session(undefined, 'm', thought), { dialect: 'deepseek', model: 'm' }],
    [
      'a server, when it was asked to drop it',
      session('deepseek', 'm', thought),
      { dialect: 'deepseek', reasoning: 'drop' },
    ],
  ])('does not go to %s, and that is told', (_server, stored, options) => {
    const { message, codes } = written(stored, options)
    expect(JSON.stringify(message)).not.toContain('hm')
    expect(codes).toContain('reasoning-left-out')
  })

  it('as details goes back as it came, and not twice', () => {
    const stored = session('openrouter', 'anthropic/claude-sonnet-4.5', { reasoning: 'hm', reasoning_details: details })
    const { message, codes } = written(stored, { dialect: 'openrouter', model: 'anthropic/claude-sonnet-4.5' })
    expect(message).toMatchObject({ reasoning_details: details })
    expect(message).not.toHaveProperty('reasoning')
    expect(codes).toEqual([])
  })

  it('as details is signed for the model that answered', () => {
    const stored = session('openrouter', 'anthropic/claude-sonnet-4.5', { reasoning_details: details })
    for (const options of [{ model: 'openai/gpt-5' }, {}]) {
      const { message, codes } = written(stored, { dialect: 'openrouter', ...options })
      expect(message).not.toHaveProperty('reasoning_details')
      expect(codes).toEqual(['reasoning-left-out'])
    }
  })

  it('with nothing behind it is no message of its own', () => {
    const stored = session('deepseek', 'm', thought)
    const [user, answer] = stored.messages as [Session['messages'][0], Session['messages'][0]]
    const alone = { ...answer, parts: answer.parts.slice(0, 1) } as Session['messages'][0]
    const { request } = toOpenAIChat(
      { version: 1, messages: [user, alone] },
      { dialect: 'deepseek', model: 'm', next: 'more' },
    )
    expect(check('openai-chat', { model: 'm', ...request }, { level: 'strict', dialect: 'deepseek' })).toEqual([])
    expect(JSON.stringify(request)).not.toContain('hm')
  })
})
