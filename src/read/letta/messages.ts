import { type Fields, isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, TextPart, ToolCallState, UserMessage } from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import { idAt } from '../anthropic/calls.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import { toolCalls } from '../openai-chat/calls.ts'
import { type Structure, shallow } from '../shallow.ts'
import { listAt } from './agent.ts'
import { answersIn, deniedState, type Verdict } from './approvals.ts'
import { answerParts, openParts } from './content.ts'
import { type ModelConfig, modelOf } from './model.ts'
import { returnBlocks, returnsIn, storedReturns } from './returns.ts'

/** message, content, block; message, returns, return, its content, block. */
const MESSAGE: Structure = {
  keys: new Set(['content', 'tool_calls', 'tool_returns', 'approvals', 'func_response', 'function']),
  levels: 6,
}

/** Reads the messages of an agent one after another. */
export class Conversation {
  readonly #to: Narrator
  readonly #config: ModelConfig
  /** The calls that a message asked approval for, by its id. */
  readonly #asked = new Map<string, readonly string[]>()
  readonly #verdicts = new Map<string, Verdict>()
  readonly #answered = new Set<string>()
  /** Calls of the messages that were told. */
  readonly #heard = new Set<string>()
  /** Calls that wait at the end of the context. */
  readonly #waiting: ReadonlySet<unknown>
  instructions: readonly TextPart[] | undefined

  constructor(to: Narrator, config: ModelConfig, list: readonly unknown[]) {
    this.#to = to
    this.#config = config
    this.#waiting = openRequest(list)
    this.#foresee(list)
  }

