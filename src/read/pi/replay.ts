import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Message, TextPart, ToolDefinition, UserMessage } from '../../model/session.ts'
import { type Assembler, assembler, type StoredPart } from '../assemble.ts'
import type { Entry } from '../entry-tree.ts'
import { type Report, reporter } from '../report.ts'
import { slot } from '../slots.ts'
import { assistantMessage } from './assistant.ts'
import { Authors } from './authors.ts'
import { blocksOf, openParts } from './content.ts'
import { Dispatches, type Note } from './dispatch.ts'
import { Prompt, updateText } from './prompt.ts'
import { resultOf } from './results.ts'
import { bashText, branchText, compactionText } from './texts.ts'
import type { Window } from './window.ts'

export interface Told {
  readonly messages: readonly Message[]
  readonly instructions: readonly TextPart[]
  readonly tools: readonly ToolDefinition[]
  readonly changes: ReturnType<Assembler['finish']>['changes']
}

interface Asides {
  readonly notes: ReadonlyMap<Entry, Note>
  /** Results that a repair put there. */
  readonly repairs: ReadonlySet<Entry>
}

type Head = { readonly id?: string; readonly at?: string }

/** Tells the entries of a window to the assembler, one by one. */
export class Replay {
  readonly #window: Window
  readonly #asides: Asides
  readonly #into: Assembler = assembler({ unanswered: 'interrupted' })
  readonly #prompt = new Prompt()
  readonly #dispatches = new Dispatches()
  readonly #authors = new Authors()
  /** Calls that an edit took out: their results go with them. */
  readonly #hidden = new Set<string>()
  #messages = 0
  #line = 0
  readonly #report: Report

  constructor(window: Window, asides: Asides) {
    this.#window = window
    this.#asides = asides
    this.#report = reporter(
      (change) => this.#into.report(change),
      () => ({ line: this.#line }),
    )
  }

  run(): Told {
    for (const entry of this.#window.prompt) {
      this.#line = entry.line
      this.#prompt.apply(entry.record.message as Fields, this.#report)
    }
    for (const entry of this.#window.entries) {
      this.#line = entry.line
      const note = this.#asides.notes.get(entry)
      if (note !== undefined) this.#dispatches.note(note)
      else own(this.#entries, entry.type)?.(entry)
    }
    const { messages, changes } = this.#into.finish()
    const { instructions, tools } = this.#prompt
    return { messages: this.#dispatches.applied(messages), instructions, tools, changes }
  }

  /** All other kinds carry the chain, and nothing that the model sees. */
  readonly #entries: { readonly [type: string]: (entry: Entry) => void } = {
    message: (entry) => this.#message(entry),
    custom_message: (entry) => this.#custom(entry, entry.record, headOf(entry, entry.record)),
    branch_summary: (entry) => this.#summary(entry, branchText),
    compaction: (entry) => this.#compaction(entry),
  }

  #message(entry: Entry): void {
    const { message } = entry.record
    if (!isObject(message)) {
      this.#report('record-invalid', { before: entry.record })
      return
    }
    const role = own(this.#roles, message.role)
    if (role === undefined) this.#report('record-unknown', { before: message.role })
    else role(entry, message, headOf(entry, message))
  }

  readonly #roles: { readonly [role: string]: (entry: Entry, message: Fields, head: Head) => void } = {
    user: (entry, message, head) => this.#user(entry, message, head),
    assistant: (entry, message, head) => this.#assistant(entry, message, head),
    toolResult: (entry, message) => this.#result(entry, message),
    bashExecution: (_entry, message, head) => this.#bash(message, head),
    custom: (entry, message, head) => this.#custom(entry, message, head),
    hookMessage: (entry, message, head) => this.#custom(entry, message, head),
    system: (_entry, message, head) => this.#system(message, head),
    branchSummary: (_entry, message, head) => this.#derived(stringAt(message, 'summary'), branchText, head),
    compactionSummary: (_entry, message, head) => this.#derived(stringAt(message, 'summary'), compactionText, head),
  }

  #user(entry: Entry, stored: Fields, head: Head, more: Partial<UserMessage> = {}): void {
    const message = this.#edited(entry, stored)
    if (message === undefined) return
    const blocks = blocksOf(message.content)
    if (blocks === undefined) {
      this.#report('record-invalid', { before: message })
      return
    }
    const parts = openParts(blocks, this.#report)
    if (parts.length === 0) this.#report('message-empty')
    else this.#add({ ...more, ...head, parts })
  }

  #custom(entry: Entry, message: Fields, head: Head): void {
    const type = stringAt(message, 'customType')
    const extra = type === undefined ? {} : slot('pi', { customType: type })
    this.#user(entry, message, head, { kind: 'injected', ...extra })
  }

