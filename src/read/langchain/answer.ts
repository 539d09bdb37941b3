import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Json, ReasoningPart, ToolCallState } from '../../model/session.ts'
import { addAssistantBlock, sideOf } from '../anthropic/blocks.ts'
import { clientCall, idAt } from '../anthropic/calls.ts'
import type { ProviderCalls } from '../anthropic/provider.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { pushPart } from '../item-parts.ts'
import { functionCall } from '../openai-chat/calls.ts'
import { reasoningPart as reasoningItem } from '../openai-responses/assistant.ts'
import { hostedCall } from '../openai-responses/hosted.ts'
import type { Report } from '../report.ts'
import { slot } from '../slots.ts'
import { callsOf } from './calls.ts'
import { blocksOf, openPart } from './open-blocks.ts'

/** Reads the content of one answer. */
export class Answer {
  readonly #parts: StoredPart[]
  readonly #api: ApiId | undefined
  readonly #report: Report
  readonly #server: ProviderCalls
  /** Calls that no block has named yet: a block of the content gives a call its place. */
  readonly #waiting: Map<string, StoredPart[]> = new Map()
  readonly #hosted = new Map<string, number>()
  /** What stands among the blocks against the rule. */
  readonly results: Fields[] = []

  constructor(parts: StoredPart[], api: ApiId | undefined, server: ProviderCalls, report: Report) {
    this.#parts = parts
    this.#api = api
    this.#server = server
    this.#report = report
  }

  read(message: Fields): void {
    const kwargs = valueAt(message, 'additional_kwargs')
    const calls = callsOf(message, this.#report)
    for (const call of calls) if (call.type === 'tool-call') this.#await(call.id, call)
    this.#reasoningBeside(message, kwargs)
    for (const block of blocksOf(valueAt(message, 'content'))) this.#block(block)
    const placed = new Set(this.#parts)
    for (const call of calls) if (!placed.has(call)) this.#parts.push(call)
    for (const item of listAt(kwargs, 'tool_outputs')) if (isObject(item)) this.#hostedItem(item)
  }

  call(block: Fields): void {
    const id = idAt(block, block.type === 'function_call' ? 'call_id' : 'id')
    const known = this.#waiting.get(id)?.shift()
    const item = block.type === 'function_call' ? stringAt(block, 'id') : undefined
    const call = known ?? this.#unlisted(block, id)
    if (item === undefined || known !== undefined) this.#parts.push(call)
    else this.#parts.push({ ...call, extra: { ...call.extra, 'openai-responses': { id: item } } })
  }

  /** A call that the provider ran itself, in the library's own words. */
  serverCall(block: Fields): void {
    const id = idAt(block, 'id')
    this.#hosted.set(id, this.#parts.length)
    const args = valueAt(block, 'args')
    this.#parts.push({
      type: 'tool-call',
      id,
      name: stringAt(block, 'name') ?? '',
      args: args === undefined || args === null ? {} : (args as Json),
      executor: 'provider',
    })
  }

  serverResult(block: Fields): void {
    const id = idAt(block, 'tool_call_id')
    const index = this.#hosted.get(id)
    const call = index === undefined ? undefined : this.#parts[index]
    if (index === undefined || call?.type !== 'tool-call') {
      this.#report('orphan-result', { callId: id, before: block.output })
      return
    }
    this.#hosted.delete(id)
    const output = typeof block.output === 'string' ? block.output : jsonOf(block.output)
    const state: ToolCallState =
      block.status === 'error' ? { status: 'failed', error: output } : { status: 'completed', result: output }
    this.#parts[index] = { ...call, state }
  }

