import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/read/journal/record.ts'
import { isRecord } from '../../src/read/journal/record-guard.ts'
import { count, counted, forAll, printCounts } from '../laws/runs.ts'
import { recordSchema } from './record-schema.ts'
import { records } from './records.ts'

printCounts('journal guards')

/** Every kind of record, and within them every part of the model that a record can hold. */
const SAMPLES: readonly JournalEntry[] = [
  {
    type: 'session',
    start: 2,
    session: {
      id: 's',
      title: 't',
      cwd: '/w',
      createdAt: '2026-01-01T00:00:00Z',
      source: { format: 'journal', version: '1' },
      parent: { id: 'p', callId: 'c' },
      agent: 'main',
      instructions: [{ type: 'text', text: 'be brief', extra: { anthropic: { cache_control: null } } }],
      tools: [{ name: 'bash', description: 'd', kind: 'custom', parameters: { type: 'object' }, extra: {} }],
      extra: { dirge: { permission_allowlist: [] } },
    },
  },
  {
    type: 'message',
    message: {
      role: 'user',
      kind: 'injected',
      id: 'u',
      at: 'now',
      parts: [
        { type: 'text', text: 'hi' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' }, name: 'a.png' },
        { type: 'media', kind: 'file', mediaType: '', source: { api: 'anthropic', fileId: 'f' } },
        { type: 'native', api: 'openai-chat', dialect: 'mistral', value: { type: 'x' }, text: 'x' },
      ],
    },
  },
  {
    type: 'message',
    message: { role: 'instruction', authority: 'developer', parts: [{ type: 'text', text: 'now' }], extra: {} },
  },
  {
    type: 'message',
    joins: true,
    message: {
      role: 'assistant',
      by: { provider: 'p', api: 'anthropic', dialect: 'd', model: 'm' },
      stop: 'tool-calls',
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 },
      parts: [
        { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'x' } } },
        {
          type: 'tool-call',
          id: 'a',
          name: 'bash',
          kind: 'function',
          args: { command: ['ls', { deep: 1.5 }] },
          argsText: '{ "command": "ls" }',
          executor: 'client',
          resultOrder: 1,
          state: { status: 'completed', result: [{ type: 'json', value: null }] },
        },
        { type: 'tool-call', id: 'b', name: 'g', args: 'x', state: { status: 'failed', error: 'no', denied: true } },
        {
          type: 'tool-call',
          id: 'c',
          name: 'g',
          args: null,
          state: { status: 'interrupted', partial: 'half', dispatched: false, reason: 'killed' },
        },
        { type: 'tool-call', id: 'd', name: 'rm', args: 1, state: { status: 'pending', reason: 'approval' } },
      ],
    },
  },
  { type: 'dispatch', call: { id: 'a', name: 'bash', args: { command: 'ls' }, readOnly: true } },
  {
    type: 'settle',
    callId: 'a',
    name: 'bash',
    call: 0,
    state: { status: 'pending', reason: 'running', approved: true },
  },
  { type: 'turn', id: 't', stage: 'started' },
  { type: 'usage', usage: { inputTokens: 1, extra: { anthropic: {} } }, context: { used: 1, max: 2 } },
  { type: 'compaction', parts: [{ type: 'text', text: 'summary' }], keep: 2 },
  { type: 'rewind', keep: 0 },
  { type: 'repair', torn: { offset: 10, length: 2 }, closed: [{ id: 'a', call: 0, dispatched: true }], turns: ['t'] },
]

/** Values that JSON text can hold. Deep ones stand on both sides of the limit. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  '',
  'constructor',
  '__proto__',
  'text',
  'user',
  'completed',
  'repair',
  [],
  {},
  [[]],
  [{}],
  { type: 'text' },
  { status: 'completed' },
  { extra: [] },
  JSON.parse('{"__proto__":{"text":"x"}}'),
  nested(255),
  nested(256),
  nested(257),
]

type Json = { [key: string]: Json }
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))]
}

const DROP = Symbol('drop')
function changed(record: object, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value === DROP ? {} : value
  const copy = structuredClone(record) as Json
  let at = copy
  for (const key of path.slice(0, -1)) at = at[key]!
  const key = path.at(-1)!
  if (value === DROP && Array.isArray(at)) at.splice(Number(key), 1)
  else if (value === DROP) delete at[key]
  else Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

const sample = fc.constantFrom(...records(...SAMPLES))
const damaged = sample.chain((record) =>
  fc
    .tuple(
      fc.constantFrom(...placesOf(record)),
      fc.oneof(
        fc.constantFrom<unknown>(DROP, ...ODD),
        fc.json().map((json) => JSON.parse(json)),
      ),
    )
    .map(([path, value]) => changed(record, path, value)),
)

describe('the guards of records', () => {
  it.each(SAMPLES.map((entry) => [entry.type, entry] as const))('take a %s that the schema takes', (_type, entry) => {
    const [record] = records(entry)
    expect(recordSchema.safeParse(record).success).toBe(true)
    expect(isRecord(record)).toBe(true)
  })

  it('take no record of another version or with another stamp', () => {
    const [record] = records({ type: 'rewind', keep: 1 })
    for (const stamp of [{ journal: 2 }, { journal: '1' }, { seq: -1 }, { seq: 1.5 }, { at: 7 }, { type: 'toString' }])
      expect(isRecord({ ...record, ...stamp })).toBe(false)
  })

  it('say of every damaged record what the schema says', () => {
    forAll(
      'records',
      damaged,
      (value) => {
        const byGuard = isRecord(value)
        count(byGuard ? 'taken' : 'refused')
        expect(byGuard).toBe(recordSchema.safeParse(value).success)
      },
      8,
    )
    expect(counted('taken')).toBeGreaterThan(100)
    expect(counted('refused')).toBeGreaterThan(1000)
  })
})
