import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/cline/index.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import {
  batter,
  callOf,
  callsOf,
  codes,
  deepened,
  PROTOTYPE_NAMES,
  readAs,
  readWith,
  refusals,
  short,
  type Value,
} from './stored.ts'

const INFO = { modelInfo: { providerId: 'anthropic', modelId: 'claude-sonnet-4-5', mode: 'act' } }
const text = (value: string): Value => ({ type: 'text', text: value })
const use = (id: string, name = 'read_file', more: Value = {}): Value => ({
  type: 'tool_use',
  id,
  name,
  input: { path: 'a' },
  ...more,
})
const user = (...content: unknown[]): Value => ({ role: 'user', content })
const said = (...content: unknown[]): Value => ({ role: 'assistant', content, ...INFO })
const DETAILS = '<environment_details>\n# Current Working Directory (/home/me/app) Files\na.ts\n</environment_details>'
const task = user(text('<task>\nfix it\n</task>'), text(DETAILS))
const read = (source: unknown) => readAs(reader, source)

describe('the classic history', () => {
  it('names who answered, when, at what cost, and where', () => {
    const { session } = read([
      { ...task, ts: 1_700_000_000_000 },
      {
        ...said({ type: 'thinking', thinking: 'hm', signature: 'sig', summary: [] }, text('yes')),
        ts: 1_700_000_001_000,
        metrics: { tokens: { prompt: 10, completion: 5, cached: 3 } },
      },
    ])
    expect(session).toMatchObject({
      cwd: '/home/me/app',
      createdAt: '2023-11-14T22:13:20.000Z',
      source: { format: 'cline' },
    })
    expect(session.messages[1]).toEqual({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'yes' },
      ],
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3 },
      at: '2023-11-14T22:13:21.000Z',
    })
  })

  it('pairs blocks with blocks', () => {
    const told = read([
      task,
      said(use('A'), use('B')),
      user(
        { type: 'tool_result', tool_use_id: 'B', content: 'no', is_error: true },
        { type: 'tool_result', tool_use_id: 'A', content: [text('yes')] },
        text(DETAILS),
      ),
    ])
    expect(short(told).slice(1, 2)).toEqual(['assistant: A/read_file=completed:yes, B/read_file=failed:no'])
    expect(short(told)[2]).toContain('user (injected): <environment_details>')
    expect(codes(told)).toEqual([])
  })

  it('leaves calls written as text what they are', () => {
    const told = read([
      task,
      said(text('<read_file>\n<path>a</path>\n</read_file>')),
      user(text("[read_file for 'a'] Result:\n\nbody"), text(DETAILS)),
    ])
    expect(callsOf(told.session)).toEqual([])
    expect(short(told)[2]).toContain('body')
  })
})

describe('results told as text', () => {
  const answer = (...blocks: unknown[]) => read([task, said(use('A'), use('B', 'run'), use('C')), user(...blocks)])

  it('go to the first open call of their name, whatever stands between', () => {
    const told = answer(
      text("[read_file for 'a'] Result:\n\none"),
      text('\n# Reminder\nkeep going'),
      text("[read_file for 'b'] Result:\ntwo"),
      text('[run] Result:\nthree'),
      text(DETAILS),
    )
    expect(callsOf(told.session).map(({ id, state }) => [id, state.status === 'completed' && state.result])).toEqual([
      ['A', "[read_file for 'a'] Result:\n\none"],
      ['B', '[run] Result:\nthree'],
      ['C', "[read_file for 'b'] Result:\ntwo"],
    ])
    const rest = told.session.messages[2]
    expect(rest).toMatchObject({ role: 'user', kind: 'injected' })
    expect(rest?.parts).toHaveLength(2)
    expect(codes(told)).toEqual([])
  })

  it('may quote anything in their heading', () => {
    const told = answer(text("[read_file for 'x]\n'y' [z]'] Result:\n\none"))
    expect(callOf(told).state).toMatchObject({ status: 'completed' })
  })

  it('of other tools stay text, and the calls are not known', () => {
    const told = answer(
      text("[write_to_file for 'a'] Result:\n\none"),
      text('[read_files] Result:\nx'),
      text('[read_file'),
    )
    expect(callsOf(told.session).map((call) => call.state.status)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ])
    expect(told.session.messages[2]?.parts).toHaveLength(3)
    expect(codes(told)).toEqual(['call-unfinished', 'call-unfinished', 'call-unfinished'])
  })

  it('say that a call failed, was refused or was not run', () => {
    const told = answer(
      text("[read_file for 'a'] Result:\n\nThe tool execution failed with the following error:\n<error>\nno\n</error>"),
      text('[run] Result:\n\nThe user denied this operation.'),
      text('Tool [read_file] was not executed because a tool has already been used in this message.'),
    )
    expect(callsOf(told.session).map(({ state }) => [state.status, state.status === 'failed' && state.denied])).toEqual(
      [
        ['failed', undefined],
        ['failed', true],
        ['failed', undefined],
      ],
    )
  })

  it('stand in the next block where the heading is alone', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
    const told = answer(text("[read_file for 'a'] Result:"), text('body'), image, text('[run] Result:'), text(DETAILS))
    expect(callsOf(told.session).map((call) => call.state)).toMatchObject([
      {
        status: 'completed',
        result: [{ type: 'text' }, { type: 'text', text: 'body' }, { type: 'media', kind: 'image' }],
      },
      { status: 'completed', result: '[run] Result:' },
      { status: 'interrupted' },
    ])
    expect(short(told)[2]).toContain('<environment_details>')
  })

  it('of calls with a result block are left where they are', () => {
    const told = answer(
      { type: 'tool_result', tool_use_id: 'A', content: 'one' },
      text("[read_file for 'a'] Result:\ntwo"),
    )
    const states = callsOf(told.session).map(({ state }) =>
      state.status === 'completed' ? state.result : state.status,
    )
    expect(states).toEqual(['one', 'interrupted', "[read_file for 'a'] Result:\ntwo"])
  })

  it('belong to the answer before them only', () => {
    const told = read([task, said(use('A')), said(use('B')), user(text("[read_file for 'a'] Result:\none"))])
    expect(short(told).slice(1)).toEqual([
      'assistant: A/read_file=interrupted',
      "assistant: B/read_file=completed:[read_file for 'a'] Result:\none",
    ])
  })
})

