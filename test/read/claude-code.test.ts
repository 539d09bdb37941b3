import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../src/read/index.ts'
import {
  callsOf,
  codes,
  firstAssistant,
  jsonl,
  type Line,
  link,
  read,
  result,
  said,
  short,
  text,
  use,
  user,
} from './claude-code-lines.ts'

/** One turn with two parallel calls; the chain of the last line passes through the second result only. */
const PARALLEL: readonly Line[] = [
  user('u1', null, 'list files'),
  said('a1', 'u1', 'm1', { type: 'thinking', thinking: 'hm', signature: 'sig' }),
  said('a2', 'a1', 'm1', use('A')),
  said('a3', 'a2', 'm1', use('B', 'Read')),
  result('r1', 'a2', 'A', 'x'),
  result('r2', 'a3', 'B', 'gone', { is_error: true }),
  said('a4', 'r2', 'm2', text('done')),
]

describe('lines of one API message', () => {
  it('become one message, in file order', () => {
    const { session } = read(PARALLEL)
    expect(short(session.messages)).toEqual([
      'user: list files',
      'assistant: [hm], A=completed:x, B=failed:gone',
      'assistant: done',
    ])
  })

  it('report nothing for a healthy file', () => {
    expect(codes(read(PARALLEL))).toEqual([])
  })

  it('fall back to the request id, then stand alone', () => {
    const bare = (uuid: string, parent: string, fields: Line, value: string): Line =>
      link('assistant', uuid, parent, { message: { role: 'assistant', content: [text(value)] }, ...fields })
    const { session } = read([
      user('u1', null, 'hi'),
      bare('a1', 'u1', { requestId: 'q' }, 'one'),
      bare('a2', 'a1', { requestId: 'q' }, 'two'),
      bare('a3', 'a2', {}, 'three'),
      bare('a4', 'a3', {}, 'four'),
    ])
    expect(short(session.messages)).toEqual(['user: hi', 'assistant: one, two', 'assistant: three', 'assistant: four'])
  })

  it('are gathered also where results stand between them', () => {
    const { session } = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      said('a2', 'a1', 'm1', use('B')),
      result('rA', 'a2', 'A', '1'),
      said('a3', 'rA', 'm1', use('C')),
      result('rB', 'a3', 'B', '2'),
      result('rC', 'rB', 'C', '3'),
      said('a4', 'rC', 'm2', text('end')),
    ])
    expect(short(session.messages)).toEqual([
      'user: go',
      'assistant: A=completed:1, B=completed:2, C=completed:3',
      'assistant: end',
    ])
  })

  it('are kept apart where a proxy gives every answer one id', () => {
    const same = (uuid: string, parent: string, value: string): Line =>
      link('assistant', uuid, parent, { message: { id: 'msg', role: 'assistant', content: [text(value)] } })
    const lines = [user('u1', null, '1'), same('a1', 'u1', 'one'), user('u2', 'a1', '2'), same('a2', 'u2', 'two')]
    const { session } = read([same('x', 'gone', 'elsewhere'), ...lines])
    expect(short(session.messages)).toEqual(['user: 1', 'assistant: one', 'user: 2', 'assistant: two'])
  })

  it('tell usage, stop reason, author and time once', () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 7,
      service_tier: 'standard',
    }
    const message = { id: 'm1', role: 'assistant', model: 'claude-opus-4-6' }
    const { session } = read([
      user('u1', null, 'hi'),
      link('assistant', 'a1', 'u1', {
        message: { ...message, content: [text('a')], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      link('assistant', 'a2', 'a1', {
        message: { ...message, content: [use('A')], stop_reason: 'tool_use', usage: { ...usage, output_tokens: 40 } },
        timestamp: '2026-02-01T10:00:09.000Z',
      }),
    ])
    expect(firstAssistant(session.messages)).toMatchObject({
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-4-6' },
      stop: 'tool-calls',
      usage: { inputTokens: 3, outputTokens: 40, cacheReadTokens: 7, cacheWriteTokens: 5 },
      id: 'm1',
      at: '2026-02-01T10:00:00.000Z',
    })
  })

  it('written twice under other ids make one call', () => {
    const twice = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      said('a2', 'a1', 'm1', use('A')),
      result('r1', 'a2', 'A', 'ok'),
    ])
    expect(short(twice.session.messages)).toEqual(['user: go', 'assistant: A=completed:ok'])
    expect(codes(twice)).toEqual(['record-duplicate'])
  })
})

