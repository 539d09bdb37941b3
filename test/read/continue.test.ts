import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/continue/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import {
  batter,
  callOf,
  codes,
  deepened,
  PROTOTYPE_NAMES,
  readAs,
  readWith,
  refusals,
  short,
  type Value,
} from './stored.ts'

const item = (message: Value, more: Value = {}): Value => ({ message, contextItems: [], ...more })
const user = (content: unknown, more: Value = {}): Value => item({ role: 'user', content }, more)
const call = (id: string, name = 'look', args = '{"at": 1}'): Value => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const outcome = (id: string, status: string, more: Value = {}): Value => ({
  toolCallId: id,
  toolCall: call(id),
  status,
  parsedArgs: { at: 1 },
  ...more,
})
const said = (content: unknown, calls: readonly Value[] = [], states: readonly Value[] = [], more: Value = {}): Value =>
  item(
    { role: 'assistant', content, ...(calls.length === 0 ? {} : { toolCalls: calls }) },
    { toolCallStates: states, ...more },
  )
const session = (...history: Value[]): Value => ({
  sessionId: 'S',
  title: 'T',
  workspaceDirectory: 'file:///home/me/my%20app',
  history,
})
const read = (source: unknown, options: ReadOptions = {}) => readAs(reader, source, options)
const output = (...contents: string[]) => ({
  output: contents.map((content) => ({ name: 'n', description: 'd', content })),
})

it('a session has its name, its folder and its conversation', () => {
  const told = read(
    session(
      user(
        [
          { type: 'text', text: 'hi' },
          {
            type: 'imageUrl',
            imageUrl: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        ],
        {
          contextItems: [{ content: 'file a', name: 'a', description: '' }, { content: ' ' }],
        },
      ),
      said('yes', [call('A')], [outcome('A', 'done', output('one', 'two'))]),
    ),
  )
  expect(told.session).toMatchObject({ id: 'S', title: 'T', cwd: '/home/me/my app', source: { format: 'continue' } })
  expect(short(told)).toEqual(['user: file a\n, hi, <image image/png>', 'assistant: yes, A/look=completed:one\n\ntwo'])
  expect(callOf(told)).toMatchObject({ args: { at: 1 }, argsText: '{"at": 1}' })
  expect(codes(told)).toEqual([])
  expect(refusals(told.session)).toEqual([])
})

describe('what became of a call', () => {
  it.each<[string, Value, string]>([
    ['done', output('out'), 'completed:out'],
    ['done', {}, 'completed:No tool output'],
    ['errored', output('broke'), 'failed:broke'],
    ['errored', {}, 'failed:'],
    ['canceled', {}, 'denied:The user cancelled this tool call.'],
    ['generating', {}, 'never started'],
    ['generated', {}, 'never started'],
    ['calling', {}, 'interrupted'],
    ['brand-new', {}, 'interrupted'],
  ])('%s %j is %s', (status, more, expected) => {
    const told = read(session(user('hi'), said('', [call('A')], [outcome('A', status, more)])))
    expect(short(told)[1]).toBe(`assistant: A/look=${expected}`)
    expect(codes(told)).toEqual(expected.includes(':') ? [] : ['call-unfinished'])
    expect(refusals(told.session)).toEqual([])
  })

  it('may be partly known', () => {
    const told = read(session(user('hi'), said('', [call('A')], [outcome('A', 'calling', output('so far'))])))
    expect(callOf(told).state).toEqual({ status: 'interrupted', partial: 'so far' })
  })

  it('is not known without a state, but for a stored message of its tool', () => {
    const tool = (id: string) => item({ role: 'tool', content: 'out', toolCallId: id })
    const told = read(
      session(
        user('hi'),
        said('', [call('A'), call('B'), call('C')], [outcome('C', 'done', output('c'))]),
        tool('A'),
        tool('C'),
      ),
    )
    expect(short(told)[1]).toBe('assistant: A/look=completed:out, B/look=interrupted, C/look=completed:c')
    expect(codes(told)).toEqual(['message-left-out', 'call-unfinished'])
  })

  it('tells of the call where the message does not', () => {
    const told = read(session(user('hi'), said('', [], [outcome('A', 'done', output('x'))])))
    expect(short(told)[1]).toBe('assistant: A/look=completed:x')
  })

  it('is told once for each call of one id', () => {
    const states = [outcome('A', 'done', output('x')), outcome('A', 'done', output('y'))]
    expect(short(read(session(said('', [call('A'), call('A')], states))))[0]).toBe(
      'assistant: A/look=completed:x, A/look=completed:y',
    )
  })

  it('keeps broken arguments as they are', () => {
    const told = read(
      session(user('hi'), said('', [call('A', 'look', '{"at')], [outcome('A', 'errored', output('no JSON'))])),
    )
    expect(callOf(told)).toMatchObject({ args: '{"at', argsText: '{"at' })
  })
})

describe('thinking', () => {
  it('stands before its answer, with what signed it', () => {
    const thinking = (more: Value) => item({ role: 'thinking', content: 'hm', ...more })
    const told = read(
      session(
        user('hi'),
        thinking({ signature: 'S' }),
        thinking({ content: '', redactedThinking: 'D' }),
        thinking({ metadata: { reasoningId: 'rs_1', encrypted_content: 'E' }, reasoning_details: [{ type: 'x' }] }),
        said('so', [], [], { reasoning: { active: false, text: 'aloud' } }),
      ),
    )
    expect(told.session.messages[1]).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'S' } } },
        { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'D' } } },
        {
          type: 'reasoning',
          extra: {
            'openai-responses': {
              item: { id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
            },
          },
        },
        { type: 'reasoning', text: 'aloud' },
        { type: 'text', text: 'so' },
      ],
      extra: { 'openai-chat': { reasoning_details: [{ type: 'x' }] } },
    })
    expect(refusals(told.session)).toEqual([])
  })

  it('without an answer is a message of its own', () => {
    expect(short(read(session(user('hi'), item({ role: 'thinking', content: 'hm' }), user('more'))))).toEqual([
      'user: hi',
      'assistant: #hm',
      'user: more',
    ])
  })
})