  add(raw: unknown): void {
    const message = shallow(raw, MESSAGE, (before) => this.#to.report('value-too-deep', { before }))
    if (!isObject(message)) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    const read = own(ROLES, message.role)
    if (read === undefined) this.#to.report('record-unknown', { before: message })
    else {
      if (HOLDERS.every((key) => message[key] === undefined))
        this.#to.report('record-invalid', { message: CONTENT_MISSING, before: message })
      read(this, message, raw)
    }
  }

  system(message: Fields): void {
    const parts = openParts(message, this.#to.report).filter((part) => this.#isText(part))
    this.#leaveOut(message)
    if (this.#to.count === 0 && this.instructions === undefined && parts.length > 0) this.instructions = parts
    else this.#to.instruction({ authority: 'system', parts, ...headOf(message) })
  }

  #isText(part: TextPart | MediaPart): part is TextPart {
    if (part.type === 'text') return true
    this.#to.report('part-invalid', { before: part })
    return false
  }

  /** Calls of a message whose role makes none. */
  #leaveOut({ tool_calls }: Fields): void {
    if (tool_calls === undefined || tool_calls === null || (Array.isArray(tool_calls) && tool_calls.length === 0))
      return
    this.#to.report('part-invalid', { before: tool_calls })
  }

  user(message: Fields): void {
    this.#leaveOut(message)
    const hasResults = this.#misplaced(message)
    const parts = openParts(message, this.#to.report)
    if (parts.length === 0 && hasResults) return
    const [first] = parts
    const kind = first?.type === 'text' ? kindOf(first.text) : undefined
    this.#to.user({ parts, ...(kind === undefined ? {} : { kind }), ...headOf(message) })
  }

  assistant(message: Fields, raw: unknown): void {
    const { api, provider, model } = modelOf(message, this.#config)
    const said = answerParts(message, api, this.#to.report)
    const listed = toolCalls(valueAt(message, 'tool_calls'), this.#to.report)
    const ids = new Set(listed.map((call) => call.id))
    // Blocks repeat the calls that stand beside them.
    const kept = said.filter((part) => part.type !== 'tool-call' || !ids.has(part.id))
    const parts = [...kept, ...listed].map((part): StoredPart => (isOpen(part) ? this.#call(part, message, raw) : part))
    const by = agentAuthor(provider, model, parts)
    this.#to.assistant({ parts, ...(by === undefined ? {} : { by }), ...headOf(message) })
    this.#misplaced(message)
  }

  /** Results that stand in a message of another role; whether there were any. */
  #misplaced(message: Fields): boolean {
    const stored = storedReturns(message, this.#to.report)
    const results = stored.length === 0 ? returnBlocks(message) : returnsIn(message, this.#to.report)
    for (const result of results) {
      this.#to.report('part-misplaced', { callId: result.callId })
      this.#to.result(result)
    }
    return results.length > 0
  }

  tool(message: Fields): void {
    this.#leaveOut(message)
    for (const returned of returnsIn(message, this.#to.report)) this.#to.result(returned)
  }

  /** A request is an answer with calls; what answers it says what became of them. */
  approval(message: Fields, raw: unknown): void {
    if (listAt(message, 'tool_calls').length > 0) {
      this.assistant(message, raw)
      return
    }
    const { results, verdicts } = answersIn(message, this.#asked, this.#to.report)
    for (const result of results) this.#to.result(result)
    const isHeard = verdicts.every(({ callId }) => this.#heard.has(callId))
    if (results.length + verdicts.length === 0 || !isHeard) this.#to.report('part-invalid', { before: message })
    // An answer to a request says nothing else.
    for (const said of openParts(message, this.#to.report)) this.#to.report('part-invalid', { before: said })
  }

  #call(call: OpenCall, message: Fields, raw: unknown): StoredPart {
    this.#heard.add(call.id)
    if (this.#answered.has(call.id)) return call
    const state = this.#outcome(call.id, message, raw)
    return state === undefined ? call : { ...call, state }
  }

  /** What is known of a call without a result. */
  #outcome(id: string, message: Fields, raw: unknown): ToolCallState | undefined {
    const verdict = this.#verdicts.get(id)
    if (verdict?.approved === false) return deniedState(verdict.reason)
    if (message.role !== 'approval' || !this.#waiting.has(raw)) return undefined
    return { status: 'pending', reason: 'approval', ...(verdict === undefined ? {} : { approved: verdict.approved }) }
  }

  /** Verdicts and results stand behind the calls. */
  #foresee(list: readonly unknown[]): void {
    for (const message of list) {
      if (!isObject(message)) continue
      const returned = message.role === 'tool' ? returnsIn(message) : returnBlocks(message)
      for (const { callId } of returned) this.#answered.add(callId)
      if (message.role !== 'approval') continue
      const calls = listAt(message, 'tool_calls').filter(isObject)
      if (calls.length > 0)
        this.#asked.set(
          stringAt(message, 'id') ?? '',
          calls.map((call) => idAt(call, 'id')),
        )
      const { results, verdicts } = answersIn(message, this.#asked)
      for (const verdict of verdicts) this.#verdicts.set(verdict.callId, verdict)
      for (const { callId } of results) this.#answered.add(callId)
    }
    this.#answered.delete('')
  }
}

/** One of them stands in every message. */
const HOLDERS = ['content', 'text', 'tool_returns', 'approvals', 'approve', 'tool_call_id']

type Read = (to: Conversation, message: Fields, raw: unknown) => void

const ROLES: { readonly [role: string]: Read } = {
  system: (to, message) => to.system(message),
  user: (to, message) => to.user(message),
  assistant: (to, message, raw) => to.assistant(message, raw),
  tool: (to, message) => to.tool(message),
  approval: (to, message, raw) => to.approval(message, raw),
}

const isOpen = (part: StoredPart): part is OpenCall => part.type === 'tool-call' && !('state' in part)

/** The request that nothing but its answer follows. */
function openRequest(list: readonly unknown[]): ReadonlySet<unknown> {
  const last = list.findLast(
    (message) => stringAt(message, 'role') !== 'approval' || listAt(message, 'tool_calls').length > 0,
  )
  return new Set(last === undefined ? [] : [last])
}

function headOf(message: Fields): { readonly id?: string; readonly at?: string } {
  const id = stringAt(message, 'id')
  return { ...(id === undefined || id === '' ? {} : { id }), ...timeAt(message.created_at) }
}

/** Prompts are stored in an envelope that says where they came from, and the model sees it so. */
function kindOf(text: string): UserMessage['kind'] {
  if (!text.startsWith('{') || text.length > 1_000_000) return undefined
  const envelope = parseOrText(text)
  const type = stringAt(envelope, 'type')
  if (type === undefined || type === 'user_message') return undefined
  return type === 'system_alert' && stringAt(envelope, 'message')?.includes(SUMMARY) === true ? 'summary' : 'injected'
}

const SUMMARY = 'summary of the previous'
