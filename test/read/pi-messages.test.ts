import { describe, expect, it } from 'vitest'
import { toAnthropic, toOpenAIResponses } from '../../src/index.ts'
import { callsOf, codes, firstAssistant, short } from './claude-code-lines.ts'
import type { Line } from './hostile.ts'
import { call, entry, header, message, read, result, said, text, user } from './pi-lines.ts'

const shown = (lines: readonly Line[], options = {}): string[] => short(read(lines, options).session.messages)

describe('texts that pi makes', () => {
  const bash = (fields: Line): Line =>
    message('b', null, {
      role: 'bashExecution',
      command: 'ls',
      output: 'a\nb',
      exitCode: 0,
      cancelled: false,
      ...fields,
    })

  it.each<[string, Line]>([
    ['Ran `ls`\n```\na\nb\n```', {}],
    ['Ran `ls`\n(no output)', { output: '' }],
    ['Ran `ls`\n```\na\nb\n```\n\nCommand exited with code 2', { exitCode: 2 }],
    ['Ran `ls`\n```\na\nb\n```\n\n(command cancelled)', { exitCode: null, cancelled: true }],
    ['Ran `ls`\n```\na\nb\n```\n\n[Output truncated. Full output: /o]', { truncated: true, fullOutputPath: '/o' }],
  ])('%j', (wanted, fields) => {
    expect(shown([header(), bash(fields)])).toEqual([`injected: ${wanted}`])
  })

  it('leave out commands that the user kept to himself', () => {
    const found = read([header(), bash({ excludeFromContext: true })])
    expect(found.session.messages).toEqual([])
    expect(codes(found)).toEqual(['message-left-out'])
  })

  it('tell of the branch that was left', () => {
    const wanted =
      'summary: The following is a summary of a branch that this conversation came back from:\n\n<summary>\nTried A.</summary>'
    expect(shown([header(), entry('branch_summary', 'b', null, { fromId: 'x', summary: 'Tried A.' })])).toEqual([
      wanted,
    ])
    expect(shown([header(), message('b', null, { role: 'branchSummary', summary: 'Tried A.' })])).toEqual([wanted])
    expect(shown([header(), entry('branch_summary', 'b', null, { fromId: 'x', summary: '' })])).toEqual([])
  })

  it('bring what extensions say, wherever it stands', () => {
    const lines = [
      header(),
      user('u', null, 'go'),
      said('a', 'u', [call('A')], { stopReason: 'toolUse' }),
      entry('custom_message', 'c', 'a', { customType: 'note', content: 'Careful.', display: false }),
      result('r', 'c', 'A', 'out'),
      entry('custom', 'd', 'r', { customType: 'state', data: { n: 1 } }),
      entry('usage', 'e', 'd', { kind: 'cache_warm' }),
      entry('of tomorrow', 'f', 'e', {}),
    ]
    const found = read(lines)
    expect(short(found.session.messages)).toEqual(['user: go', 'assistant: A=completed:out', 'injected: Careful.'])
    expect(codes(found).sort()).toEqual(['record-unknown', 'result-moved'])
  })
})

describe('system messages', () => {
  it('make the prompt and the tools, and later on instructions', () => {
    const tool = (name: string): Line => ({ name, description: name, parameters: { type: 'object' } })
    const system = (id: string, parent: string | null, fields: Line): Line =>
      message(id, parent, { role: 'system', content: '', ...fields })
    const { session } = read([
      header(),
      system('s1', null, {
        content: [text('You are'), text('an agent.')],
        sections: { rules: 'Be kind.', cwd: '/w' },
        toolsAdded: [tool('bash'), tool('read')],
      }),
      user('u', 's1', 'hi'),
      system('s2', 'u', {
        content: 'Be brief.',
        sections: { rules: null, cwd: '/x' },
        toolsRemoved: [{ name: 'read' }],
        toolsAdded: [tool('edit')],
      }),
      system('s3', 's2', { toolsAdded: [7, tool('bash')] }),
    ])
    expect(session.instructions).toEqual([{ type: 'text', text: 'You are\nan agent.\n\nBe kind.\n\n/w' }])
    expect(session.tools?.map(({ name }) => name)).toEqual(['bash', 'edit'])
    expect(short(session.messages)).toEqual([
      'user: hi',
      'instruction: Be brief.\n\nRemoved system prompt section "rules".\n\nUpdated system prompt section "cwd":\n\n/x',
    ])
  })
})

