import { describe, expect, it } from 'vitest'
import { ANTHROPIC_RULES, checkAnthropic } from '../../src/check/anthropic/index.ts'
import { check } from '../../src/check/index.ts'
import { checkOpenAIChat } from '../../src/check/openai-chat/index.ts'
import { checkOpenAIResponses } from '../../src/check/openai-responses/index.ts'
import type { CheckOptions } from '../../src/check/rule.ts'

const APIS = ['anthropic', 'openai-chat', 'openai-responses'] as const
const ALONE = {
  anthropic: checkAnthropic,
  'openai-chat': checkOpenAIChat,
  'openai-responses': checkOpenAIResponses,
}
const PLATFORMS = {
  anthropic: ['anthropic', 'bedrock', 'vertex'],
  'openai-chat': ['openai', 'azure'],
  'openai-responses': ['openai', 'azure'],
}

/** What both ways to check a body throw. */
function refusal(api: (typeof APIS)[number], options: CheckOptions): string {
  const said = [() => check(api, {}, options), () => ALONE[api]({}, options)].map((run) => {
    try {
      run()
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError)
      return (error as Error).message
    }
    return 'nothing'
  })
  expect(said[0]).toBe(said[1])
  return said[0]!
}

describe.each(APIS)('the platform of %s', (api) => {
  it.each(PLATFORMS[api])('may be %s', (platform) => {
    expect(refusal(api, { platform })).toBe('nothing')
  })

  it.each(['bedrok', 'Azure', '', 'constructor', '__proto__', 'gcp'])(
    'is not %j, and is refused by name',
    (platform) => {
      const known = PLATFORMS[api].map((name) => `'${name}'`).join(' or ')
      expect(refusal(api, { platform })).toBe(`The option platform must be ${known}.`)
    },
  )

  it('is none of another API', () => {
    const other = api === 'anthropic' ? 'azure' : 'bedrock'
    expect(refusal(api, { platform: other })).toMatch(/^The option platform must be /)
  })
})

describe('rules that are left out', () => {
  it.each([
    ['anthropic', 'anthropic/tool-result-mising', 'anthropic/tool-result-missing'],
    ['anthropic', 'anthropic/tool_result_missing', 'anthropic/tool-result-missing'],
    ['anthropic', 'tool-result-missing', 'anthropic/tool-result-missing'],
    ['anthropic', 'Anthropic/Max-Tokens', 'anthropic/max-tokens'],
    ['openai-chat', 'openai-chat/call-id-too-long', 'openai-chat/tool-call-id-too-long'],
    ['openai-chat', 'tool-call-id-to-long', 'openai-chat/tool-call-id-too-long'],
    ['openai-chat', 'openai/tools-empty', 'openai-chat/tools-empty'],
    ['openai-responses', 'openai-responses/input-emtpy', 'openai-responses/input-empty'],
  ] as const)('%s: %s is no rule, and %s is offered', (api, given, meant) => {
    expect(refusal(api, { without: [given] })).toBe(
      `The option without must be a list of rule ids: there is no ${given}; ${meant} may be meant.`,
    )
  })

  it.each(['', 'constructor', '__proto__', 'anthropic', 'anthropic/', 'a rule\u0000\ud800'])(
    'are ids, of which %j is none, nor near to one',
    (given) => {
      const said = refusal('anthropic', { without: [ANTHROPIC_RULES[0]!, given] })
      expect(said).toMatch(/^The option without must be a list of rule ids: there is no /)
      expect(said).toContain('; ids are such as anthropic/')
      expect(said.length).toBeLessThan(400)
    },
  )

  it('are ids, of which a huge text is none, as is seen at once', () => {
    const said = refusal('anthropic', { without: ['x'.repeat(20_000_000)] })
    expect(said).toContain('; ids are such as anthropic/')
    expect(said.length).toBeLessThan(400)
  })

  it.each(['anthropic/max-tokens', [1], { 0: 'anthropic/max-tokens' }, null])(
    'are a list of texts, not %j',
    (wrong) => {
      expect(refusal('anthropic', { without: wrong as never })).toBe('The option without must be a list of rule ids.')
    },
  )

  it('may be all that there are, and those of other APIs: one list serves all', () => {
    const without = [...ANTHROPIC_RULES, 'openai-chat/tool-call-id-too-long', 'openai-responses/call-id-too-long']
    expect(check('anthropic', {}, { without })).toEqual([])
    for (const api of APIS) expect(refusal(api, { without: ['anthropic/max-tokens', without.at(-1)!] })).toBe('nothing')
  })

  it('are not those that no body shows', () => {
    expect(refusal('openai-chat', { without: ['openai-chat/model-not-found'] })).toContain(
      'there is no openai-chat/model',
    )
  })
})

describe('what a server of Responses is known to hold', () => {
  it.each(['x', {}, { items: [], responses: [] }, { items: new Map() }])('is not %j', (known) => {
    expect(() => checkOpenAIResponses({}, { known: known as never })).toThrow(/^The option known must be /)
  })

  it('is a map and a set', () => {
    const known = { items: new Map([['rs_1', null]]), responses: new Set<string>() }
    expect(() => checkOpenAIResponses({}, { known })).not.toThrow()
  })
})
