import { isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { isProviderUse } from '../../read/anthropic/provider.ts'
import { fromAnthropic } from '../anthropic.ts'
import type { AnswerOptions } from '../options.ts'
import { asStopped } from './stopped.ts'
import { type AnswerStream, append, type Draft, present } from './stream.ts'

interface Block {
  draft: Draft
  /** The input of a call, as text. */
  json: string
  /** All of it has come. */
  isWhole: boolean
}

interface Coming {
  /** The fields of the message, without its content. */
  head: Draft
  blocks: Block[]
  /** By the index that the events name; some gateways count every block as the same one. */
  at: Map<unknown, Block>
  isEnded: boolean
  hasFailed: boolean
}

/** Events of the Messages API. @see https://platform.claude.com/docs/en/build-with-claude/streaming */
export function anthropicStream(options: AnswerOptions): AnswerStream {
  const coming: Coming = { head: {}, blocks: [], at: new Map(), isEnded: false, hasFailed: false }
  return {
    push(event) {
      own(EVENTS, stringAt(event, 'type'))?.(coming, event)
    },
    message() {
      const { head, blocks, isEnded, hasFailed } = coming
      const message = fromAnthropic({ ...head, role: 'assistant', content: blocks.map(contentOf) }, options)
      if (isEnded && !hasFailed) return message
      const calls = blocks.filter(isCall)
      return asStopped(message, (call) => calls[call]?.isWhole === true, hasFailed ? 'error' : 'aborted')
    },
  }
}

const EVENTS: { readonly [type: string]: (coming: Coming, event: object) => void } = {
  // Comes again when a gateway asks anew: what came before was of another answer.
  message_start(coming, event) {
    const message = valueAt(event, 'message')
    coming.head = isObject(message) ? { ...message } : {}
    coming.blocks = []
    coming.at = new Map()
  },
  content_block_start(coming, event) {
    const started = valueAt(event, 'content_block')
    if (!isObject(started)) return
    begin(coming, valueAt(event, 'index'), { ...started })
    // The block of a fallback names the model that goes on, as the plain answer does.
    const model = started.type === 'fallback' ? stringAt(valueAt(started, 'to'), 'model') : undefined
    if (model !== undefined) coming.head.model = model
  },
  content_block_delta(coming, event) {
    const delta = valueAt(event, 'delta')
    const kind = own(DELTAS, stringAt(delta, 'type'))
    if (kind === undefined || !isObject(delta)) return
    const index = valueAt(event, 'index')
    const block =
      coming.at.get(index) ?? (kind.begins === undefined ? undefined : begin(coming, index, { ...kind.begins }))
    if (block !== undefined) kind.add(block, delta)
  },
  content_block_stop(coming, event) {
    const block = coming.at.get(valueAt(event, 'index'))
    if (block !== undefined) block.isWhole = true
  },
  message_delta(coming, event) {
    const delta = valueAt(event, 'delta')
    if (isObject(delta)) coming.head = { ...coming.head, ...present(delta) }
    const usage = valueAt(event, 'usage')
    const before = coming.head.usage
    // Counts are those of the whole message; what does not apply is left out.
    if (isObject(usage)) coming.head.usage = { ...(isObject(before) ? before : {}), ...present(usage) }
    if (stringAt(delta, 'stop_reason') !== undefined) coming.isEnded = true
  },
  message_stop(coming) {
    coming.isEnded = true
  },
  error(coming) {
    coming.hasFailed = true
  },
}

function begin(coming: Coming, index: unknown, draft: Draft): Block {
  const block: Block = { draft, json: '', isWhole: false }
  coming.blocks.push(block)
  coming.at.set(index, block)
  return block
}

interface Delta {
  /** The block that it begins when no event began one. */
  readonly begins?: { readonly type: string }
  add(block: Block, delta: { readonly [key: string]: unknown }): void
}

const DELTAS: { readonly [type: string]: Delta } = {
  text_delta: { begins: { type: 'text' }, add: ({ draft }, { text }) => append(draft, 'text', text) },
  thinking_delta: {
    begins: { type: 'thinking' },
    add: ({ draft }, { thinking }) => append(draft, 'thinking', thinking),
  },
  signature_delta: {
    add({ draft }, { signature }) {
      draft.signature = signature
    },
  },
  input_json_delta: {
    add(block, { partial_json }) {
      if (typeof partial_json === 'string') block.json += partial_json
    },
  },
  citations_delta: {
    add({ draft }, { citation }) {
      draft.citations = [...(Array.isArray(draft.citations) ? draft.citations : []), citation]
    },
  },
  // Brings the whole of it at once.
  compaction_delta: {
    add(block, { type: _, ...fields }) {
      block.draft = { ...block.draft, ...fields }
    },
  },
}

function isCall({ draft }: Block): boolean {
  const type = typeof draft.type === 'string' ? draft.type : ''
  return type === 'tool_use' || isProviderUse(type)
}

function contentOf(block: Block): Draft {
  const { draft } = block
  if (isCall(block)) return { ...draft, input: inputOf(block) }
  // The block begins with an empty signature; that is none as long as nothing is signed.
  if (draft.type !== 'thinking' || draft.signature !== '') return draft
  const { signature: _, ...unsigned } = draft
  return unsigned
}

/** The value of a whole input, the text of one that is still coming. */
function inputOf({ draft, json, isWhole }: Block): unknown {
  if (json !== '') {
    const value = parseOrText(json)
    return isWhole || isObject(value) ? value : json
  }
  const { input } = draft
  return isWhole || (isObject(input) && Object.keys(input).length > 0) ? input : ''
}