describe('parallel results', () => {
  it('are found wherever they stand in the file', () => {
    const lines = [...PARALLEL.slice(0, 4), ...PARALLEL.slice(5), PARALLEL[4]!]
    // The late result is the last line, and hangs on its call: the conversation still ends with the last answer.
    expect(short(read(lines).session.messages).at(-1)).toBe('assistant: done')
    expect(callsOf(read(lines).session.messages).map((call) => call.state.status)).toEqual(['completed', 'failed'])
  })

  it('bring sibling calls along when the chain passes through a result of the first', () => {
    const { session } = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      said('a2', 'a1', 'm1', use('B')),
      result('rB', 'a2', 'B', '2'),
      result('rA', 'a1', 'A', '1'),
      said('a3', 'rA', 'm2', text('end')),
    ])
    expect(short(session.messages)).toEqual(['user: go', 'assistant: A=completed:1, B=completed:2', 'assistant: end'])
    // The results keep the order in which they were stored.
    expect(callsOf(session.messages).map((call) => call.resultOrder)).toEqual([1, 0])
  })

  it('never come from the side chain of another agent', () => {
    const side = { ...result('r1', 'a1', 'A', 'of another'), isSidechain: true, agentId: 'x' }
    const found = read([user('u1', null, 'go'), said('a1', 'u1', 'm1', use('A')), side, user('u2', 'a1', 'and?')])
    expect(short(found.session.messages)).toEqual(['user: go', 'assistant: A=interrupted', 'user: and?'])
  })

  it('of a line with text beside bring the text', () => {
    const both = user('r1', 'a1', [{ type: 'tool_result', tool_use_id: 'A', content: '1' }, text('note')])
    const { session } = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      said('a2', 'a1', 'm1', use('B')),
      both,
      result('r2', 'a2', 'B', '2'),
      said('a3', 'r2', 'm2', text('end')),
    ])
    expect(short(session.messages)).toEqual([
      'user: go',
      'assistant: A=completed:1, B=completed:2',
      'user: note',
      'assistant: end',
    ])
  })

  it('stand with their call when they were stored before it', () => {
    const found = read([
      user('u1', null, 'go'),
      result('r1', 'u1', 'A', 'early'),
      said('a1', 'r1', 'm1', use('A')),
      user('u2', 'a1', 'next'),
    ])
    expect(short(found.session.messages)).toEqual(['user: go', 'assistant: A=completed:early', 'user: next'])
    expect(codes(found)).toEqual([])
  })

  it('without a call anywhere are left out and reported', () => {
    const found = read([result('r0', 'cut', 'Z', 'x'), user('u1', 'r0', 'go'), said('a1', 'u1', 'm1', text('ok'))])
    expect(short(found.session.messages)).toEqual(['user: go', 'assistant: ok'])
    expect(codes(found)).toEqual(['history-truncated', 'orphan-result'])
  })

  it('stored twice count once', () => {
    const found = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      result('r1', 'a1', 'A', 'first'),
      result('r2', 'r1', 'A', 'second'),
    ])
    expect(short(found.session.messages)[1]).toBe('assistant: A=completed:first')
    expect(codes(found)).toEqual(['duplicate-result'])
  })

  it('replace a closer of the tool itself', () => {
    const closer = '[Tool result missing due to internal error]'
    const found = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      result('r1', 'a1', 'A', closer, { is_error: true }),
      result('r2', 'a1', 'A', 'real'),
      said('a2', 'r1', 'm2', text('end')),
    ])
    expect(short(found.session.messages)[1]).toBe('assistant: A=completed:real')
    expect(codes(found)).toEqual(['synthetic-result-replaced'])
  })
})

