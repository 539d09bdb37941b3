import type { CheckOptions } from '../../../src/check/rule.ts'
import * as b from './bodies.ts'

export interface Accepted {
  readonly what: string
  readonly body: unknown
  readonly options?: CheckOptions
}

const turn = (...blocks: readonly unknown[]): unknown => b.body([b.hi, b.assistant(...blocks), b.hi])
const OPUS = 'claude-opus-4-8'

/** Rows of the rulebook that say what is not refused. */
export const ACCEPTED: { readonly [rule: string]: readonly Accepted[] } = {
  'anthropic/roles-merge': [
    { what: 'two user messages', body: b.body([b.hi, b.hi]) },
    { what: 'two assistant messages', body: b.body([b.hi, b.ok, b.ok, b.hi]) },
    {
      what: 'results in two user messages',
      body: b.body([b.hi, b.assistant(b.call('t1'), b.call('t2')), b.user(b.result('t1')), b.user(b.result('t2'))]),
    },
  ],
  'anthropic/tool-result-empty-ok': [
    { what: 'no content', body: b.answered(undefined) },
    { what: 'an empty text', body: b.answered('') },
    { what: 'an empty list', body: b.answered([]) },
  ],
  'anthropic/text-after-tool-use': [
    {
      what: 'text behind a call',
      body: b.body([b.hi, b.assistant(b.call('t1'), b.text('and')), b.user(b.result('t1'))]),
    },
  ],
  'anthropic/citations-null-ok': [{ what: 'citations of null', body: turn(b.text('a', { citations: null })) }],
  'anthropic/thinking-model-mismatch': [
    { what: 'thinking of another model', body: { ...(turn(b.thinking(), b.text('a')) as object), model: OPUS } },
  ],
  'anthropic/thinking-disabled-ok': [
    {
      what: 'old thinking while thinking is off',
      body: { ...(turn(b.thinking(), b.text('a')) as object), thinking: { type: 'disabled' } },
    },
  ],
}

/** Where sources contradict each other, and the later or wider one saw the request accepted: `live` lets it pass. */
export const CONTESTED: readonly (Accepted & { readonly strict: string })[] = [
  { what: 'an assistant message first', body: b.body([b.ok, b.hi]), strict: 'first-message-user' },
  { what: 'a blank text beside another', body: turn(b.text('a'), b.text(' ')), strict: 'whitespace-text-block' },
  { what: 'an assistant message without content', body: turn(), strict: 'empty-message' },
  {
    what: 'calls without tools',
    body: b.body([b.hi, b.assistant(b.call('t1')), b.user(b.result('t1'))], { tools: undefined }),
    strict: 'tools-must-be-defined',
  },
  {
    what: 'thinking at the end of an earlier turn',
    body: b.body([b.hi, b.assistant(b.text('a'), b.thinking()), b.hi, b.ok, b.hi]),
    strict: 'copilot-strict',
  },
]

/** Recorded or probed as accepted, on every level. */
export const PLAIN: readonly Accepted[] = [
  { what: 'a tool name of 128 characters', body: b.asking({ tools: [{ ...b.TOOL, name: 'n'.repeat(128) }] }) },
  {
    what: 'a call that names its direct caller',
    body: b.body([b.hi, b.assistant(b.call('t1', { caller: { type: 'direct' } })), b.user(b.result('t1'))]),
  },
  {
    what: 'an id again in another turn',
    body: b.body([
      b.hi,
      b.assistant(b.call('t1')),
      b.user(b.result('t1')),
      b.assistant(b.call('t1')),
      b.user(b.result('t1')),
    ]),
    options: { level: 'live' },
  },
]