describe('calls without an outcome', () => {
  it('are interrupted, also at the end', () => {
    const told = read([task, said(use('A'))])
    expect(short(told)[1]).toBe('assistant: A/read_file=interrupted')
    expect(codes(told)).toEqual(['call-unfinished'])
  })

  it.each([
    '[migration] Tool result missing in legacy conversation history.',
    'Tool execution was interrupted before a result was produced. Tool: read_file.',
  ])('are those that the tool closed itself: %s', (content) => {
    const told = read([task, said(use('A')), user({ type: 'tool_result', tool_use_id: 'A', content, is_error: true })])
    expect(callOf(told).state).toEqual({ status: 'interrupted' })
  })

  it('end an answer that was cut short', () => {
    const told = read([task, said(text('I will\n\n[Response interrupted by user feedback]'))])
    expect(told.session.messages[1]).toMatchObject({ stop: 'aborted' })
  })
})

describe('what providers signed', () => {
  const by = (provider: string, modelId: string, ...content: unknown[]) =>
    read([task, { role: 'assistant', content, modelInfo: { providerId: provider, modelId } }]).session.messages[1]

  it('goes to the slot of the API that made it', () => {
    expect(
      by('gemini', 'gemini-3', { ...use('A'), signature: 'S' }, { ...text('t'), signature: 'T' })?.parts,
    ).toMatchObject([
      { type: 'tool-call', extra: { gemini: { thoughtSignature: 'S' } } },
      { type: 'text', extra: { gemini: { thoughtSignature: 'T' } } },
    ])
    expect(by('bedrock', 'claude', { type: 'thinking', thinking: 'x', signature: 'S' })?.parts).toMatchObject([
      { type: 'reasoning', extra: { bedrock: { signature: 'S' } } },
    ])
    expect(by('vertex', 'claude-opus-4', { type: 'redacted_thinking', data: 'D' })).toMatchObject({
      by: { api: 'anthropic' },
      parts: [{ type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'D' } } }],
    })
    expect(by('openai-native', 'gpt-5', { ...use('fc_1'), call_id: 'call_1' })?.parts).toMatchObject([
      { type: 'tool-call', id: 'fc_1', extra: { 'openai-responses': { id: 'fc_1' } } },
    ])
  })

  it('is told once for a message, where routers list it', () => {
    const detail = { type: 'reasoning.encrypted', data: 'D' }
    const message = by(
      'openrouter',
      'x/y',
      { type: 'thinking', thinking: 'x', signature: 'S', summary: [detail] },
      { ...text('t'), reasoning_details: [detail] },
      { ...use('A'), reasoning_details: [detail] },
    )
    expect(message).toMatchObject({
      by: { provider: 'openrouter', api: 'openai-chat' },
      extra: { 'openai-chat': { reasoning_details: [detail] } },
      parts: [{ type: 'reasoning', extra: { cline: { signature: 'S' } } }, {}, {}],
    })
  })
})