describe('outcomes', () => {
  const outcome = (content: unknown, more: Line = {}) =>
    callsOf(
      read([user('u1', null, 'go'), said('a1', 'u1', 'm1', use('A')), result('r1', 'a1', 'A', content, more)]).session
        .messages,
    )[0]?.state

  it('are failed where the result is an error', () => {
    expect(outcome('Exit code 1', { is_error: true })).toEqual({ status: 'failed', error: 'Exit code 1' })
  })

  it('are denied where the user refused', () => {
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    expect(outcome(refusal, { is_error: true })).toEqual({ status: 'failed', error: refusal, denied: true })
    expect(outcome([text(refusal)], { is_error: true })).toMatchObject({ status: 'failed', denied: true })
    expect(outcome(refusal)).toEqual({ status: 'completed', result: refusal })
  })

  it('are interrupted where the process was killed', () => {
    const killed = read([user('u1', null, 'go'), said('a1', 'u1', 'm1', use('A'))])
    expect(callsOf(killed.session.messages)[0]?.state).toEqual({ status: 'interrupted' })
    expect(codes(killed)).toEqual(['call-unfinished'])
  })

  it('keep lists, images and tool references', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    expect(outcome([text('a'), image, { type: 'tool_reference', tool_name: 'mcp__x__y' }])).toEqual({
      status: 'completed',
      result: [
        { type: 'text', text: 'a' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } },
        {
          type: 'native',
          api: 'anthropic',
          value: { type: 'tool_reference', tool_name: 'mcp__x__y' },
          text: 'mcp__x__y',
        },
      ],
    })
  })
})

describe('blocks of assistants', () => {
  const partsOf = (...blocks: unknown[]) => {
    const lines = blocks.map((block, index) => said(`a${index}`, index === 0 ? 'u1' : `a${index - 1}`, 'm1', block))
    const found = read([user('u1', null, 'go'), ...lines])
    return { parts: firstAssistant(found.session.messages).parts, codes: codes(found) }
  }

  it('keep signatures and redacted thinking', () => {
    const found = partsOf(
      { type: 'thinking', thinking: '', signature: 's1' },
      { type: 'redacted_thinking', data: 'blob' },
      text('hi'),
    )
    expect(found.parts).toEqual([
      { type: 'reasoning', text: '', extra: { anthropic: { signature: 's1' } } },
      { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'blob' } } },
      { type: 'text', text: 'hi' },
    ])
  })

  it('leave blank texts out', () => {
    const found = partsOf(text('\n\n'), text('hi'), text(''))
    expect(found.parts).toEqual([{ type: 'text', text: 'hi' }])
    expect(found.codes).toEqual(['text-empty', 'text-empty'])
  })

  it('pair calls that the provider ran', () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }
    const hits = [{ type: 'web_search_result', title: 'T', url: 'https://x.test', encrypted_content: 'e' }]
    const hit = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: hits }
    const found = partsOf(use, text('so'), hit, text('end'))
    expect(found.parts).toMatchObject([
      {
        type: 'tool-call',
        id: 'srvtoolu_1',
        name: 'web_search',
        args: { query: 'q' },
        executor: 'provider',
        state: { status: 'completed' },
        extra: { anthropic: { use, result: hit, resultAfter: 1 } },
      },
      { type: 'text', text: 'so' },
      { type: 'text', text: 'end' },
    ])
    expect(found.codes).toEqual([])
  })

  it('pair provider-run calls with results of a later message', () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const hit = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const { session } = read([user('u1', null, 'go'), said('a1', 'u1', 'm1', use), said('a2', 'a1', 'm2', hit)])
    expect(session.messages.slice(1)).toMatchObject([
      { parts: [{ state: { status: 'completed' }, extra: { anthropic: { late: true } } }] },
      { parts: [{ type: 'native', api: 'anthropic', value: hit }] },
    ])
  })

  it('may be one text in old files', () => {
    const old = link('assistant', 'a1', 'u1', { message: { role: 'assistant', content: 'hello' } })
    expect(short(read([user('u1', null, 'hi'), old]).session.messages)).toEqual(['user: hi', 'assistant: hello'])
  })
})

