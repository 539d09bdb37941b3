import { append } from '../model/append.ts'
import { type ChangeCode, type ChangeDetail, change } from '../model/change.ts'
import { fitsMessage } from '../model/fits.ts'
import { valueAt } from '../model/json.ts'
import type { AssistantMessage, Change, Message, ToolCallEntry, ToolCallState } from '../model/session.ts'
import { canonicalHead } from '../read/entries/canonical.ts'
import { reporter as placedReporter } from '../read/report.ts'
import { outcomeSteps, steps } from '../repair/index.ts'
import { type NameBook, nameBook } from '../repair/names.ts'
import { type Repairs, startAll } from '../repair/run.ts'
import type { Draft, Report } from '../repair/step.ts'
import type { WriteOptions } from '../rules/options.ts'
import { type Recording, recorder, storedId } from './recording.ts'
import { placeOf, type Repaired, type Segment, type Setting, type Writer, type WriteSegment } from './writer.ts'

/** Changes that are the same whenever the history is written, and so were there when the model signed what follows. */
const NO_DRIFT: ReadonlySet<ChangeCode> = new Set(['call-closed', 'call-pending'])

interface Open extends Segment {
  assistants: Repaired<AssistantMessage>[]
  rest: Segment['rest'][number][]
  closedBy: Message | undefined
}

/** Stands for every empty list: `append` leaves it as it is. */
const NONE: never[] = []

function segment(first: boolean): Open {
  return { first, assistants: NONE, rest: NONE, closedBy: undefined }
}

const never = (): boolean => false

/**
 * The fold behind every conversion: one message in, wire elements out. Holds what was written of closed segments, the open
 * one, and the little that is carried from message to message.
 */
export class Fold<Wire extends object, Request, Options extends WriteOptions, Traits> {
  readonly book: NameBook
  readonly written: Recording<Wire>
  readonly segments: Segment[] = []
  /** For each segment, the index of its first wire. */
  readonly starts: number[] = []
  readonly hoisted: Repaired[] = []
  /** Changes of closed segments, then of the open one. */
  readonly changes: Change[] = []
  /** What the repair steps changed, without what writing added. */
  readonly mended: Change[] = []
  #openChanges: Change[] = []
  #tail: Open = segment(true)
  #begun = false
  /** The message under repair, if it closes the open segment, and what was found in it. */
  #closing: Message | undefined
  readonly #found: Change[] = []
  readonly #note = (found: Change): void => this.#report(this.#found, found)
  readonly #differs = (): boolean => this.#drifted || (this.#closing !== undefined && this.#tailDrifts(this.#closing))
  #drifted: boolean
  readonly #driftFrom: number
  readonly #repairs: Repairs
  readonly #alone: Repairs
  readonly #write: WriteSegment
  readonly #writer: Writer<Wire, Request, Options, Traits>
  readonly #setting: Setting<Options, Traits>

  /** `driftFrom`: from this message on the prefix is known to differ from what the model saw; 0: from the start. */
  constructor(writer: Writer<Wire, Request, Options, Traits>, setting: Setting<Options, Traits>, driftFrom: number) {
    this.#writer = writer
    this.#setting = setting
    this.#driftFrom = driftFrom
    this.#drifted = false
    this.book = nameBook(setting.rules)
    this.#repairs = startAll(steps(this.book), setting.rules)
    this.#alone = startAll(outcomeSteps, setting.rules)
    this.written = recorder()
    this.#write = writer.open(this.written, setting)
  }

