/** What to expect of a request that was accepted and then damaged in one way. */
export interface Expected {
  readonly rule: string
  readonly message: string
}

export interface Damage {
  readonly name: string
  /** Changes the request; undefined where it has no place for this damage. */
  readonly apply: (request: { readonly messages?: unknown }) => Expected | undefined
}

type Block = { [key: string]: unknown }

interface Message {
  role: string
  content: Block[]
}

/** The first call, with the messages around it: its turn, and the turn of its result. */
interface Place {
  readonly messages: Message[]
  readonly at: number
  readonly calls: Block[]
  readonly index: number
  readonly id: string
  readonly asked: Message
  readonly answered: Message
  /** Index of the result of this call. */
  readonly result: number
}

const isMessages = (value: unknown): value is Message[] =>
  Array.isArray(value) && value.every((message) => Array.isArray(message?.content))

function firstCall(request: { readonly messages?: unknown }): Place | undefined {
  const { messages } = request
  if (!isMessages(messages)) return undefined
  const at = messages.findIndex(({ content }) => content.some(({ type }) => type === 'tool_use'))
  const asked = messages[at]
  const answered = messages[at + 1]
  if (asked === undefined || answered === undefined) return undefined
  const calls = asked.content.filter(({ type }) => type === 'tool_use')
  const index = asked.content.findIndex(({ type }) => type === 'tool_use')
  const id = String(calls[0]?.id)
  const result = answered.content.findIndex((block) => block.tool_use_id === id)
  return { messages, at, calls, index, id, asked, answered, result }
}

