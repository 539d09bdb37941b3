import type { FormatId } from '../../../src/model/session.ts'

type Fields = { readonly [key: string]: unknown }

/** The values around a token, from the outermost, with the key of each in the one around it. */
export type Chain = readonly { readonly key: string; readonly value: Fields }[]

interface Row {
  readonly why: string
  is(chain: Chain, key: string): boolean
}

/** What tools store and never send, and readers therefore skip without a word. */
const EVERYWHERE: readonly Row[] = [
  {
    why: 'A table of another name is of another tool, or of another version of it.',
    is: (chain) => chain[1]?.key === 'tables' && chain[2]?.key.endsWith('X') === true,
  },
  {
    why: "The arguments of a call that needs none are not stored; a field of another name beside its name is a later version's.",
    is: (chain, key) => RENAMED.has(key) || chain.some((held) => RENAMED.has(held.key)),
  },
  {
    why: 'Names and titles of a wrong type count as absent: they are for the reader of a list, and no model is told them.',
    is: (chain, key) => isName(key) || chain.some((held) => isName(held.key)),
  },
]

/** Optional fields; those that a kind always has are told of when they are missing. */
const RENAMED: ReadonlySet<string> = new Set([
  'argumentsX',
  'argsX',
  'inputX',
  'tool_callsX',
  'tool_returnsX',
  'func_responseX',
  'systemX',
  'instructionsX',
  'errorX',
  'messageX',
  'invalid_tool_callsX',
  'additional_kwargsX',
  'conversationSummaryX',
  'payloadX',
  'errorMessageX',
  'metadataX',
  'recentX',
  'outputX',
  'filesX',
  'denial_reasonX',
])

const NAMES: ReadonlySet<string> = new Set(['title', 'name', 'filename', 'Path', 'description', 'summary_title'])

const isName = (key: string): boolean => NAMES.has(key.replace(/X$/, ''))

const NEVER_SENT: { readonly [format in FormatId]?: readonly Row[] } = {
  zut: [
    {
      why: 'Empty contents and summaries are not stored.',
      is: (chain, key) => isUnder(chain, 'contentX') || key === 'summaryX',
    },
  ],
  pi: [
    {
      why: 'Only of answers an error is stored.',
      is: (chain, key) =>
        (key.startsWith('errorMessage') || isUnder(chain, 'errorMessage')) &&
        chain.some(({ value }) => value.role !== undefined && value.role !== 'assistant'),
    },
  ],
  oino: [
    {
      why: 'Of redacted thinking the text is a note of the tool.',
      is: (chain) => chain.some(({ value }) => value.kind === 'thinking' && value.redacted === true),
    },
    {
      why: 'What extensions store for themselves.',
      is: (chain) => chain.some(({ key, value }) => key === 'kind' && isOf(value.kind, OF_EXTENSIONS)),
    },
    {
      why: 'Only entries that are messages have one.',
      is: (chain) => isUnder(chain, 'message') && chain.some(({ value }) => value.kind === 'branch_summary'),
    },
  ],
  codex: [
    {
      why: 'The first record about a session counts: it is written again at each change of its title.',
      is: (chain) => isUnder(chain, 'base_instructions'),
    },
  ],
  journal: [
    {
      why: "This library alone writes it: a field that a state does not have is a later version's.",
      is: (chain, key) => key === 'result' && chain.at(-1)?.value.status === 'pending',
    },
  ],
  opencode: [
    {
      why: 'What a tool noted for itself is read where it has its usual form.',
      is: (chain, key) => key === 'metadata' || isUnder(chain, 'metadata'),
    },
    {
      why: 'Of the session only its names are read.',
      is: (chain, key) => key === 'info' && chain.length === 1,
    },
    {
      why: 'Only answers have an error.',
      is: (chain) => isUnder(chain, 'error') && chain.some(({ value }) => roleIn(value) === 'user'),
    },
  ],
  crush: [
    {
      why: 'How an answer ended holds no output.',
      is: (chain) => chain.some(({ value }) => value.type === 'finish'),
    },
  ],
  letta: [
    {
      why: 'Only answers to a request have a reason, and of a refused call that has a result the result says it.',
      is: (_chain, key) => key === 'denial_reason',
    },
  ],
  langchain: [
    {
      why: 'Only answers have what a provider adds to them.',
      is: (chain) => isUnder(chain, 'additional_kwargs') && chain.some(({ value }) => isOf(value.type, NO_ANSWERS)),
    },
  ],
  'qwen-code': [
    {
      why: 'Only records of the system have a payload.',
      is: (chain) => isUnder(chain, 'systemPayload') && chain.some(({ value }) => isOf(value.type, MESSAGES)),
    },
  ],
  goose: [
    {
      why: 'Of a result the status says whether its value or its error counts.',
      is: (chain, key) => key === 'error' && isUnder(chain, 'toolResult'),
    },
  ],
  continue: [
    {
      why: 'The state of a call repeats the call, which is read from its message.',
      is: (chain) => isUnder(chain, 'toolCallStates') && (isUnder(chain, 'toolCall') || isUnder(chain, 'parsedArgs')),
    },
    {
      why: "What a tool gave need not be stored; a field of another name is a later version's.",
      is: (chain) => isUnder(chain, 'toolCallStatesX') || isUnder(chain, 'outputX'),
    },
  ],
}

const NO_ANSWERS: ReadonlySet<unknown> = new Set(['human', 'system', 'tool'])
const OF_EXTENSIONS: ReadonlySet<unknown> = new Set(['custom', 'extension_custom', 'label', 'session_info'])
const MESSAGES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result'])
const isOf = (type: unknown, kinds: ReadonlySet<unknown>): boolean => kinds.has(type)

const roleIn = ({ info }: Fields): unknown => (info as Fields | undefined)?.role

const isUnder = (chain: Chain, key: string): boolean => chain.some((held) => held.key === key)

export function isNeverSent(format: FormatId, value: unknown, token: string): boolean {
  const rows = [...EVERYWHERE, ...(NEVER_SENT[format] ?? [])]
  return everyPlace(value, token, (chain, key) => rows.some((row) => row.is(chain, key)))
}

/** Whether it is so at each place where the token stands; JSON within a text is looked through, too. */
export function everyPlace(
  value: unknown,
  token: string,
  is: (chain: Chain, key: string, text: string) => boolean,
): boolean {
  const walk = (inner: unknown, key: string, chain: Chain): boolean => {
    if (typeof inner === 'string') return !inner.includes(token) || is(chain, key, inner)
    if (typeof inner !== 'object' || inner === null) return true
    const next = [...chain, { key, value: inner as Fields }]
    return Object.entries(inner).every(([name, held]) => walk(held, name, next))
  }
  return walk(value, '', [])
}