describe('answers', () => {
  const first = (content: unknown, fields: Line = {}) =>
    firstAssistant(read([header(), user('u', null, 'hi'), said('a', 'u', content, fields)]).session.messages)

  it.each<[string, string | undefined]>([
    ['stop', 'end'],
    ['length', 'length'],
    ['toolUse', 'tool-calls'],
    ['error', 'error'],
    ['aborted', 'aborted'],
    ['deferred', 'paused'],
    ['pending', undefined],
    ['toString', undefined],
  ])('that end by %s', (stopReason, stop) => {
    expect(first([text('x')], { stopReason }).stop).toBe(stop)
  })

  it('count their tokens', () => {
    const usage = {
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
      reasoning: 5,
      totalTokens: 10,
      cost: { total: 0 },
    }
    expect(first([text('x')], { usage }).usage).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 3,
      cacheWriteTokens: 4,
      reasoningTokens: 5,
    })
  })

  it('that failed stay, with the results of their calls', () => {
    for (const stopReason of ['error', 'aborted']) {
      const { session } = read([
        header(),
        user('u', null, 'go'),
        said('a', 'u', [text('I'), call('A'), call('B')], { stopReason, errorMessage: 'cut off' }),
        result('r', 'a', 'A', 'out'),
      ])
      expect(session.messages[1]).toMatchObject({ stop: stopReason, extra: { pi: { errorMessage: 'cut off' } } })
      // What such an answer calls is never run.
      expect(callsOf(session.messages).map(({ state }) => state)).toEqual([
        { status: 'completed', result: 'out' },
        { status: 'interrupted', dispatched: false },
      ])
    }
    const empty = read([header(), user('u', null, 'go'), said('a', 'u', [], { stopReason: 'error' })])
    expect(short(empty.session.messages)).toEqual(['user: go'])
    expect(codes(empty)).toEqual(['message-empty'])
  })

  it('in a plain text, and blocks that are none', () => {
    expect(first('plain').parts).toEqual([{ type: 'text', text: 'plain' }])
    expect(first(['bare', { type: 'what' }, { type: 'text' }, 7]).parts).toEqual([{ type: 'text', text: 'bare' }])
    expect(codes(read([header(), said('a', null, 7)]))).toEqual(['record-invalid'])
  })

  it('keep arguments of every kind', () => {
    const args = [{ a: 1 }, 'broken {', null, [1], undefined].map((value) => {
      const [part] = first([call('A', { arguments: value })]).parts
      return part?.type === 'tool-call' ? part.args : undefined
    })
    expect(args).toEqual([{ a: 1 }, 'broken {', {}, [1], {}])
  })
})

describe('what an API signed', () => {
  const RESPONSES = { api: 'openai-responses', provider: 'openai', model: 'gpt-5.2' }
  const parts = (block: Line, fields: Line) =>
    firstAssistant(read([header(), said('a', null, [block], fields)]).session.messages)
  const thinking = (thinkingSignature: string, fields: Line = {}): Line => ({
    type: 'thinking',
    thinking: 'hm',
    thinkingSignature,
    ...fields,
  })

  it.each<[string, string, Line, unknown]>([
    ['anthropic-messages', 'thinking', thinking('sig'), { text: 'hm', extra: { anthropic: { signature: 'sig' } } }],
    [
      'anthropic-messages',
      'redacted thinking',
      thinking('blob', { thinking: '[Reasoning redacted]', redacted: true }),
      { text: '', redacted: true, extra: { anthropic: { data: 'blob' } } },
    ],
    ['bedrock-converse-stream', 'thinking', thinking('sig'), { extra: { bedrock: { signature: 'sig' } } }],
    ['google-generative-ai', 'thinking', thinking('QUJD'), { extra: { gemini: { thoughtSignature: 'QUJD' } } }],
    [
      'google-generative-ai',
      'thinking without its text',
      thinking('QUJD', { thinking: '' }),
      { text: '', redacted: true, extra: { gemini: { thoughtSignature: 'QUJD' } } },
    ],
    [
      'openai-completions',
      'thinking',
      thinking('reasoning_content'),
      { extra: { 'openai-chat': { field: 'reasoning_content' } } },
    ],
    ['of-tomorrow', 'thinking', thinking('sig'), { extra: { pi: { thinkingSignature: 'sig' } } }],
    [
      'openai-responses',
      'thinking that is no item',
      thinking('QUJDRA=='),
      { extra: { pi: { thinkingSignature: 'QUJDRA==' } } },
    ],
    [
      'openai-codex-responses',
      'text',
      text('x', { textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}' }),
      { extra: { 'openai-responses': { item: { id: 'msg_1', phase: 'commentary' } } } },
    ],
    [
      'openai-responses',
      'text',
      text('x', { textSignature: 'msg_2' }),
      { extra: { 'openai-responses': { item: { id: 'msg_2' } } } },
    ],
    [
      'google-vertex',
      'text',
      text('x', { textSignature: 'QUJD' }),
      { extra: { gemini: { thoughtSignature: 'QUJD' } } },
    ],
    [
      'google-vertex',
      'calls',
      call('A', { thoughtSignature: 'QUJD' }),
      { extra: { gemini: { thoughtSignature: 'QUJD' } } },
    ],
    [
      'openai-responses',
      'calls',
      call('call_1|fc_1', { namespace: 'ns' }),
      { id: 'call_1|fc_1', extra: { 'openai-responses': { id: 'fc_1', namespace: 'ns' } } },
    ],
    [
      'openai-responses',
      'free text',
      call('call_1|ctc_1', { arguments: { patch: '*** Begin' } }),
      { kind: 'custom', args: '*** Begin', extra: { 'openai-responses': { id: 'ctc_1' } } },
    ],
  ])('%s: %s', (api, _what, block, wanted) => {
    expect(parts(block, { api }).parts).toMatchObject([wanted])
  })

  it('as details of a completion belongs to the message', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }]
    const api = 'openai-completions'
    const wanted = { extra: { 'openai-chat': { reasoning_details: details } } }
    expect(parts(thinking(JSON.stringify(details)), { api })).toMatchObject(wanted)
    expect(parts(call('A', { thoughtSignature: JSON.stringify(details[0]) }), { api })).toMatchObject(wanted)
  })

  it('goes back to that API and model, and to no other', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'blob' }
    const { session } = read([
      header(),
      user('u', null, 'go'),
      said('a', 'u', [thinking(JSON.stringify(item), { thinking: '' }), call('call_1|fc_1')], RESPONSES),
      result('r', 'a', 'call_1|fc_1', 'out'),
      said('b', 'r', [thinking('sig'), text('done')]),
      user('v', 'b', 'thanks'),
    ])
    expect(firstAssistant(session.messages).parts[0]).toEqual({
      type: 'reasoning',
      text: '',
      redacted: true,
      extra: { 'openai-responses': { item: { id: 'rs_1', summary: [], encrypted_content: 'blob' } } },
    })
    const { input } = toOpenAIResponses(session, { model: 'gpt-5.2' }).request
    expect(input).toMatchObject([
      { role: 'user' },
      item,
      { type: 'function_call', id: 'fc_1' },
      { type: 'function_call_output' },
      { role: 'assistant' },
      { role: 'user' },
    ])
    const anthropic = JSON.stringify(toAnthropic(session, { model: 'claude-sonnet-4-5' }).request)
    expect(anthropic).toContain('"signature":"sig"')
    expect(anthropic).not.toContain('blob')
  })
})

