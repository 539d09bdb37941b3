import { describe, expect, it } from 'vitest'
import {
  type AssistantMessage,
  type InstructionMessage,
  type Session,
  type ToolCallEntry,
  type ToolDefinition,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../src/index.ts'
import { assistant, call, done, session, user } from './say.ts'

/** Each thing that a writer leaves out or writes otherwise is told, by the code of its own. */

const WRITERS = { anthropic: toAnthropic, 'openai-chat': toOpenAIChat, 'openai-responses': toOpenAIResponses }

function codes(api: keyof typeof WRITERS, input: Session, options: object = {}): string[] {
  const { changes } = WRITERS[api](input, options)
  return changes.map((change) => change.code).sort()
}

const tools = [{ name: 'run' }]
const said = (text: string, extra?: object) =>
  ({ type: 'text', text, ...(extra === undefined ? {} : { extra }) }) as const
const withTools = (given: readonly ToolDefinition[]): Session => ({ ...session(user('x')), tools: given })
const instruction = (authority: InstructionMessage['authority']): InstructionMessage => ({
  role: 'instruction',
  authority,
  parts: [said('be brief')],
})
const provided = (id: string, extra: object, state: ToolCallEntry['state'] = done('found')): ToolCallEntry =>
  call(id, state, { name: 'web_search', executor: 'provider', extra })

describe('definitions', () => {
  it('of one name are told to be one', () => {
    expect(codes('anthropic', withTools([{ name: 'run' }, { name: 'run' }]))).toEqual(['extra-left-out'])
  })

  it('whose texts are ill-formed are told to be mended', () => {
    expect(codes('anthropic', withTools([{ name: 'run', description: 'cut \ud83d' }]))).toEqual(['text-ill-formed'])
  })

  it('whose parameters are no object are told to have none', () => {
    expect(codes('anthropic', withTools([{ name: 'run', parameters: { type: 'string' } }]))).toEqual(['extra-left-out'])
  })

  it('that only another API runs are told to be left out', () => {
    const raw = { type: 'web_search', web_search: { engine: 'x' } }
    const input = withTools([{ name: 'run' }, { name: 'web_search', extra: { 'openai-chat': { raw } } }])
    expect(codes('anthropic', input)).toEqual(['native-left-out'])
  })
})

describe('anthropic', () => {
  it('tells of a text file that became text', () => {
    const csv = { type: 'media', kind: 'file', mediaType: 'text/csv', source: { base64: btoa('a,b') } } as const
    expect(codes('anthropic', session({ role: 'user', parts: [csv] }))).toEqual(['media-as-text'])
  })

  it('tells of thinking that nothing follows once a call of the API itself is gone', () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const turn: AssistantMessage = {
      ...assistant(
        { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'c2ln' } } },
        provided('srvtoolu_1', { anthropic: { use } }, { status: 'pending' }),
      ),
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
    }
    const input = session(user('x'), turn, user('y'))
    expect(codes('anthropic', input, { model: 'claude-sonnet-4-5' })).toEqual([
      'provider-call-left-out',
      'reasoning-left-out',
    ])
  })

  it('tells of a caller that may be gone', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    const input = session(user('x'), assistant(call('c', done('ok'), { extra: { anthropic: { caller } } })))
    expect(codes('anthropic', { ...input, tools })).toEqual(['extra-left-out'])
  })

  it('tells of an hour of cache behind a shorter one', () => {
    const marked = (text: string, ttl: string) =>
      said(text, { anthropic: { cache_control: { type: 'ephemeral', ttl } } })
    const input = session({ role: 'user', parts: [marked('a', '5m'), marked('b', '1h')] })
    expect(codes('anthropic', input)).toEqual(['cache-marker-left-out'])
  })
})

describe('chat', () => {
  it('tells of an ill-formed text in a slot of the message', () => {
    const turn: AssistantMessage = { ...assistant(), extra: { 'openai-chat': { refusal: 'no \ud83d' } } }
    expect(codes('openai-chat', session(user('x'), turn, user('y')))).toEqual(['text-ill-formed'])
  })

  it('tells of a refusal that stands beside text', () => {
    const refusal = {
      type: 'native',
      api: 'openai-chat',
      value: { type: 'refusal', refusal: 'no' },
      text: 'no',
    } as const
    expect(codes('openai-chat', session(user('x'), assistant('well', refusal), user('y')))).toEqual(['native-as-text'])
  })

  it('tells of reasoning in a slot of the message', () => {
    const details = [{ type: 'reasoning.text', text: 'hm' }]
    const turn: AssistantMessage = { ...assistant('ok'), extra: { 'openai-chat': { reasoning_details: details } } }
    expect(codes('openai-chat', session(user('x'), turn, user('y')))).toEqual(['reasoning-left-out'])
  })

  it('tells of a result that says nothing', () => {
    expect(codes('openai-chat', session(user('x'), assistant(call('c', done('')))))).toEqual(['result-empty'])
  })

  it('tells of a system prompt that a model takes from the user only', () => {
    const input = { ...session(user('x')), instructions: [said('be brief')] }
    expect(codes('openai-chat', input, { model: 'o1-mini' })).toEqual(['instruction-as-user'])
  })
})

describe.each(['openai-chat', 'openai-responses'] as const)('%s', (api) => {
  it.each([
    ['gpt-3.5-turbo', 'developer', ['instruction-role-changed']],
    ['gpt-3.5-turbo', 'system', []],
    ['o1-mini', 'system', ['instruction-as-user']],
  ] as const)('tells in which role %s takes a %s instruction', (model, authority, told) => {
    expect(codes(api, session(user('x'), instruction(authority)), { model })).toEqual(told)
  })
})

describe('responses', () => {
  const by = { provider: 'openai', api: 'openai-responses', model: 'gpt-5' } as const
  const search = (id: string, more: object = {}) => ({
    id,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'q', ...more },
  })

  it('tells of a second call of the API itself under one id', () => {
    const calls = [1, 2].map(() => provided('ws_1', { 'openai-responses': { item: search('ws_1') } }))
    expect(codes('openai-responses', session(user('x'), assistant(...calls, 'ok'), user('y')))).toEqual([
      'provider-call-left-out',
    ])
  })

  it('tells of the sources of a search, which only answers have', () => {
    const item = search('ws_1', { sources: [{ type: 'url', url: 'https://example.org' }] })
    const turn = assistant(provided('ws_1', { 'openai-responses': { item } }), 'ok')
    expect(codes('openai-responses', session(user('x'), turn, user('y')))).toEqual(['extra-left-out'])
  })

  it('tells of the plain text of reasoning', () => {
    const item = { id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }], encrypted_content: 'ZQ' }
    const turn: AssistantMessage = {
      ...assistant(
        { type: 'reasoning', text: 'hm', extra: { 'openai-responses': { item } } },
        said('ok', { 'openai-responses': { item: { id: 'msg_1', status: 'completed' } } }),
      ),
      by,
    }
    const input = session(user('x'), turn, user('y'))
    expect(codes('openai-responses', input, { model: 'gpt-5' })).toEqual(['extra-left-out'])
  })
})