  #assistant(entry: Entry, stored: Fields, head: Head): void {
    const message = this.#edited(entry, stored)
    if (message !== stored) this.#hide(stored.content)
    if (message === undefined) return
    const told = assistantMessage(message, this.#authors, this.#report)
    if (told === undefined) this.#report('record-invalid', { before: message })
    // An answer that failed or was stopped before anything came.
    else if (told.parts.length === 0) this.#report('message-empty', { before: message.errorMessage })
    else {
      this.#show(told.parts)
      // pi does not run the calls of an answer that failed or was stopped.
      this.#dispatches.told(this.#messages++, told.parts, told.stop === 'error' || told.stop === 'aborted')
      this.#into.assistant(Object.assign(told, head), { line: entry.line })
    }
  }

  #result(entry: Entry, stored: Fields): void {
    const message = this.#edited(entry, stored)
    if (message === undefined) return
    if (this.#hidden.has(stringAt(message, 'toolCallId') ?? '')) {
      this.#report('message-left-out', { message: HIDDEN_CALL, before: message.content })
      return
    }
    const place = { line: entry.line, isRepair: this.#asides.repairs.has(entry) }
    this.#into.result(resultOf(message, place, this.#report))
  }

  #bash(message: Fields, head: Head): void {
    if (message.excludeFromContext === true) this.#report('message-left-out', { before: message.command })
    else if (typeof message.command !== 'string') this.#report('record-invalid', { before: message })
    else {
      const { output } = message
      if (output !== undefined && output !== null && typeof output !== 'string')
        this.#report('part-invalid', { before: output })
      this.#add({ kind: 'injected', ...head, parts: [{ type: 'text', text: bashText(message) }] })
    }
  }

  /** At the beginning it is the prompt, later on an instruction. */
  #system(message: Fields, head: Head): void {
    if (this.#messages === 0) {
      this.#prompt.apply(message, this.#report)
      return
    }
    this.#prompt.applyTools(message, this.#report)
    const text = updateText(message)
    if (text === '') return
    this.#into.instruction({ ...head, authority: 'system', parts: [{ type: 'text', text }] })
    this.#messages++
  }

  #compaction(entry: Entry): void {
    const { systemMessage } = entry.record
    if (isObject(systemMessage)) this.#prompt.apply(systemMessage, this.#report)
    this.#summary(entry, compactionText)
  }

  #summary(entry: Entry, text: (summary: string) => string): void {
    this.#derived(stringAt(entry.record, 'summary'), text, headOf(entry, entry.record))
  }

  #derived(summary: string | undefined, text: (summary: string) => string, head: Head): void {
    if (summary === undefined) this.#report('record-invalid')
    else if (summary === '' && text === branchText) this.#report('message-empty')
    else this.#add({ kind: 'summary', ...head, parts: [{ type: 'text', text: text(summary) }] })
  }

  #add(message: Omit<UserMessage, 'role'>): void {
    this.#into.user(message)
    this.#messages++
  }

  /** The message as later edits left it; undefined when one hides it. */
  #edited(entry: Entry, message: Fields): Fields | undefined {
    const { edits } = this.#window
    if (entry.id === undefined || !edits.has(entry.id)) return message
    const content = edits.get(entry.id)
    this.#report(content === null ? 'message-left-out' : 'compaction-applied', {
      message: content === null ? HIDDEN : REPLACED,
      before: message.content,
    })
    return content === null ? undefined : { ...message, content }
  }

  #hide(content: unknown): void {
    for (const block of Array.isArray(content) ? content : []) {
      if (isObject(block) && block.type === 'toolCall' && typeof block.id === 'string') this.#hidden.add(block.id)
    }
  }

  #show(parts: readonly StoredPart[]): void {
    if (this.#hidden.size === 0) return
    for (const part of parts) if (part.type === 'tool-call') this.#hidden.delete(part.id)
  }
}

const HIDDEN = 'A message that a later record takes out of the conversation was left out.'
const HIDDEN_CALL = 'The result of a call that a later record takes out of the conversation was left out.'
const REPLACED = 'The content that a later record puts in the place of the stored one was read.'

/** Entries store a text, messages, which are older, milliseconds. */
function headOf(entry: Entry, message: Fields): Head {
  const head: { id?: string; at?: string } = {}
  if (entry.id !== undefined) head.id = entry.id
  const { timestamp } = entry.record
  const at = typeof timestamp === 'string' && timestamp !== '' ? timestamp : isoTime(message.timestamp)
  if (at !== undefined) head.at = at
  return head
}

function isoTime(time: unknown): string | undefined {
  if (typeof time !== 'number') return undefined
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