  /** It repeats one that stands beside the content. */
  invalidCall(block: Fields): void {
    if (!this.#waiting.has(idAt(block, 'id'))) this.#report('part-invalid', { before: block })
  }

  reasoning(block: Fields): void {
    const part = reasoningOf(block, this.#api)
    if (part === undefined) this.#report('part-invalid', { before: block })
    else pushPart(this.#parts, part)
  }

  #await(id: string, call: StoredPart): void {
    const known = this.#waiting.get(id)
    if (known === undefined) this.#waiting.set(id, [call])
    else known.push(call)
  }

  #unlisted(block: Fields, id: string): OpenCall {
    if (block.type === 'tool_use') return clientCall(block, this.#report)
    return functionCall(id, block.type === 'function_call' ? block : { name: block.name, arguments: block.args })
  }

  #block(raw: unknown): void {
    if (typeof raw === 'string' || !isObject(raw)) {
      this.#open(raw)
      return
    }
    const block = raw.type === 'non_standard' && isObject(raw.value) ? raw.value : raw
    const read = own(BLOCKS, block.type)
    if (read !== undefined) read(this, block)
    else if (sideOf(block) === 'assistant') addAssistantBlock(block, this.#parts, this.#server, this.#report)
    else if (sideOf(block) === 'result') this.results.push(block)
    else if (!this.#hostedItem(block)) this.#open(block)
  }

  /** An item of a call that the Responses API ran. */
  #hostedItem(item: Fields): boolean {
    const call = hostedCall(item)
    if (call !== undefined) this.#parts.push(call)
    return call !== undefined
  }

  #open(raw: unknown): void {
    const part = openPart(raw, this.#api)
    if (part === undefined) this.#report('part-invalid', { before: raw })
    else if (part.type === 'text' && part.text === '' && part.extra === undefined) this.#report('text-empty')
    else pushPart(this.#parts, part)
  }

  /** Reasoning that stands beside the content. */
  #reasoningBeside(message: Fields, kwargs: unknown): void {
    const beside = valueAt(kwargs, 'reasoning_content') ?? valueAt(message, 'reasoning_content') ?? undefined
    const text = typeof beside === 'string' ? beside : undefined
    if (beside !== undefined && text === undefined) this.#report('part-invalid', { before: beside })
    if (kwargs !== undefined && kwargs !== null && !isObject(kwargs)) this.#report('part-invalid', { before: kwargs })
    if (text !== undefined && text !== '')
      this.#parts.push({ type: 'reasoning', text, ...slot('openai-chat', { field: 'reasoning_content' }) })
    const item = valueAt(kwargs, 'reasoning')
    if (isObject(item) && (Array.isArray(item.summary) || typeof item.encrypted_content === 'string'))
      this.reasoning(item)
  }
}

type Read = (to: Answer, block: Fields) => void

const call: Read = (to, block) => to.call(block)
const reasoning: Read = (to, block) => to.reasoning(block)
const serverResult: Read = (to, block) => to.serverResult(block)

const BLOCKS: { readonly [type: string]: Read } = {
  tool_use: call,
  tool_call: call,
  function_call: call,
  // Pieces of a call that a stream left behind: the call itself has them.
  input_json_delta: () => {},
  tool_call_chunk: () => {},
  invalid_tool_call: (to, block) => to.invalidCall(block),
  reasoning,
  reasoning_content: reasoning,
  server_tool_call: (to, block) => to.serverCall(block),
  server_tool_call_result: serverResult,
  server_tool_result: serverResult,
}

function reasoningOf(block: Fields, api: ApiId | undefined): ReasoningPart | StoredPart | undefined {
  const bedrock = valueAt(block, 'reasoning_content') ?? valueAt(block, 'reasoningText')
  if (isObject(bedrock)) return ofBedrock(bedrock)
  const id = stringAt(block, 'id')
  const encrypted = stringAt(block, 'encrypted_content') ?? stringAt(valueAt(block, 'extras'), 'encrypted_content')
  const text = stringAt(block, 'reasoning') ?? stringAt(block, 'text')
  const isItem = id?.startsWith('rs_') === true || encrypted !== undefined
  if (Array.isArray(block.summary) || isItem) return ofItem(block, id, text, encrypted)
  if (text === undefined) return undefined
  const signature = stringAt(valueAt(block, 'extras'), 'signature') ?? stringAt(block, 'signature')
  if (signature === undefined) return { type: 'reasoning', text }
  return api === 'gemini'
    ? { type: 'reasoning', text, ...slot('gemini', { thoughtSignature: signature }) }
    : { type: 'reasoning', text, ...slot(api === 'bedrock' ? 'bedrock' : 'anthropic', { signature }) }
}

function ofBedrock(stored: Fields): ReasoningPart {
  const text = stringAt(stored, 'text') ?? ''
  const signature = stringAt(stored, 'signature')
  return { type: 'reasoning', text, ...slot('bedrock', signature === undefined ? undefined : { signature }) }
}

/** An item of the Responses API, without what streams add to it. */
function ofItem(
  block: Fields,
  id: string | undefined,
  text: string | undefined,
  encrypted: string | undefined,
): StoredPart {
  const written = text === undefined || text === '' ? [] : [{ type: 'summary_text', text }]
  const summary = Array.isArray(block.summary) ? block.summary.filter(isObject).map(withoutIndex) : written
  return reasoningItem({
    ...(id === undefined ? {} : { id }),
    summary,
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  })
}

function withoutIndex({ index: _index, ...piece }: Fields): JsonObject {
  return piece as JsonObject
}

const listAt = (from: unknown, key: string): readonly unknown[] => {
  const list = valueAt(from, key)
  return Array.isArray(list) ? list : []
}

const jsonOf = (value: unknown) =>
  value === undefined || value === null ? '' : [{ type: 'json' as const, value: value as Json }]