describe('the newer store', () => {
  const store = {
    version: 1,
    updated_at: '2026-02-01T00:00:00Z',
    agent: 'lead',
    sessionId: 'S1',
    system_prompt: 'be good',
    messages: [
      { role: 'user', content: 'hi', id: 'm1', ts: 1_700_000_000_000 },
      {
        role: 'assistant',
        id: 'm2',
        content: [
          { type: 'thinking', thinking: 'x', signature: 'S', details: [] },
          use('A', 'look', { call_id: 'call_A' }),
        ],
        modelInfo: { id: 'claude-opus-4-6', provider: 'anthropic' },
        metrics: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, cost: 0.1 },
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'A',
            name: 'look',
            content: [
              text('seen'),
              { type: 'image', data: 'AA==', mediaType: 'image/png' },
              { type: 'file', content: 'f', path: '/a' },
            ],
          },
        ],
      },
    ],
  }

  it('is read with its prompt, its author and flat media', () => {
    const { session } = read(store)
    expect(session).toMatchObject({
      id: 'S1',
      agent: 'lead',
      instructions: [{ type: 'text', text: 'be good' }],
      messages: [
        { role: 'user', id: 'm1', parts: [{ text: 'hi' }] },
        {
          id: 'm2',
          by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-4-6' },
          usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
          parts: [
            { type: 'reasoning', extra: { anthropic: { signature: 'S' } } },
            {
              type: 'tool-call',
              id: 'A',
              state: {
                status: 'completed',
                result: [
                  { type: 'text', text: 'seen' },
                  { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
                  { type: 'media', kind: 'file', mediaType: 'text/plain', source: { text: 'f' }, name: '/a' },
                ],
              },
            },
          ],
        },
      ],
    })
    expect(session.messages).toHaveLength(2)
  })

  it('has compactions as files of their own', () => {
    const told = read({ version: 1, source_message_count: 9, messages: [{ role: 'user', content: 'so far' }] })
    expect(short(told)).toEqual(['user: so far'])
    expect(codes(told)).toEqual(['compaction-applied'])
  })
})

describe('what the screen showed', () => {
  const ts = 1_700_000_000_000
  const say = (say: string, text?: string, more: Value = {}): Value => ({ ts, type: 'say', say, text, ...more })
  const ask = (ask: string, text?: string): Value => ({ ts, type: 'ask', ask, text })
  const request = (request: string, more: Value = {}): Value =>
    say('api_req_started', JSON.stringify({ request, ...more }))
  const tool = (tool: string, more: Value = {}): string => JSON.stringify({ tool, ...more })

  it('is the conversation, with the results of the requests that follow', () => {
    const told = read([
      say('text', 'fix it', { images: ['data:image/png;base64,AA=='] }),
      request('<task>\nfix it\n</task>', { tokensIn: 4, tokensOut: 2 }),
      say('reasoning', 'hm'),
      say('text', 'I look.'),
      say('tool', tool('readFile', { path: 'a' })),
      say('checkpoint_created'),
      request("[read_file for 'a'] Result:\n\nbody\n\n<environment_details>\nx\n</environment_details>"),
      ask('tool', tool('newFileCreated', { path: 'b' })),
      ask('command', 'ls'),
      request(
        "[replace_in_file for 'b'] Result:\n\nsaved\n\n[execute_command for 'ls'] Result:\n\nThe user denied this operation.",
      ),
      say('completion_result', 'done'),
      say('user_feedback', 'more'),
      ask('followup', JSON.stringify({ question: 'which?', options: ['a'] })),
    ])
    expect(short(told)).toEqual([
      'user: fix it, <image image/png>',
      "assistant: #hm, I look., shown_1/read_file=completed:[read_file for 'a'] Result:\n\nbody",
      "assistant: shown_2/replace_in_file=completed:[replace_in_file for 'b'] Result:\n\nsaved, shown_3/execute_command=denied:[execute_command for 'ls'] Result:\n\nThe user denied this operation.",
      'assistant: done',
      'user: more',
      'assistant: shown_4/ask_followup_question=interrupted',
    ])
    expect(told.session.messages[1]).toMatchObject({ usage: { inputTokens: 4, outputTokens: 2 } })
    expect(codes(told)).toEqual(['call-unfinished'])
  })

  it('has notes that are no conversation, and kinds that are not known', () => {
    const told = read([say('task', 'hi'), say('task_progress', 'x'), say('some_new_kind', 'y'), say('tool', 'no JSON')])
    expect(short(told)).toEqual(['user: hi'])
    expect(codes(told)).toEqual(['record-unknown', 'record-invalid'])
  })
})

const HOSTILE = [
  task,
  said(
    { type: 'thinking', thinking: 'hm', signature: 's', summary: [{ type: 'x' }] },
    text('I look'),
    use('A'),
    use('B', 'run'),
  ),
  user(
    text("[read_file for 'a'] Result:"),
    text('body'),
    { type: 'tool_result', tool_use_id: 'B', content: [text('x')], is_error: true },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
  ),
  said(text('the last reply')),
]