describe('user records', () => {
  const first = (content: unknown, fields: Line = {}) => read([user('u1', null, content, fields)]).session.messages[0]

  it('keep images and documents', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const pdf = {
      type: 'document',
      title: 'a.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
    }
    expect(first([text('see'), image, pdf])).toMatchObject({
      role: 'user',
      id: 'u1',
      at: '2026-02-01T10:00:00.000Z',
      parts: [
        { type: 'text', text: 'see' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } },
        { type: 'media', kind: 'file', mediaType: 'application/pdf', source: { base64: 'BBBB' }, name: 'a.pdf' },
      ],
    })
  })

  it.each([
    ['prompt', 'fix it', {}],
    ['injected', 'caveat', { isMeta: true }],
    ['summary', 'so far', { isCompactSummary: true, isVisibleInTranscriptOnly: true }],
    ['injected', '[Request interrupted by user]', {}],
    ['injected', [text('[Request interrupted by user for tool use]')], {}],
    ['injected', '<local-command-stdout>ok</local-command-stdout>', {}],
    ['injected', '<task-notification>\n<task-id>1</task-id>\n</task-notification>', {}],
    ['prompt', '<command-name>/init</command-name>', {}],
    ['prompt', [text('<ide_opened_file>a.ts</ide_opened_file>'), text('fix it')], {}],
    ['prompt', '<system-reminder>x</system-reminder> fix it', {}],
  ])('are %s: %j %j', (kind, content, fields) => {
    const message = first(content, fields)
    expect(message?.role === 'user' && (message.kind ?? 'prompt')).toBe(kind)
  })

  it('that are blank give no message', () => {
    const blank = read([user('u1', null, 'hi'), user('u2', 'u1', '  '), user('u3', 'u2', [])])
    expect(short(blank.session.messages)).toEqual(['user: hi'])
    expect(codes(blank)).toEqual(['text-empty', 'message-empty'])
  })
})

describe('attachments', () => {
  const attached = (attachment: Line) =>
    read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', use('A')),
      link('attachment', 'x1', 'a1', { attachment }),
      result('r1', 'x1', 'A', 'ok'),
    ])

  it('carry what was typed while the model worked', () => {
    const found = attached({ type: 'queued_command', prompt: 'also this', commandMode: 'prompt' })
    expect(short(found.session.messages)).toEqual(['user: go', 'assistant: A=completed:ok', 'user: also this'])
  })

  it('carry news of background tasks', () => {
    const found = attached({ type: 'queued_command', prompt: 'task 1 done', commandMode: 'task-notification' })
    expect(short(found.session.messages).at(-1)).toBe('injected: task 1 done')
  })

  it('carry queued blocks', () => {
    const found = attached({ type: 'queued_command', prompt: [text('look')], commandMode: 'prompt' })
    expect(short(found.session.messages).at(-1)).toBe('user: look')
  })

  it('that are last in the file are not lost', () => {
    const queued = { attachment: { type: 'queued_command', prompt: 'more', commandMode: 'prompt' } }
    const { session } = read([
      user('u1', null, 'go'),
      said('a1', 'u1', 'm1', text('ok')),
      link('attachment', 'x1', 'a1', queued),
    ])
    expect(short(session.messages)).toEqual(['user: go', 'assistant: ok', 'user: more'])
  })

  it('carry the content of files that the user named', () => {
    const file = { filePath: '/w/a.ts', content: 'let a' }
    const found = attached({ type: 'file', filename: 'a.ts', content: { type: 'text', file } })
    expect(short(found.session.messages).at(-1)).toBe('injected: a.ts:\n\nlet a')
  })

  it('of the harness are silent, unknown ones are told once', () => {
    expect(codes(attached({ type: 'hook_success' }))).toEqual([])
    expect(codes(attached({ type: 'brand_new' }))).toEqual(['record-unknown'])
    expect(codes(attached({ type: { toString: 1, valueOf: 1 } }))).toEqual(['record-unknown'])
  })
})