const missing = (at: number, ids: string): string =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`

const orphan = (at: number, index: number, id: string): string =>
  `messages.${at}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`

const ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"

const onCall = (name: string, change: (place: Place) => Expected | undefined): Damage => ({
  name,
  apply: (request) => {
    const place = firstCall(request)
    return place === undefined ? undefined : change(place)
  },
})

/** A change of the call itself. */
const inCall = (name: string, rule: string, words: string, change: (call: Block) => void): Damage =>
  onCall(name, ({ at, index, calls }) => {
    const call = calls[0]
    if (call === undefined) return undefined
    change(call)
    return { rule, message: `messages.${at}.content.${index}.tool_use.${words}` }
  })

/** A block in front of the last user message's own. */
const inLast = (name: string, rule: string, block: Block, words: (at: number) => string): Damage => ({
  name,
  apply: ({ messages }) => {
    if (!isMessages(messages)) return undefined
    const last = messages.at(-1)
    if (last?.role !== 'user' || last.content.some(({ type }) => type === 'tool_result')) return undefined
    last.content.unshift(block)
    return { rule, message: words(messages.length - 1) }
  },
})

export const DAMAGES: readonly Damage[] = [
  onCall('a result is dropped', ({ at, id, answered, result }) => {
    answered.content.splice(result, 1)
    // A user turn without any block is refused before its missing results are looked at.
    if (answered.content.length === 0) answered.content.push({ type: 'text', text: 'go on' })
    return { rule: 'anthropic/tool-result-missing', message: missing(at, id) }
  }),
  onCall('the results and all behind them are dropped', ({ at, calls, messages }) => {
    messages.length = at + 1
    return { rule: 'anthropic/tool-result-at-end', message: missing(at, calls.map(({ id }) => id).join(', ')) }
  }),
  onCall('a call is dropped', ({ at, id, index, asked, result }) => {
    asked.content.splice(index, 1)
    return { rule: 'anthropic/tool-result-orphan', message: orphan(at + 1, result, id) }
  }),
  onCall('a result is stored twice', ({ at, id, answered, result }) => {
    const block = answered.content[result]
    if (block === undefined) return undefined
    answered.content.push({ ...block, cache_control: undefined })
    return {
      rule: 'anthropic/tool-result-duplicate',
      message: `messages.${at + 1}.content.${answered.content.length - 1}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    }
  }),
  onCall('a call is stored twice in one turn', ({ at, calls, asked }) => {
    const call = calls[0]
    if (call === undefined) return undefined
    asked.content.push({ ...call })
    return {
      rule: 'anthropic/tool-use-id-unique',
      message: `messages.${at}.content.${asked.content.length - 1}: \`tool_use\` ids must be unique`,
    }
  }),
  onCall('text stands before the results', ({ at, calls, answered }) => {
    answered.content.unshift({ type: 'text', text: 'here' })
    return { rule: 'anthropic/tool-result-first', message: missing(at, calls.map(({ id }) => id).join(', ')) }
  }),
  onCall('a result names another call', ({ at, id, answered, result }) => {
    const block = answered.content[result]
    if (block === undefined) return undefined
    block.tool_use_id = 'toolu_other'
    return { rule: 'anthropic/tool-result-missing', message: missing(at, id) }
  }),
  onCall('a result has an id of other characters', ({ at, answered, result }) => {
    const block = answered.content[result]
    if (block === undefined) return undefined
    block.tool_use_id = 'call:1'
    return {
      rule: 'anthropic/tool-result-id-pattern',
      message: `messages.${at + 1}.content.${result}.tool_result.tool_use_id: ${ID_PATTERN}`,
    }
  }),
  onCall('a result is an object', ({ at, answered, result }) => {
    const block = answered.content[result]
    if (block === undefined) return undefined
    block.content = { ok: true }
    return {
      rule: 'anthropic/tool-result-content-type',
      message: `messages.${at + 1}.content.${result}.tool_result.content: Input should be a valid array`,
    }
  }),
  onCall('a call stands in the user turn', ({ at, calls, answered }) => {
    answered.content.push({ ...calls[0], id: 'toolu_user' })
    return {
      rule: 'anthropic/tool-use-in-user',
      message: `messages.${at + 1}: \`tool_use\` blocks can only be in \`assistant\` messages`,
    }
  }),
  inCall('an id is empty', 'anthropic/tool-use-id-pattern', `id: ${ID_PATTERN}`, (call) => {
    call.id = ''
  }),
  inCall('an id has other characters', 'anthropic/tool-use-id-pattern', `id: ${ID_PATTERN}`, (call) => {
    call.id = 'functions.look:0'
  }),
  inCall('an id is missing', 'anthropic/block-field-required', 'id: Field required', (call) => {
    delete call.id
  }),
  inCall('an input is text', 'anthropic/tool-use-input-object', 'input: Input should be an object', (call) => {
    call.input = JSON.stringify(call.input)
  }),
  inCall('an input is missing', 'anthropic/tool-use-input-required', 'input: Field required', (call) => {
    delete call.input
  }),
  inCall(
    'a name is empty',
    'anthropic/tool-use-name-length',
    'name: String should have at least 1 character',
    (call) => {
      call.name = ''
    },
  ),
  inCall('a foreign key is kept', 'anthropic/block-extra-field', 'index: Extra inputs are not permitted', (call) => {
    call.index = 0
  }),
  inLast(
    'an empty text',
    'anthropic/empty-text-block',
    { type: 'text', text: '' },
    () => 'messages: text content blocks must be non-empty',
  ),
  inLast(
    'a result without a call',
    'anthropic/tool-result-orphan',
    { type: 'tool_result', tool_use_id: 'toolu_9' },
    (at) => orphan(at, 0, 'toolu_9'),
  ),
  inLast(
    'thinking of the user',
    'anthropic/thinking-in-user',
    { type: 'thinking', thinking: 'x', signature: 's' },
    (at) => `messages.${at}.content: thinking blocks may only be in \`assistant\` messages`,
  ),
  inLast(
    'a text that is null',
    'anthropic/block-field-string',
    { type: 'text', text: null },
    (at) => `messages.${at}.content.0.text.text: Input should be a valid string`,
  ),
]
