import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Extra, Json, TextPart, ToolCallState } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import { resultState } from '../anthropic/output.ts'
import { ProviderCalls } from '../anthropic/provider.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import type { Report } from '../report.ts'
import { others, picked } from '../slots.ts'
import type { Turns } from '../turns.ts'
import { Answer } from './answer.ts'
import { apiOf, authorOf, stopOf, usageOf } from './author.ts'
import type { Kind, Stored } from './envelope.ts'
import { blocksOf, type OpenPart, openParts, outputOf } from './open-blocks.ts'

/** What becomes of calls without a result where the graph stands still. */
export type Waiting = ToolCallState | undefined

/** Reads messages one after another into turns. */
export class Conversation {
  readonly #turns: Turns
  readonly #report: Report
  readonly #server = new ProviderCalls()
  instructions: readonly TextPart[] | undefined

  constructor(turns: Turns, report: Report) {
    this.#turns = turns
    this.#report = report
  }

  add({ kind, fields }: Stored, waiting: Waiting): void {
    if (fields.content === undefined && kind !== 'remove')
      this.#report('record-invalid', { message: CONTENT_MISSING, before: fields })
    if (kind !== 'ai' && hasAny(fields.tool_calls)) this.#report('part-invalid', { before: fields.tool_calls })
    READ[kind](this, fields, waiting)
  }

  end(report: Report): void {
    this.#server.end(report)
  }

  human(message: Fields): void {
    this.#turns.close()
    const name = picked(message, ['name'])
    const extra: { readonly extra?: Extra } = name === undefined ? {} : { extra: { langchain: name } }
    const blocks = blocksOf(valueAt(message, 'content'))
    const results = blocks.filter(isResult)
    this.#misplaced(results)
    const rest = results.length === 0 ? blocks : blocks.filter((block) => !isResult(block))
    if (rest.length > 0 || results.length === 0)
      this.#turns.user({ parts: openParts(rest, this.#report), ...idOf(message), ...extra })
  }

  system(message: Fields, authority: 'system' | 'developer'): void {
    this.#turns.close()
    const parts = openParts(valueAt(message, 'content'), this.#report).filter((part) => this.#isText(part))
    const role =
      stringAt(valueAt(message, 'additional_kwargs'), '__openai_role__') === 'developer' ? 'developer' : authority
    if (this.#turns.here === 0 && this.instructions === undefined && parts.length > 0) this.instructions = parts
    else this.#turns.instruction({ authority: role, parts, ...idOf(message) })
  }

  #isText(part: OpenPart): part is TextPart {
    if (part.type === 'text') return true
    this.#report('part-invalid', { before: part })
    return false
  }

  ai(message: Fields, waiting: Waiting): void {
    this.#turns.close()
    const api = apiOf(message)
    const by = authorOf(message, api)
    const [stop, usage] = [stopOf(message), usageOf(message)]
    const extra = extraOf(message)
    const head: Omit<StoredAssistant, 'parts'> = {
      ...(by === undefined ? {} : { by }),
      ...(stop === undefined ? {} : { stop }),
      ...(usage === undefined ? {} : { usage }),
      ...idOf(message),
      ...(extra === undefined ? {} : { extra }),
    }
    const parts = this.#turns.assistant(head)
    const answer = new Answer(parts, api, this.#server, this.#report)
    answer.read(message)
    if (waiting !== undefined) this.#wait(parts, waiting)
    this.#misplaced(answer.results)
  }

  /** Results in Anthropic's form that stand in messages of another kind. */
  #misplaced(results: readonly Fields[]): void {
    for (const block of results) {
      const callId = idAt(block, 'tool_use_id')
      this.#report('part-misplaced', { callId })
      this.#turns.result({ callId, state: resultState(block) })
    }
  }

  #wait(parts: StoredPart[], waiting: ToolCallState): void {
    for (const [index, part] of parts.entries()) {
      const isOpen = part.type === 'tool-call' && part.executor !== 'provider' && !('state' in part)
      if (isOpen) parts[index] = { ...part, state: waiting }
    }
  }

  tool(message: Fields): void {
    const output = outputOf(valueAt(message, 'content'))
    const isError = valueAt(message, 'status') === 'error'
    const name = stringAt(message, 'name')
    this.#turns.result({
      callId: idAt(message, 'tool_call_id'),
      ...(name === undefined ? {} : { name }),
      state: isError ? { status: 'failed', error: output } : { status: 'completed', result: output },
    })
  }
}

const hasAny = (calls: unknown): boolean =>
  Array.isArray(calls) ? calls.length > 0 : calls !== undefined && calls !== null

const isResult = (block: unknown): block is Fields => isObject(block) && block.type === 'tool_result'

const READ: { readonly [kind in Kind]: (to: Conversation, message: Fields, waiting: Waiting) => void } = {
  human: (to, message) => to.human(message),
  ai: (to, message, waiting) => to.ai(message, waiting),
  system: (to, message) => to.system(message, 'system'),
  developer: (to, message) => to.system(message, 'developer'),
  tool: (to, message) => to.tool(message),
  function: (to, message) => to.tool(message),
  remove: () => {},
}

function idOf(message: Fields): { readonly id?: string } {
  const id = stringAt(message, 'id')
  return id === undefined || id === '' ? {} : { id }
}

/** What is read of the provider's own keys elsewhere. */
const READ_KWARGS = new Set([
  'tool_calls',
  'function_call',
  'reasoning',
  'reasoning_content',
  'tool_outputs',
  '__openai_function_call_ids__',
  '__gemini_function_call_thought_signatures__',
  'refusal',
  'audio',
  'reasoning_details',
])

function extraOf(message: Fields): Extra | undefined {
  const kwargs = valueAt(message, 'additional_kwargs')
  const given = isObject(kwargs) ? kwargs : {}
  const name = stringAt(message, 'name')
  const own = others(given, READ_KWARGS)
  const kept: JsonObject = {
    ...(name === undefined || name === '' ? {} : { name }),
    ...(own === undefined ? {} : { additional_kwargs: own }),
  }
  const chat = chatSlot(given)
  const extra: Extra = {
    ...(chat === undefined ? {} : { 'openai-chat': chat }),
    ...(Object.keys(kept).length === 0 ? {} : { langchain: kept }),
  }
  return Object.keys(extra).length === 0 ? undefined : extra
}

function chatSlot(kwargs: Fields): JsonObject | undefined {
  const kept = picked(kwargs, ['refusal', 'reasoning_details'])
  const id = stringAt(valueAt(kwargs, 'audio'), 'id')
  return id === undefined ? kept : { ...kept, audio: { id } as Json }
}