describe('results', () => {
  const open = [header(), user('u', null, 'go'), said('a', 'u', [call('A')], { stopReason: 'toolUse' })]

  it.each(['Operation aborted', 'Skipped due to queued user message.', 'No result provided'])(
    'that pi made up (%s) give way to a real one',
    (closer) => {
      const lines = [...open, result('r', 'a', 'A', [text(closer)], { isError: true })]
      expect(callsOf(read(lines).session.messages)[0]?.state.status).toBe(
        closer === 'No result provided' ? 'interrupted' : 'failed',
      )
      const late = read([...lines, user('v', 'r', 'more'), result('s', 'v', 'A', 'real')])
      expect(short(late.session.messages)).toEqual(['user: go', 'assistant: A=completed:real', 'user: more'])
      expect(codes(late)).toEqual(['synthetic-result-replaced', 'result-moved'])
    },
  )

  it('of an id that is used again go to the nearest open call before them', () => {
    const found = read([
      ...open,
      result('r1', 'a', 'A', 'A1'),
      result('r2', 'r1', 'A', 'A2'),
      said('b', 'r2', [call('A')], { stopReason: 'toolUse' }),
      result('r3', 'b', 'A', 'B'),
    ])
    expect(short(found.session.messages).slice(1)).toEqual(['assistant: A=completed:A1', 'assistant: A=completed:B'])
    expect(codes(found)).toEqual(['duplicate-result'])
  })

  it('without an id go by name and order', () => {
    const lines = [
      header(),
      said('a', null, [call('', { name: 'x' }), call('', { name: 'y' })], { stopReason: 'toolUse' }),
      result('r1', 'a', '', 'Y', { toolName: 'y' }),
      result('r2', 'r1', '', 'X', { toolName: 'x' }),
    ]
    expect(shown(lines)).toEqual(['assistant: =completed:X, =completed:Y'])
  })

  it('keep what is no block', () => {
    expect(callsOf(read([...open, result('r', 'a', 'A', [{ odd: 1 }])]).session.messages)[0]?.state).toEqual({
      status: 'completed',
      result: [{ type: 'json', value: { odd: 1 } }],
    })
  })

  it('may hold a reference in the place of an image', () => {
    const image = { type: 'image', data: 'blob:sha256:ab', mimeType: 'image/png' }
    expect(callsOf(read([...open, result('r', 'a', 'A', [image])]).session.messages)[0]?.state).toMatchObject({
      result: [{ type: 'media', source: { url: 'blob:sha256:ab' } }],
    })
  })
})
