import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../../src/read/reader.ts'
import { reader } from '../../src/read/roo/index.ts'
import { batter, callOf, codes, PROTOTYPE_NAMES, readAs, readWith, refusals, short, type Value } from './stored.ts'

let clock = 1_700_000_000_000
const at = (fields: Value): Value => ({ ...fields, ts: clock++ })
const text = (value: string): Value => ({ type: 'text', text: value })
const use = (id: string, name = 'read_file'): Value => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string, content: unknown = 'out', more: Value = {}): Value => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const user = (content: unknown, more: Value = {}): Value => at({ role: 'user', content, ...more })
const said = (content: unknown, more: Value = {}): Value => at({ role: 'assistant', content, ...more })
const DETAILS = text('<environment_details>\n# Current Workspace Directory (/w) Files\n</environment_details>')
const task = user([text('<user_message>\nfix it\n</user_message>'), DETAILS])
const read = (source: unknown, options: ReadOptions = {}) => readAs(reader, source, options)

describe('the form of Cline, with a time on every message', () => {
  it('is read as what it is', () => {
    const told = read([task, said([text('yes'), use('A')]), user([result('A'), DETAILS])])
    expect(told.session).toMatchObject({ cwd: '/w', source: { format: 'roo' } })
    expect(short(told)[1]).toBe('assistant: yes, A/read_file=completed:out')
    expect(codes(told)).toEqual([])
    expect(refusals(told.session)).toEqual([])
  })

  it.each([
    'Task was interrupted before this tool call could be completed.',
    'Tool execution was interrupted before completion.',
    'Context condensation triggered. Tool execution deferred.',
  ])('has closers of its own: %s', (content) => {
    const told = read([task, said([use('A')]), user([result('A', content)])])
    expect(callOf(told).state).toEqual({ status: 'interrupted' })
    const late = read([task, said([use('A')]), user([result('A', content)]), user([result('A', 'real')])])
    expect(callOf(late).state).toEqual({ status: 'completed', result: 'real' })
    expect(codes(late)).toEqual(['synthetic-result-replaced'])
  })

  it('leaves the call of a task that was handed on open', () => {
    expect(short(read([task, said([use('A', 'new_task')])]))[1]).toBe('assistant: A/new_task=interrupted')
  })
})

describe('reasoning', () => {
  it('stands in items of its own, in blocks, and in keys of messages', () => {
    const told = read([
      task,
      at({ type: 'reasoning', role: 'assistant', encrypted_content: 'E', id: 'rs_1', summary: [] }),
      said([{ type: 'reasoning', text: 'aloud' }, text('one')]),
      user([text('next'), DETAILS]),
      said(
        [{ type: 'reasoning', encrypted_content: 'F', summary: [{ type: 'summary_text', text: 'sum' }] }, text('two')],
        {
          reasoning_content: 'written',
        },
      ),
      user([text('next'), DETAILS]),
      said([use('A'), { type: 'thoughtSignature', thoughtSignature: 'T' }], {
        reasoning_details: [{ type: 'x', data: 1 }],
      }),
    ])
    const [, first, , second, , third] = told.session.messages
    expect(first?.parts).toEqual([
      {
        type: 'reasoning',
        text: '',
        redacted: true,
        extra: { 'openai-responses': { item: { encrypted_content: 'E', id: 'rs_1', summary: [] } } },
      },
      { type: 'reasoning', text: 'aloud' },
      { type: 'text', text: 'one' },
    ])
    expect(second?.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'written', extra: { 'openai-chat': { field: 'reasoning_content' } } },
      {
        type: 'reasoning',
        text: 'sum',
        extra: {
          'openai-responses': { item: { encrypted_content: 'F', summary: [{ type: 'summary_text', text: 'sum' }] } },
        },
      },
    ])
    expect(third).toMatchObject({
      parts: [{ type: 'tool-call', extra: { gemini: { thoughtSignature: 'T' } } }],
      extra: { 'openai-chat': { reasoning_details: [{ type: 'x', data: 1 }] } },
    })
    expect(refusals(told.session)).toEqual([])
  })

  it('is a message of its own where no answer follows', () => {
    const told = read([
      task,
      at({ type: 'reasoning', encrypted_content: 'E', summary: [] }),
      user([text('hm'), DETAILS]),
    ])
    expect(short(told)[1]).toBe('assistant: #')
  })
})