it('the id of an item is kept', () => {
  const told = read(
    session(user('hi'), item({ role: 'assistant', content: 'so', metadata: { responsesOutputItemId: 'msg_1' } })),
  )
  expect(told.session.messages[1]?.parts).toEqual([
    { type: 'text', text: 'so', extra: { 'openai-responses': { item: { id: 'msg_1' } } } },
  ])
})

it('messages that are made anew for each request are left out', () => {
  const told = read(session(item({ role: 'system', content: 'rules' }), user('hi'), user(''), said('')))
  expect(short(told)).toEqual(['user: hi'])
  expect(codes(told)).toEqual(['message-left-out', 'message-empty', 'message-empty'])
})

describe('a summary', () => {
  const list = session(user('old'), said('yes', [], [], { conversationSummary: 'so far' }), user('new'))

  it('stands for all items up to its own', () => {
    const told = read(list)
    expect(short(told)).toEqual(['user (summary): so far', 'user: new'])
    expect(codes(told)).toEqual(['compaction-applied'])
  })

  it('is not needed where all is asked for', () => {
    expect(short(read(list, { history: 'full' }))).toEqual(['user: old', 'assistant: yes', 'user: new'])
  })
})

it('a session may be empty', () => {
  expect(read(session()).session.messages).toEqual([])
})

describe('hostile input', () => {
  const list = session(
    user([{ type: 'imageUrl', imageUrl: { url: 'https://x' } }], { contextItems: [{ content: 'c' }] }),
    item({ role: 'thinking', content: 'x', signature: 'S' }),
    said('', [call('A')], [outcome('A', 'done', output('x'))], { reasoning: { text: 'y' } }),
    item({ role: 'tool', content: 'x', toolCallId: 'A' }),
    said('the last reply'),
  )

  it('costs no other message', () => {
    const runs = batter(reader, list, 'the last reply', [{}, { history: 'full' }])
    console.info(`continue: ${runs} damaged sessions`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is a name like any other', (name) => {
    const named = { ...outcome(name, 'done', output('x')), toolCall: call(name, name) }
    const told = readWith(
      reader,
      session(
        user([{ type: name }, { type: 'text', text: 'hi' }]),
        said('', [call(name, name)], [named]),
        item({ role: name }),
      ),
    )
    expect(short(told)).toEqual(['user: hi', `assistant: ${name}/${name}=completed:x`])
    expect(codes(told)).toEqual(['part-invalid', 'record-unknown'])
  })

  it('keeps what is too deep as text', () => {
    const told = read(
      deepened(
        session(
          user('hi'),
          item({
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'A', function: { name: 'x', arguments: { deep: 'MARK' } } }],
          }),
        ),
        'MARK',
      ),
    )
    expect(String(callOf(told).args)).toContain('[[[[')
  })

  it('is read in linear time', async () => {
    const many = (count: number): void => {
      const calls = Array.from({ length: count }, () => call('A'))
      const states = calls.map(() => outcome('A', 'done', output('x')))
      read(session(user('hi'), said('', calls, states)))
    }
    expect(await growth(20_000, many)).toBeLessThan(LINEAR)
  })
})
