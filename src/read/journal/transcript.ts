import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Session,
  ToolCallEntry,
  ToolCallState,
  Usage,
  UserPart,
} from '../../model/session.ts'
import type { CallDraft } from '../open-calls.ts'
import { resultPlaces } from '../result-order.ts'
import { Accounts, type JournalTurn, type JournalUsage } from './accounts.ts'
import { Path } from './path.ts'
import type { ContextSize, SessionHead, TurnStage } from './record.ts'

/** A message as it was recorded, and what has become of its calls. */
interface Slot {
  /** Of its record: names a message that has no id. */
  readonly seq: number
  /** Without `joined` and `outcomes` while `isStale`. */
  message: Message
  /** All parts, where further ones came after the message. */
  joined: AssistantPart[] | undefined
  /** Of the calls that got another state, by their part. */
  outcomes: (Outcome | undefined)[] | undefined
  isStale: boolean
}

interface Outcome {
  state: ToolCallState
  /** When its result came, counted over the results of the journal. */
  answeredAt: number | undefined
}

/** What is known to be stored: the conversation, its turns and what it cost. */
export class Transcript {
  readonly path: Path = new Path()
  #head: SessionHead = {}
  readonly #slots: Slot[] = []
  readonly #accounts = new Accounts()
  #answers = 0

  describe(head: SessionHead): void {
    this.#head = { ...this.#head, ...head }
  }

  add(message: Message, seq: number): void {
    this.path.add(this.#store(message, seq))
    if (message.role === 'assistant') this.#accounts.answer(message)
  }

  join(index: number, fields: Omit<AssistantMessage, 'role' | 'parts'>, parts: readonly AssistantPart[]): void {
    const slot = this.#slots[index]
    if (slot?.message.role !== 'assistant') return
    slot.joined ??= [...slot.message.parts]
    for (const part of parts) slot.joined.push(part)
    slot.message = { role: 'assistant', ...fields, parts: slot.message.parts }
    slot.isStale = true
    this.#accounts.answer({ parts })
  }

  settle(index: number, part: number, state: ToolCallState, answered: boolean): void {
    const slot = this.#slots[index]
    const parts = slot?.joined ?? slot?.message.parts
    const call = parts?.[part]
    if (slot === undefined || parts === undefined || call?.type !== 'tool-call') return
    slot.outcomes ??= new Array(parts.length)
    slot.isStale = true
    const outcome = slot.outcomes[part] ?? { state, answeredAt: answeredBefore(call, part) }
    outcome.state = state
    // A replaced closer gives its place to the real result: that is where the model saw it.
    if (answered) outcome.answeredAt ??= this.#answers++
    slot.outcomes[part] = outcome
  }

  compact(parts: readonly UserPart[], keep: number, seq: number): void {
    this.path.compact(this.#store({ role: 'user', parts, kind: 'summary' }, seq), keep)
  }

  rewind(keep: number): void {
    this.path.rewind(keep)
  }

  turn(id: string, stage: TurnStage): void {
    this.#accounts.enter(id, stage)
  }

  usage(usage: Usage, context: ContextSize | undefined): void {
    this.#accounts.spend(usage, context)
  }

  turns(): readonly JournalTurn[] {
    return this.#accounts.turns()
  }

  usageTotals(): JournalUsage {
    return this.#accounts.usage()
  }

  idOf(index: number): string {
    const slot = this.#slots[index]
    if (slot === undefined) return ''
    const { id } = slot.message
    return id === undefined || id === '' ? `m${slot.seq}` : id
  }

  /** The message of a slot with the states that its calls have now. */
  messageOf(index: number): Message {
    const slot = this.#slots[index] as Slot
    if (slot.isStale && slot.message.role === 'assistant') {
      const message = slot.joined === undefined ? slot.message : { ...slot.message, parts: [...slot.joined] }
      slot.message = slot.outcomes === undefined ? message : withStates(message, slot.outcomes)
      slot.isStale = false
    }
    return slot.message
  }

  session(slots: readonly number[] = this.path.active()): Session {
    const messages = slots.map((index) => this.messageOf(index))
    return { version: 1, ...this.#head, messages }
  }

  #store(message: Message, seq: number): number {
    return this.#slots.push({ seq, message, joined: undefined, outcomes: undefined, isStale: false }) - 1
  }
}

function answeredBefore(call: ToolCallEntry, part: number): number | undefined {
  const isAnswered = call.state.status === 'completed' || call.state.status === 'failed'
  return isAnswered ? BEFORE + (call.resultOrder ?? part) : undefined
}

/** What was recorded with its result was answered before all that came as a record of its own. */
const BEFORE = -1e9

function withStates(message: AssistantMessage, outcomes: readonly (Outcome | undefined)[]): AssistantMessage {
  const drafts = message.parts.map((part, index) =>
    part.type === 'tool-call' ? draftOf(part, index, outcomes[index]) : undefined,
  )
  // All calls of the message, since the place of a result is told against that of its call.
  const places = resultPlaces(drafts.filter((draft) => draft !== undefined))
  const parts = message.parts.map((part, index): AssistantPart => {
    const draft = drafts[index]
    if (part.type !== 'tool-call' || draft === undefined) return part
    const place = outcomes[index] === undefined ? undefined : places?.get(draft)
    const { resultOrder: _before, ...call } = part
    const state = outcomes[index]?.state ?? part.state
    return place === undefined ? { ...call, state } : { ...call, state, resultOrder: place }
  })
  return { ...message, parts }
}

function draftOf(call: ToolCallEntry, part: number, outcome: Outcome | undefined): CallDraft {
  const answeredAt = outcome === undefined ? answeredBefore(call, part) : outcome.answeredAt
  return { call, message: 0, part, turn: 0, run: 0, line: undefined, state: undefined, stage: 'open', answeredAt }
}