  push(stored: Message, index: number): void {
    if (index >= this.#driftFrom) this.#drifted = true
    const message = fitsMessage(stored) ? stored : this.#canonical(stored, index)
    if (message === undefined) this.#keepFound(index, false)
    else this.#pushMessage(message, index)
  }

  #canonical(stored: Message, index: number): Message | undefined {
    return canonicalHead(
      stored,
      placedReporter(this.#note, () => ({ message: index })),
    )
  }

  #pushMessage(message: Message, index: number): void {
    const { rules } = this.#setting
    const assistant = message.role === 'assistant'
    const hoists = message.role === 'instruction' && !this.#begun && rules.hoistsInstructions
    this.#closing = assistant && this.#tailIsAnswered() ? message : undefined
    const joins = assistant && this.#closing === undefined && this.#tail.assistants.length > 0
    const repaired = this.#run(message, index, this.#repairs, joins, this.#note)
    const empty = repaired.message.parts.length === 0 && !this.#mayBeEmpty(repaired.message)
    if (!empty) {
      if (this.#closing !== undefined) this.#close(this.#closing)
      this.#repairs.commit(repaired.message, joins)
    }
    if (this.#found.length > 0 || empty) this.#keepFound(index, empty)
    if (empty) return
    this.#begun ||= !hoists
    if (hoists) this.#hoist(repaired)
    else if (assistant) this.#tail.assistants = append(this.#tail.assistants, repaired as Repaired<AssistantMessage>)
    else this.#tail.rest = append(this.#tail.rest, repaired as Segment['rest'][number])
  }

  #keepFound(index: number, empty: boolean): void {
    if (empty) this.#found.push(change('message-empty', { message: index }))
    for (const one of this.#found) {
      this.#openChanges.push(one)
      this.mended.push(one)
    }
    this.#found.length = 0
  }

  /** The first index that stands in the open segment. */
  get openFrom(): number {
    return this.#tail.assistants[0]?.index ?? this.#tail.rest[0]?.index ?? Number.POSITIVE_INFINITY
  }

  /** Gives an open call of the open segment its outcome. */
  settle(index: number, place: number, state: ToolCallState): void {
    const at = this.#tail.assistants.findIndex((one) => one.index === index)
    const repaired = this.#tail.assistants[at]
    if (repaired === undefined) return
    const position = repaired.message.parts.findIndex((_, position) => placeOf(repaired, position) === place)
    const call = repaired.message.parts[position] as ToolCallEntry
    const alone: AssistantMessage = { role: 'assistant', parts: [{ ...call, state }] }
    const callId = storedId(repaired.stored ?? repaired.message, place) ?? call.id
    const report = (found: Change): void =>
      this.#report(this.#openChanges, { ...found, at: { message: index, part: place, callId } })
    const mended = this.#run(alone, index, this.#alone, false, report, never).message.parts[0] as ToolCallEntry
    const parts = repaired.message.parts.with(position, mended)
    this.#tail.assistants[at] = { ...repaired, message: { ...repaired.message, parts } }
  }

  /** A message outside the order: the coming turn, the system prompt. */
  repairAlone<M extends Message>(message: M, report: (found: Change) => void): Repaired<M> {
    return this.#run(message, undefined, this.#alone, false, report, never) as Repaired<M>
  }

  /** What the open segment gives now, with the coming turn behind it. */
  writeTail(next: Repaired | undefined): Recording<Wire> {
    const recording = recorder<Wire>()
    this.#writer.open(recording, this.#setting)(this.tail(next), this.segments)
    return recording
  }

  tail(next?: Repaired): Segment {
    return next === undefined
      ? this.#tail
      : { ...this.#tail, rest: [...this.#tail.rest, next as Segment['rest'][number]] }
  }

  get openChanges(): readonly Change[] {
    return this.#openChanges
  }

  #tailIsAnswered(): boolean {
    if (this.#tail.rest.length > 0) return true
    const last = this.#tail.assistants.at(-1)
    return last?.message.parts.some((part) => part.type === 'tool-call' && part.executor !== 'provider') === true
  }

  #tailDrifts(closedBy: Message): boolean {
    const recording = recorder<Wire>()
    this.#writer.open(recording, this.#setting)({ ...this.#tail, closedBy })
    return recording.changes.some(drifts)
  }

  #close(closedBy: Message): void {
    const from = this.written.wires.length
    const found = this.written.changes.length
    this.#tail.closedBy = closedBy
    this.#write(this.#tail)
    if (this.written.wires.length > from) {
      this.segments.push(this.#tail)
      this.starts.push(from)
    }
    if (this.#openChanges.length > 0) {
      for (const one of this.#openChanges) this.changes.push(one)
      this.#openChanges = []
    }
    for (let at = found; at < this.written.changes.length; at++) this.#report(this.changes, this.written.changes[at]!)
    this.#tail = segment(this.#tail.first && this.written.wires.length === 0)
  }

  #hoist(repaired: Repaired): void {
    this.hoisted.push(repaired)
    this.#report(this.#openChanges, change('instruction-hoisted', { message: repaired.index }))
  }

  #report(changes: Change[], found: Change): void {
    changes.push(found)
    if (drifts(found)) this.#drifted = true
  }

  #run(
    message: Message,
    index: number | undefined,
    repairs: Repairs,
    joins: boolean,
    add: (found: Change) => void,
    drifted: () => boolean = this.#differs,
  ): Repaired {
    if (!repairs.suspect(message, joins, drifted)) return { message, index, places: undefined, stored: undefined }
    return finished(repairs.mend(reporter(message, index, add)), index, this.#writer.api)
  }

  #mayBeEmpty(message: Message): boolean {
    const { emptyMessages, ownContent, api } = this.#setting.rules
    if (emptyMessages === 'all' || (emptyMessages === 'assistant' && message.role === 'assistant')) return true
    const slot = message.extra?.[api]
    return message.role === 'assistant' && ownContent.some((key) => (valueAt(slot, key) ?? null) !== null)
  }
}

function reporter(message: Message, index: number | undefined, add: (found: Change) => void): Report {
  return {
    add(code, part, callId, detail: ChangeDetail = {}) {
      const at: { message?: number; part?: number; callId?: string } = {}
      if (index !== undefined) {
        at.message = index
        if (part !== undefined) at.part = part
        if (callId !== undefined) at.callId = storedId(message, part) ?? callId
      }
      add(change(code, at, detail))
    },
  }
}

function finished(draft: Draft, index: number | undefined, api: string): Repaired {
  const { message, parts, places } = draft
  const same =
    parts.length === message.parts.length && parts.every((part, position) => part === message.parts[position])
  if (same && !('slot' in draft)) return { message, index, places: undefined, stored: undefined }
  const extra = 'slot' in draft ? { extra: { ...message.extra, [api]: draft.slot } } : {}
  return { message: { ...message, ...extra, parts: parts as never } as Message, index, places, stored: message }
}

function drifts(found: Change): boolean {
  // An empty text was never sent; a blank one may have been, and then the model saw it.
  if (found.code === 'text-empty') return found.before !== JSON.stringify('')
  return found.severity !== 'info' && !NO_DRIFT.has(found.code)
}