describe('what is no conversation', () => {
  it('is left out: texts that the tool shows in the name of the model', () => {
    const synthetic = link('assistant', 'a1', 'u1', {
      message: { id: 'x', role: 'assistant', model: '<synthetic>', content: [text('No response requested.')] },
    })
    const apiError = said('a2', 'a1', 'y', text('API Error: 500'), { isApiErrorMessage: true })
    const found = read([
      user('u1', null, 'hi'),
      synthetic,
      apiError,
      user('u2', 'a2', 'again'),
      said('a3', 'u2', 'm2', text('ok')),
    ])
    expect(short(found.session.messages)).toEqual(['user: hi', 'user: again', 'assistant: ok'])
    expect(codes(found)).toEqual(['message-left-out', 'message-left-out'])
  })

  it('is dropped silently where known, told once for each kind where unknown', () => {
    const found = read([
      { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
      { type: 'queue-operation', operation: 'enqueue', content: 'typed', sessionId: 'S' },
      { type: 'brand-new', a: 1 },
      { type: 'brand-new', a: 2 },
      user('u1', null, 'hi'),
    ])
    expect(short(found.session.messages)).toEqual(['user: hi'])
    expect(found.changes).toMatchObject([{ code: 'record-unknown', at: { line: 3 }, before: 'brand-new' }])
  })

  it('links the chain: progress, system and attachment records', () => {
    const { session } = read([
      link('progress', 'p0', null, { data: { type: 'hook_progress' } }),
      user('u1', 'p0', 'hi'),
      link('system', 's1', 'u1', { subtype: 'local_command', content: 'x' }),
      link('attachment', 't1', 's1', { attachment: { type: 'skill_listing' } }),
      said('a1', 't1', 'm1', text('ok')),
    ])
    expect(short(session.messages)).toEqual(['user: hi', 'assistant: ok'])
  })
})

describe('session fields', () => {
  it('are those of the file', () => {
    const { session } = read([
      { type: 'summary', summary: 'Of another file', leafUuid: 'elsewhere' },
      { type: 'summary', summary: 'Say hi', leafUuid: 'a1' },
      user('u1', null, 'hi', { version: '2.1.1', timestamp: '2026-02-01T09:00:00.000Z' }),
      said('a1', 'u1', 'm1', text('ok')),
    ])
    expect(session).toMatchObject({
      version: 1,
      id: 'S',
      title: 'Say hi',
      cwd: '/w',
      createdAt: '2026-02-01T09:00:00.000Z',
      source: { format: 'claude-code', version: '2.1.40' },
    })
    expect(session.parent).toBeUndefined()
  })

  it('prefer the title of the user, then the generated one', () => {
    const base: Line[] = [user('u1', null, 'hi'), { type: 'ai-title', aiTitle: 'made', sessionId: 'S' }]
    expect(read([...base, { type: 'summary', summary: 's', leafUuid: 'u1' }]).session.title).toBe('made')
    expect(read([{ type: 'custom-title', customTitle: 'mine', sessionId: 'S' }, ...base]).session.title).toBe('mine')
  })

  it('name the origin of a fork', () => {
    const from = { forkedFrom: { sessionId: 'old', messageUuid: 'x' } }
    expect(read([user('u1', null, 'hi', from)]).session.parent).toEqual({ id: 'old' })
  })

  it('are of the newest record where a resumed file holds two sessions', () => {
    const { session } = read([user('u1', null, 'hi', { sessionId: 'old' }), said('a1', 'u1', 'm1', text('ok'))])
    expect(session.id).toBe('S')
    expect(session.messages).toHaveLength(2)
  })
})

describe('detection', () => {
  it('knows a transcript by a record of the chain, whatever comes first', () => {
    const first: Line[] = [
      { type: 'summary', summary: 's', leafUuid: 'x' },
      { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
      { type: 'unheard-of' },
    ]
    expect(detectFormat(jsonl([...first, user('u1', null, 'hi')]))).toBe('claude-code')
    expect(detectFormat(jsonl(first))).toBe('claude-code')
    expect(detectFormat(jsonl([user('u1', null, 'hi')]))).toBe('claude-code')
  })

  it.each<[string, readonly Line[]]>([
    [
      'Qwen Code',
      [
        {
          uuid: 'a',
          parentUuid: null,
          sessionId: 'S',
          type: 'user',
          message: { role: 'user', parts: [{ text: 'hi' }] },
        },
      ],
    ],
    [
      'pi',
      [
        { type: 'session', version: 3, id: 'x', cwd: '/' },
        { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'hi' } },
      ],
    ],
    [
      'Factory droid',
      [
        { type: 'session_start', id: 'x', title: 't' },
        { type: 'message', id: 'a', message: { role: 'user', content: [] } },
      ],
    ],
    [
      'Codex',
      [
        { timestamp: 't', type: 'session_meta', payload: { id: 'x' } },
        { timestamp: 't', type: 'response_item', payload: {} },
      ],
    ],
  ])('does not claim %s', (_, lines) => {
    expect(detectFormat(jsonl(lines))).not.toBe('claude-code')
  })
})
