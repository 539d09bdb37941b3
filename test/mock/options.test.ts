import { describe, expect, it } from 'vitest'
import { type MockOptions, mockProviders } from '../../src/mock/index.ts'

function refusal(options: unknown): string {
  try {
    mockProviders(options as MockOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  return 'nothing'
}

const THERE = 'there are anthropic, openai-chat, openai-responses'

describe('an API without a mock', () => {
  it.each(['gemini', 'openai', 'openai_chat', 'chat', 'constructor', ''])('%j is refused', (api) => {
    for (const option of ['baseUrls', 'dialects']) {
      const said = refusal({ [option]: { [api]: 'https://example.org' } })
      expect(said).toMatch(
        new RegExp(`^The option ${option} must be an object with a text for an API: there is no mock of `),
      )
      expect(said.endsWith(`; ${THERE}.`)).toBe(true)
      expect(said.length).toBeLessThan(500)
    }
    expect(refusal(JSON.parse(`{"baseUrls":{"__proto__":"https://example.org"}}`))).toContain('no mock of __proto__')
  })

  it('is refused in few words', () => {
    expect(refusal({ baseUrls: { ['x'.repeat(100_000)]: '/' } }).length).toBeLessThan(500)
    expect(refusal({ baseUrls: { anthropic: 'x'.repeat(100_000) } }).length).toBeLessThan(500)
  })

  it('may stand without a text', () => {
    expect(refusal({ baseUrls: { gemini: undefined, anthropic: undefined } })).toBe('nothing')
  })
})

describe('a base URL', () => {
  it.each(['https://api.mistral.ai/v1', 'http://localhost:8080', '/api', '/'])('may be %s', (base) => {
    expect(refusal({ baseUrls: { 'openai-chat': base } })).toBe('nothing')
  })

  it.each([
    '',
    'api.mistral.ai/v1',
    'localhost:8080',
    'ftp://example.org',
    'https://',
    'https://example.org/?a=1',
    ' /api',
  ])('is not %j, to which no request would go', (base) => {
    expect(refusal({ baseUrls: { 'openai-chat': base } })).toBe(
      `The option baseUrls must be an object with a text for an API: '${base}' is no URL that begins with http:// or https://, and no path that begins with /.`,
    )
  })

  it('is a text', () => {
    expect(refusal({ baseUrls: { anthropic: new URL('https://example.org') } })).toBe(
      'The option baseUrls must be an object with a text for an API.',
    )
  })
})

describe('rules that a mock leaves out', () => {
  it('are those of all three APIs, and what only a server sees', () => {
    const without = [
      'anthropic/max-tokens',
      'anthropic/count-tokens-same',
      'openai-chat/tool-call-id-too-long',
      'openai-responses/call-id-too-long',
    ]
    expect(refusal({ without })).toBe('nothing')
  })

  it.each([
    ['openai-chat/tool-call-id-to-long', 'openai-chat/tool-call-id-too-long'],
    ['openai-responses/tool-calls-empty', 'openai-chat/tool-calls-empty'],
    ['max-tokens', 'anthropic/max-tokens'],
  ])('are not %s, and %s is offered', (given, meant) => {
    expect(refusal({ without: [given] })).toBe(
      `The option without must be a list of rule ids: there is no ${given}; ${meant} may be meant.`,
    )
  })
})

describe('other options', () => {
  it.each([
    ['level', 'lax', "The option level must be 'live' or 'strict'."],
    ['onViolation', 'ignore', "The option onViolation must be 'respond' or 'throw'."],
    ['dialects', { 'openai-chat': 1 }, 'The option dialects must be an object with a text for an API.'],
  ])('%s is not %j', (name, wrong, said) => {
    expect(refusal({ [name]: wrong })).toBe(said)
  })
})
