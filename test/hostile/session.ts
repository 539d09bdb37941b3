import { frozen } from '../laws/freeze.ts'
import { FULL } from '../laws/runs.ts'
import { damaged } from './damaged.ts'

/** One session with every kind of part and state; each text says by its number where it stands. */
export const SESSION = {
  version: 1,
  id: 's',
  source: { format: 'entries', version: '1' },
  instructions: [{ type: 'text', text: '#00#', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } }],
  tools: [
    { name: 'run', description: 'Runs.', parameters: { type: 'object', properties: {} }, extra: {} },
    { name: 'patch', kind: 'custom' },
  ],
  messages: [
    {
      role: 'user',
      kind: 'prompt',
      parts: [
        { type: 'text', text: '#01#' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'iVBORw0KGgo=' }, name: 'a.png' },
        { type: 'native', api: 'gemini', value: { part: 1 }, text: '#02#' },
      ],
    },
    {
      role: 'assistant',
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-5', dialect: 'anthropic' },
      parts: [
        { type: 'reasoning', text: '#03#', extra: { anthropic: { signature: 'c2ln' } } },
        {
          type: 'text',
          text: '#04#',
          extra: { 'openai-responses': { item: { id: 'msg_1', type: 'message', status: 'completed' } } },
        },
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'run',
          kind: 'function',
          args: { line: '#05#', list: [1, [2]] },
          argsText: '{"line":"#05#","list":[1,[2]]}',
          resultOrder: 1,
          state: { status: 'completed', result: '#06#', extra: { anthropic: {} } },
        },
        {
          type: 'tool-call',
          id: 'call_2',
          name: 'patch',
          kind: 'custom',
          args: '#07#',
          state: {
            status: 'failed',
            denied: true,
            error: [
              { type: 'text', text: '#08#' },
              { type: 'media', kind: 'file', mediaType: 'application/pdf', source: { base64: 'JVBERi0=' } },
              { type: 'json', value: { seen: '#09#' } },
              { type: 'native', api: 'gemini', value: { part: 1 }, text: '#10#' },
            ],
          },
        },
        {
          type: 'tool-call',
          id: 'srvtoolu_1',
          name: 'web_search',
          executor: 'provider',
          args: {},
          state: { status: 'completed', result: '#11#' },
          extra: {
            anthropic: {
              use: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
              result: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: '#11#' },
            },
          },
        },
      ],
    },
    { role: 'instruction', authority: 'developer', parts: [{ type: 'text', text: '#12#' }] },
    { role: 'user', parts: [{ type: 'text', text: '#13#' }], extra: { 'openai-chat': { name: 'ann' } } },
    {
      role: 'assistant',
      parts: [
        {
          type: 'tool-call',
          id: 'call_3',
          name: 'run',
          args: {},
          state: { status: 'interrupted', partial: '#14#', dispatched: true, reason: '#15#' },
        },
        {
          type: 'tool-call',
          id: 'call_4',
          name: 'run',
          args: {},
          state: { status: 'pending', reason: 'approval', approved: true },
        },
      ],
    },
    { role: 'user', parts: [{ type: 'text', text: '#16#' }] },
  ],
} as const

function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = around(value)
  return value
}

/** Holds itself twice, so that whoever walks it without care never ends. */
function holdsItself(): object {
  const value: { [key: string]: unknown } = {}
  value.again = value
  value.list = [value]
  return value
}

/** What a program can put where the types want something else. */
export const WRONG: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['a flag', true],
  ['a number', 7],
  ['NaN', Number.NaN],
  ['infinity', Number.NEGATIVE_INFINITY],
  ['a bigint', 10n],
  ['a symbol', Symbol('x')],
  ['a function', () => 1],
  ['an empty text', ''],
  ['a name of Object.prototype', 'constructor'],
  ['NUL and half a character', '\0\ud800'],
  ['an empty list', []],
  ['a list of nothing', [null, undefined]],
  ['a list with holes', Object.assign([], { 3: 1 })],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['a type that is an object', { type: {}, role: [], status: {} }],
  ['a type of Object.prototype', { type: 'constructor', role: 'toString', status: '__proto__' }],
  ['an own __proto__', JSON.parse('{"__proto__":{"type":"text"},"type":"__proto__"}')],
  ['a value that holds itself', holdsItself()],
  ['objects nested 20,000 deep', nested(20_000, (inner) => ({ inner }))],
  ['lists nested 20,000 deep', nested(20_000, (inner) => [inner])],
  ['a date', new Date(0)],
  ['a map', new Map([[1, 2]])],
]

/** The marks in a text. */
export const marks = (text: string): ReadonlySet<string> => new Set(text.match(/#\d\d#/g))

export interface Damage {
  readonly session: object
  /** What the request must still say: all that stands beside the damaged part, message, prompt. */
  readonly beside: readonly string[]
}

/** Every place takes long; without `FULL` each of the wrong values comes to other ones. */
const STRIDE = FULL ? 1 : 67

const MADE = new Map<unknown, readonly Damage[]>()

/** The session with one place changed, once for each place or for some of them. */
export function damages(wrong: unknown): readonly Damage[] {
  const known = MADE.get(wrong)
  if (known !== undefined) return known
  const first = WRONG.findIndex(([, value]) => Object.is(value, wrong))
  const made = [...everyDamage(wrong)].filter((_, index) => (index + first) % STRIDE === 0).map((make) => make())
  MADE.clear()
  MADE.set(wrong, made)
  return made
}

function* everyDamage(wrong: unknown): Generator<() => Damage> {
  const { messages, ...head } = SESSION
  const of = (value: unknown): string[] => [...marks(JSON.stringify(value))]
  for (const bad of damaged(head, wrong)) {
    yield () => {
      const session = frozen({ ...(bad as object), messages })
      return { session, beside: (bad as { version: unknown }).version === 1 ? of(messages) : [] }
    }
  }
  for (const [index, message] of messages.entries()) {
    const others = of([head, messages.toSpliced(index, 1)])
    const put = (changed: unknown): object => frozen({ ...SESSION, messages: messages.with(index, changed as never) })
    yield () => ({ session: put(wrong), beside: others })
    const { parts, ...fields } = message
    for (const bad of damaged(fields, wrong))
      yield () => ({ session: put({ ...(bad as object), parts }), beside: others })
    yield () => ({ session: put({ ...fields, parts: wrong }), beside: others })
    for (const [place, part] of parts.entries()) {
      const beside = [...others, ...of((parts as readonly unknown[]).toSpliced(place, 1))]
      const putPart = (changed: unknown): object =>
        put({ ...fields, parts: (parts as readonly unknown[]).with(place, changed) })
      yield () => ({ session: putPart(wrong), beside })
      for (const bad of damaged(part, wrong)) yield () => ({ session: putPart(bad), beside })
    }
  }
}
