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
  readonly id: string
  /** Without `joined` and the states of `calls` while `isStale`. */
  message: Message
  /** All parts, where further ones came after the message. */
  joined: AssistantPart[] | undefined
  /** The calls that got another state, by their part. */
  calls: Map<number, CallDraft> | undefined
  isStale: boolean
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

  /** `seq` names a message that has no id. */
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
    const call = (slot?.joined ?? slot?.message.parts)?.[part]
    if (slot === undefined || call?.type !== 'tool-call') return
    slot.calls ??= new Map()
    slot.isStale = true
    const draft = slot.calls.get(part) ?? draftOf(call, index, part)
    draft.state = state
    // A replaced closer gives its place to the real result: that is where the model saw it.
    if (answered) draft.answeredAt ??= this.#answers++
    slot.calls.set(part, draft)
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
    return this.#slots[index]?.id ?? ''
  }

  /** The message of a slot with the states that its calls have now. */
  messageOf(index: number): Message {
    const slot = this.#slots[index] as Slot
    if (slot.isStale && slot.message.role === 'assistant') {
      const message = slot.joined === undefined ? slot.message : { ...slot.message, parts: [...slot.joined] }
      slot.message = slot.calls === undefined ? message : withStates(message, slot.calls)
      slot.isStale = false
    }
    return slot.message
  }

  session(slots: readonly number[] = this.path.active()): Session {
    const messages = slots.map((index) => this.messageOf(index))
    return { version: 1, ...this.#head, messages }
  }

  #store(message: Message, seq: number): number {
    const id = message.id === undefined || message.id === '' ? `m${seq}` : message.id
    return this.#slots.push({ id, message, joined: undefined, calls: undefined, isStale: false }) - 1
  }
}

function draftOf(call: ToolCallEntry, message: number, part: number): CallDraft {
  const answeredAt = isAnswered(call) ? BEFORE + (call.resultOrder ?? part) : undefined
  return { call, message, part, turn: 0, run: 0, line: undefined, state: undefined, stage: 'open', answeredAt }
}

/** What was recorded with its result was answered before all that came as a record of its own. */
const BEFORE = -1e9

const isAnswered = ({ state }: ToolCallEntry): boolean => state.status === 'completed' || state.status === 'failed'

function withStates(message: AssistantMessage, calls: ReadonlyMap<number, CallDraft>): AssistantMessage {
  const places = resultPlaces(draftsOf(message, calls))
  const parts = message.parts.map((part, index): AssistantPart => {
    if (part.type !== 'tool-call') return part
    const draft = calls.get(index)
    const place = draft === undefined ? undefined : places?.get(draft)
    const { resultOrder: _before, ...call } = part
    const state = draft?.state ?? part.state
    return place === undefined ? { ...call, state } : { ...call, state, resultOrder: place }
  })
  return { ...message, parts }
}

/** All calls of the message, since the place of a result is told against that of its call. */
function draftsOf(message: AssistantMessage, calls: ReadonlyMap<number, CallDraft>): CallDraft[] {
  return message.parts.flatMap((part, index) =>
    part.type === 'tool-call' ? [calls.get(index) ?? draftOf(part, 0, index)] : [],
  )
}