describe('condensed histories', () => {
  const list = [
    task,
    said([text('old'), use('A')], { condenseParent: 'C' }),
    user([result('A'), DETAILS], { condenseParent: 'C' }),
    user([text('the summary'), result('A')], { isSummary: true, condenseId: 'C' }),
    said([text('new'), use('B')]),
    user([result('A', 'late'), result('B')]),
    user([result('A', 'later')]),
  ]

  it('begin with the last summary, without results of calls that it replaced', () => {
    const told = read(list)
    expect(short(told)).toEqual(['user (summary): the summary', 'assistant: new, B/read_file=completed:out'])
    expect(codes(told)).toEqual(['compaction-applied'])
    expect(refusals(told.session)).toEqual([])
  })

  it('are whole without summaries where all is asked for', () => {
    const told = read(list, { history: 'full' })
    expect(short(told).slice(1)).toEqual([
      'assistant: old, A/read_file=completed:out',
      expect.stringContaining('user (injected)'),
      'assistant: new, B/read_file=completed:out',
    ])
    expect(codes(told)).toEqual(['message-left-out', 'duplicate-result', 'duplicate-result'])
  })

  it('keep the calls of a summary whose results follow', () => {
    const told = read([
      said([{ type: 'reasoning', text: 'Condensing.' }, text('sum'), use('A')], { isSummary: true, condenseId: 'C' }),
      user([result('A')]),
    ])
    expect(short(told)).toEqual(['user (summary): sum', 'assistant: A/read_file=completed:out'])
  })

  it('hide what a stored marker or summary stands for, and only that', () => {
    const told = read([
      task,
      said('hidden', { truncationParent: 'T' }),
      user('marker', { isTruncationMarker: true, truncationId: 'T' }),
      said('kept', { truncationParent: 'gone', condenseParent: 'gone too' }),
      user([DETAILS]),
    ])
    expect(short(told).slice(1, 3)).toEqual(['user: marker', 'assistant: kept'])
    expect(codes(told)).toEqual(['compaction-applied'])
  })
})

it('what the screen showed is told by its own kinds', () => {
  const say = (kind: string, value?: string): Value => ({ ts: 1, type: 'say', say: kind, text: value })
  const told = read([say('text', 'hi'), say('condense_context'), say('text', 'ho')])
  expect(short(told)).toEqual(['user: hi', 'assistant: ho'])
})

describe('hostile input', () => {
  const list = [
    task,
    at({ type: 'reasoning', encrypted_content: 'E', summary: [] }),
    said([{ type: 'reasoning', text: 'x' }, use('A'), { type: 'thoughtSignature', thoughtSignature: 'T' }], {
      condenseParent: 'C',
      reasoning_details: [{ type: 'x' }],
    }),
    user([result('A')], { truncationParent: 'T' }),
    user('sum', { isSummary: true, condenseId: 'D' }),
    said([text('the last reply')]),
  ]

  it('costs no other message', () => {
    const runs = batter(reader, list, 'the last reply', [{}, { history: 'full' }])
    console.info(`roo: ${runs} damaged histories`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is an id like any other', (name) => {
    const told = readWith(reader, [
      task,
      said([text('old')], { condenseParent: name, truncationParent: name }),
      said([use(name, name)], { isSummary: false }),
      user([result(name)]),
      { type: name },
      { role: name },
    ])
    expect(short(told).slice(1)).toEqual(['assistant: old', `assistant: ${name}/${name}=completed:out`])
    expect(codes(told)).toEqual(['record-unknown', 'record-unknown'])
  })
})