describe('hostile input', () => {
  it('costs no other message', () => {
    const runs = batter(reader, HOSTILE, 'the last reply')
    const screen = [
      { ts: 1, type: 'say', say: 'text', text: 'hi' },
      { ts: 1, type: 'say', say: 'tool', text: '{"tool":"readFile","path":"a"}', modelInfo: INFO.modelInfo },
      { ts: 1, type: 'say', say: 'api_req_started', text: '{"request":"[read_file] Result:\\nx","tokensIn":1}' },
      { ts: 1, type: 'say', say: 'text', text: 'the last reply', images: ['data:image/png;base64,AA=='] },
    ]
    const more = batter(reader, screen, 'the last reply')
    console.info(`cline: ${runs + more} damaged histories`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is a name like any other', (name) => {
    const told = read([
      task,
      said(use(name, name), { type: name }),
      user(text(`[${name} for 'a'] Result:\nx`)),
      { role: name, content: 'x' },
    ])
    expect(short(told)[1]).toBe(`assistant: ${name}/${name}=completed:[${name} for 'a'] Result:\nx`)
    expect(codes(told)).toEqual(['part-invalid', 'record-unknown'])
    expect(codes(readWith(reader, [{ ts: 1, type: 'say', say: name, text: 'x' }]))).toEqual(['record-unknown'])
  })

  it('keeps what is too deep as text', () => {
    const told = read(deepened([task, said({ ...use('A'), input: { deep: 'MARK' } })], 'MARK'))
    expect(String(callOf(told).args)).toContain('[[[[')
    expect(codes(told)).toContain('value-too-deep')
  })

  it('is read in linear time', async () => {
    const many = (count: number): void => {
      const uses = Array.from({ length: count }, (_, index) => use(`A${index}`))
      const results = uses.map((_, index) => text(`[read_file for '${index}'] Result:\nx`))
      const details = uses.map((_, index) => ({ type: 'x', index }))
      const told = read([task, said(...uses, { ...text('t'), reasoning_details: details }), user(...results)])
      expect(callsOf(told.session).every((call) => call.state.status === 'completed')).toBe(true)
    }
    expect(await growth(20_000, many)).toBeLessThan(LINEAR)
  })
})

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/cline')
const present = existsSync(FOLDER)
if (!present) console.info('cline: no stored sessions here, skipped')

describe.skipIf(!present)('stored sessions', () => {
  const load = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
  type Block = { type: string; text?: string; id?: string; name?: string }
  type Row = { role: string; content: Block[] }

  it('of the history: each call has the text behind it that names its tool', () => {
    const rows = JSON.parse(load('1769053680585.api_conversation_history.json')) as Row[]
    // Every answer has one call here, and the next prompt at most one heading.
    const wanted = rows.flatMap((row, index) => {
      const call = row.content.find((block) => block.type === 'tool_use')
      const reply = rows[index + 1]?.content.find((block) => / Result:\n/.test(block.text ?? ''))
      return call === undefined ? [] : [[call.id, reply?.text?.startsWith(`[${call.name} `) ? reply.text : undefined]]
    })
    const told = readAs(reader, load('1769053680585.api_conversation_history.json'))
    const found = callsOf(told.session).map(({ id, state }) => [
      id,
      state.status === 'completed' ? state.result : undefined,
    ])
    expect(found).toEqual(wanted)
    expect(refusals(told.session)).toEqual([])
    table(told.session, 'api_conversation_history')
    expect(found.filter(([, result]) => result === undefined)).toHaveLength(1)
  })

  it('of the screen: each call has what the next request quotes', () => {
    const shown = JSON.parse(load('1769053680585.ui_messages.json')) as { say?: string; text?: string }[]
    const isCall = (row: { say?: string }) => row.say === 'tool' || row.say === 'command'
    const wanted = shown.flatMap((row, index) => {
      if (!isCall(row)) return []
      const next = shown.slice(index).find((other) => other.say === 'api_req_started')
      const request = (JSON.parse(next?.text ?? '{}') as { request?: string }).request ?? ''
      return [request.split('<environment_details>')[0]!.trim()]
    })
    const told = readAs(reader, load('1769053680585.ui_messages.json'))
    expect(callsOf(told.session).map(({ state }) => state.status === 'completed' && state.result)).toEqual(wanted)
    expect(refusals(told.session)).toEqual([])
    table(told.session, 'ui_messages')
  })

  function table(session: Parameters<typeof callsOf>[0], name: string): void {
    const calls = callsOf(session)
    const of = (status: string) => calls.filter((call) => call.state.status === status).length
    console.table({
      [name]: {
        messages: session.messages.length,
        calls: calls.length,
        completed: of('completed'),
        failed: of('failed'),
        interrupted: of('interrupted'),
      },
    })
  }
})
