import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, Message, StopReason, Usage } from '../../model/session.ts'
import { type Assembler, assembler } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import type { Entry } from '../entry-tree.ts'
import { Dispatches, type Note } from '../pi/dispatch.ts'
import { type Report, reporter } from '../report.ts'
import { deepText } from '../shallow.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import { ASSISTANT, OPEN, outputOf, partsOf } from './blocks.ts'

export interface Asides {
  readonly notes: ReadonlyMap<Entry, Note>
  /** Results that a repair put there. */
  readonly repairs: ReadonlySet<Entry>
}

type Tell = (message: Fields, entry: Entry) => void
type Head = { readonly id?: string }

const STOPS: { readonly [reason: string]: StopReason } = {
  end_turn: 'end',
  tool_use: 'tool-calls',
  length: 'length',
  error: 'error',
  aborted: 'aborted',
}

/** The loop ends behind such a message without running what it calls. */
const NEVER_RUN: ReadonlySet<unknown> = new Set(['length', 'error', 'aborted'])

const USAGE: UsageTable = { inputTokens: ['input_tokens'], outputTokens: ['output_tokens'] }

/** Tells the entries of a branch to the assembler, one by one. */
export class Replay {
  readonly #asides: Asides
  readonly #into: Assembler = assembler({ unanswered: 'interrupted' })
  readonly #dispatches = new Dispatches()
  #model: unknown
  #messages = 0
  #line = 0
  readonly report: Report = reporter(
    (change) => this.#into.report(change),
    () => ({ line: this.#line }),
  )

  constructor(asides: Asides) {
    this.#asides = asides
  }

  tell(entry: Entry): void {
    this.#line = entry.line
    const note = this.#asides.notes.get(entry)
    if (note !== undefined) this.#dispatches.note(note)
    else own(this.#entries, entry.type)?.(entry.record, entry)
  }

  finish(): { readonly messages: readonly Message[]; readonly changes: ReturnType<Assembler['finish']>['changes'] } {
    const { messages, changes } = this.#into.finish()
    return { messages: this.#dispatches.applied(messages), changes }
  }

  /** All other kinds carry the chain, and nothing that the model sees. */
  readonly #entries: { readonly [type: string]: Tell } = {
    message: (record, entry) => this.#message(record, entry),
    custom_message: (record, entry) => this.#message(record, entry),
    compaction: (record, entry) => this.#summary(record, entry),
    branch_summary: (record, entry) => this.#summary(record, entry),
    model_change: ({ model }) => {
      this.#model = model
    },
  }

  #message({ message }: Fields, entry: Entry): void {
    const tell = own(this.#kinds, valueAt(message, 'kind'))
    if (tell === undefined || !isObject(message)) this.report('record-invalid', { before: message })
    else tell(message, entry)
  }

  readonly #kinds: { readonly [kind: string]: Tell } = {
    user: (message, entry) => this.#user(message, entry),
    assistant: (message, entry) => this.#assistant(message, entry),
    tool_result: (message, entry) => this.#result(message, entry),
    custom: (message, entry) => this.#custom(message, entry),
    compaction_summary: (message, entry) => this.#summary(message, entry),
    branch_summary: (message, entry) => this.#summary(message, entry),
  }

  #user(message: Fields, entry: Entry): void {
    const parts = partsOf(message.content, OPEN, this.report)
    if (parts === undefined) this.report('record-invalid', { before: message })
    else if (parts.length === 0) this.report('message-empty')
    else this.#add(() => this.#into.user({ ...headOf(entry), parts }))
  }

  #assistant(message: Fields, entry: Entry): void {
    const parts = partsOf(message.content, ASSISTANT, this.report)
    if (parts === undefined) this.report('record-invalid', { before: message })
    else if (parts.length === 0) this.report('message-empty')
    else {
      this.#dispatches.told(this.#messages, parts, NEVER_RUN.has(message.stop_reason))
      this.#add(() => this.#into.assistant({ ...this.#about(message), ...headOf(entry), parts }, { line: entry.line }))
    }
  }

  #about(message: Fields): { readonly by?: Author; readonly stop?: StopReason; readonly usage?: Usage } {
    const model = stringAt(this.#model, 'name')
    const provider = stringAt(message, 'provider') ?? stringAt(this.#model, 'provider')
    const stop = own(STOPS, message.stop_reason)
    const usage = usageFrom('oino', message.usage, USAGE)
    return {
      ...(model === undefined ? {} : { by: { ...(provider === undefined ? {} : { provider }), model } }),
      ...(stop === undefined ? {} : { stop }),
      ...(usage === undefined ? {} : { usage }),
    }
  }

  #result(message: Fields, entry: Entry): void {
    if (message.content === undefined) this.report('part-invalid', { message: CONTENT_MISSING, before: message })
    const output = outputOf(message.content, this.report)
    const name = stringAt(message, 'tool_name')
    const isRepair = this.#asides.repairs.has(entry)
    this.#into.result({
      callId: stringAt(message, 'tool_call_id') ?? '',
      ...(name === undefined ? {} : { name }),
      state: isRepair
        ? { status: 'interrupted' }
        : message.is_error === true
          ? { status: 'failed', error: output }
          : { status: 'completed', result: output },
      ...(isRepair ? { synthetic: true } : {}),
      line: entry.line,
    })
  }

  /** The program itself cannot send these; they hold any value. */
  #custom(message: Fields, entry: Entry): void {
    const { payload, content } = message
    if (content !== undefined) this.report('part-invalid', { before: content })
    if (message.model_visible !== true) {
      this.report('message-left-out', { before: payload })
      return
    }
    const text =
      typeof payload === 'string'
        ? payload
        : (stringAt(payload, 'text') ?? stringAt(payload, 'content') ?? deepText(payload))
    this.#add(() => this.#into.user({ kind: 'injected', ...headOf(entry), parts: [{ type: 'text', text }] }))
  }

  #summary({ summary }: Fields, entry: Entry): void {
    if (typeof summary !== 'string') this.report('record-invalid', { before: entry.record })
    else
      this.#add(() => this.#into.user({ kind: 'summary', ...headOf(entry), parts: [{ type: 'text', text: summary }] }))
  }

  #add(tell: () => void): void {
    tell()
    this.#messages++
  }
}

const headOf = ({ id }: Entry): Head => (id === undefined ? {} : { id })
