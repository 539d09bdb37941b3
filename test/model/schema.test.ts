import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Session } from '../../src/model/session.ts'

const full: Session = {
  version: 1,
  id: 's',
  title: 't',
  cwd: '/w',
  createdAt: '2026-01-01T00:00:00Z',
  source: { format: 'entries', version: '1' },
  parent: { id: 'p', callId: 'c' },
  agent: 'main',
  instructions: [{ type: 'text', text: 'be brief', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } }],
  tools: [{ name: 'bash', description: 'd', kind: 'function', parameters: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      kind: 'injected',
      parts: [
        { type: 'text', text: 'hi' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' }, name: 'a.png' },
        { type: 'media', kind: 'file', mediaType: '', source: { api: 'anthropic', fileId: 'f' } },
        { type: 'native', api: 'openai-chat', dialect: 'mistral', value: { type: 'x' }, text: 'x' },
      ],
    },
    { role: 'instruction', authority: 'developer', parts: [{ type: 'text', text: 'now' }] },
    {
      role: 'assistant',
      by: { provider: 'p', api: 'anthropic', dialect: 'd', model: 'm' },
      stop: 'tool-calls',
      usage: { inputTokens: 1, outputTokens: 2 },
      parts: [
        { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'x' } } },
        {
          type: 'tool-call',
          id: 'a',
          name: 'bash',
          args: { command: 'ls' },
          argsText: '{ "command": "ls" }',
          resultOrder: 1,
          state: { status: 'completed', result: [{ type: 'json', value: null }] },
        },
        {
          type: 'tool-call',
          id: 'b',
          name: 'grammar',
          kind: 'custom',
          args: 'x',
          executor: 'provider',
          state: { status: 'failed', error: 'no', denied: true },
        },
        { type: 'tool-call', id: '', name: '', args: null, state: { status: 'interrupted', dispatched: false } },
        { type: 'tool-call', id: 'd', name: 'rm', args: 1, state: { status: 'pending', reason: 'approval' } },
      ],
    },
  ],
}

type Mutable = { [key: string]: Mutable }
/** A copy of the full session with one place set to something else. */
function withPlace(path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(full) as unknown as Mutable
  let at = copy
  for (const key of path.slice(0, -1)) at = at[key]!
  Object.defineProperty(at, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true })
  return copy
}
function refusal(value: unknown): ReadError {
  try {
    parseSession(value)
  } catch (error) {
    if (ReadError.is(error)) return error
    throw error
  }
  throw new Error('expected a ReadError')
}
const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('a session in the canonical form', () => {
  it('is given back as it is', () => {
    expect(parseSession(full)).toBe(full)
    expect(parseSession(JSON.parse(JSON.stringify(full)))).toEqual(full)
  })

  it('may hold undefined for what is absent, and keys that are not known yet', () => {
    const value = { version: 1, id: undefined, later: true, messages: [{ role: 'user', parts: [], id: undefined }] }
    expect(parseSession(value)).toBe(value)
  })
})

describe('the first bad place is named', () => {
  it.each<[readonly (string | number)[], unknown, string, string]>([
    [['version'], 2, 'version', '1'],
    [['messages'], {}, 'messages', 'array'],
    [['messages', 0, 'role'], 'model', 'messages[0].role', 'user, assistant, instruction'],
    [['messages', 0, 'parts', 0, 'text'], 5, 'messages[0].parts[0].text', 'string'],
    [['messages', 0, 'parts', 1, 'type'], 'constructor', 'messages[0].parts[1].type', 'text'],
    [['messages', 0, 'parts', 1, 'source'], { path: '/x' }, 'messages[0].parts[1].source', 'forms'],
    [['messages', 2, 'parts', 1, 'state', 'status'], 'done', 'messages[2].parts[1].state.status', 'completed'],
    [['messages', 2, 'parts', 1, 'state', 'result'], 7, 'messages[2].parts[1].state.result', 'forms'],
    [
      ['messages', 2, 'parts', 1, 'state', 'result', 0, 'value'],
      undefined,
      'messages[2].parts[1].state.result[0].value',
      'JSON',
    ],
    [['messages', 2, 'parts', 1, 'args'], () => 1, 'messages[2].parts[1].args', 'JSON'],
    [['messages', 2, 'parts', 1, 'args'], new Date(0), 'messages[2].parts[1].args', 'JSON'],
    [['messages', 2, 'parts', 1, 'args'], Number.NaN, 'messages[2].parts[1].args', 'JSON'],
    [['messages', 2, 'parts', 1, 'args'], nested(257), 'messages[2].parts[1].args', '256'],
    [['messages', 2, 'stop'], 'stop', 'messages[2].stop', 'end'],
    [['messages', 2, 'by'], {}, 'messages[2].by.model', 'string'],
    [['tools', 0, 'name'], null, 'tools[0].name', 'string'],
    [['extra'], [], 'extra', 'slots'],
  ])('%j = %s', (path, value, where, why) => {
    const error = refusal(withPlace(path, value))
    expect(error.path).toBe(where)
    expect(error.message).toContain(why)
  })

  it.each([null, undefined, 1, 'x', [], true])('a session is no %j', (value) => {
    expect(refusal(value).path ?? '').toBe('')
  })
})

describe('nesting', () => {
  it('is taken up to 256 levels of a value', () => {
    expect(parseSession(withPlace(['messages', 2, 'parts', 1, 'args'], nested(256)))).toBeTruthy()
    expect(parseSession(withPlace(['extra'], { pi: nested(256) }))).toBeTruthy()
  })

  it('is refused beyond that, without running out of stack', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    for (const path of [['id'], ['messages'], ['unknown'], ['messages', 0, 'parts', 0, 'text'], ['extra']]) {
      expect(refusal(withPlace(path, deep)).message).toContain('256')
    }
  })

  it('is refused when a value holds itself', () => {
    const self: { a?: unknown; b?: unknown } = {}
    self.a = self
    self.b = self
    expect(refusal(withPlace(['messages', 2, 'parts', 1, 'args'], self)).message).toContain('256')
  })
})

it('survives every name of Object.prototype as type, role and key', () => {
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    expect(refusal(withPlace(['messages', 0, 'role'], name)).path).toBe('messages[0].role')
    expect(refusal(withPlace(['messages', 0, 'parts', 0, 'type'], name)).path).toBe('messages[0].parts[0].type')
    expect(parseSession(withPlace(['messages', 2, 'parts', 1, 'args'], { [name]: 1 }))).toBeTruthy()
    expect(parseSession(withPlace([name], 1))).toBeTruthy()
  }
})
