import type { AssistantMessage, Message, ToolCallState } from '../../model/session.ts'
import { joinedFields } from '../join.ts'
import { COUNTS } from './accounts.ts'
import { Impossible, type JournalCall, JournalCalls } from './calls.ts'
import type {
  CompactionEntry,
  JournalEntry,
  JournalRecord,
  MessageEntry,
  RepairEntry,
  RewindEntry,
  TurnEntry,
  UsageEntry,
} from './record.ts'
import type { Transcript } from './transcript.ts'
import { TurnStages } from './turns.ts'

/** What an accepted record does to the transcript, once it is durable. */
export type Effect = (transcript: Transcript) => void

/**
 * Says which record may come next. It runs ahead of the transcript: a record is judged when it is handed in, and seen
 * when it is durable. Each kind asks all that may refuse it before it changes anything: what is refused never stands in the
 * store, so that whoever opens the journal again must find it as if it had never been handed in.
 */
export class Ledger {
  readonly calls: JournalCalls = new JournalCalls()
  readonly turns: TurnStages = new TurnStages()
  /** Of the record that comes next. */
  seq = 0
  hasHead = false
  /** So many messages of the start are still to come. */
  awaited = 0
  /** Messages recorded, and of them those of the conversation now. */
  #messages = 0
  #length = 0
  #isCompacted = false
  /** Counts user messages: they part turns of the conversation. */
  #turn = 0
  /** The assistant message that a further one may join. */
  #last: Last | undefined

  /** @throws {Impossible} when the record contradicts those before it; then nothing has changed. */
  accept(record: JournalRecord): Effect {
    if (record.seq !== this.seq) {
      throw new Impossible(`record ${this.seq} is expected, this is record ${record.seq}: records are lost or repeated`)
    }
    const effect = this.#accept[record.type](record as never)
    this.seq++
    return effect
  }

  readonly #accept: {
    readonly [K in JournalEntry['type']]: (record: Extract<JournalRecord, { type: K }>) => Effect
  } = {
    session: ({ session, start }) => {
      this.hasHead = true
      this.awaited = start ?? this.awaited
      return (transcript) => transcript.describe(session)
    },
    message: (record) => this.#message(record),
    dispatch: ({ call }) => this.#state(this.calls.dispatch(call)),
    settle: (record) => {
      const call = this.calls.settle(record)
      this.#last = undefined
      return this.#state(call, record.state.status !== 'pending')
    },
    turn: (record) => this.#turnStage(record),
    usage: (record) => this.#usage(record),
    compaction: (record) => this.#compaction(record),
    rewind: (record) => this.#rewind(record),
    repair: (record) => this.#repair(record),
  }

  #message({ message, joins, seq }: MessageEntry & { readonly seq: number }): Effect {
    if (this.awaited > 0) this.awaited--
    const joined = joins === true && message.role === 'assistant' ? this.#joined(message) : undefined
    if (joined !== undefined && message.role === 'assistant') {
      const { at, before } = joined
      this.#addCalls(message, at, before)
      return (transcript) => transcript.join(at, joined.fields, message.parts)
    }
    const index = this.#messages++
    this.#length++
    if (message.role === 'user') this.#turn++
    this.#addCalls(message, index, 0)
    this.#last =
      message.role === 'assistant' ? { message: index, head: message, parts: message.parts.length } : undefined
    return (transcript) => transcript.add(message, seq)
  }

  /** Where the message goes on, and with which fields; undefined when it must stand by itself. */
  #joined(message: AssistantMessage): { at: number; before: number; fields: Head } | undefined {
    if (this.#last === undefined) return undefined
    const { message: at, parts: before, head } = this.#last
    const fields = joinedFields(fieldsOf(head), fieldsOf(message))
    if (fields === undefined) return undefined
    this.#last = { message: at, head: fields, parts: before + message.parts.length }
    return { at, before, fields }
  }

  #addCalls(message: Message, index: number, before: number): void {
    if (message.role !== 'assistant') return
    let part = before
    for (const value of message.parts) this.calls.add(value, index, part++, this.#turn)
  }

  #state({ message, part, state }: JournalCall, answered = false): Effect {
    return (transcript) => transcript.settle(message, part, state as ToolCallState, answered)
  }

  #turnStage({ id, stage }: TurnEntry): Effect {
    this.turns.enter({ id, stage })
    return (transcript) => transcript.turn(id, stage)
  }

  #usage({ usage, context }: UsageEntry): Effect {
    const counts = COUNTS.map((count) => usage[count] ?? 0)
    if (counts.some((count) => count < 0)) throw new Impossible('usage counts below zero')
    if (context !== undefined && (context.used < 0 || context.max <= 0)) throw new Impossible('a context of no size')
    return (transcript) => transcript.usage(usage, context)
  }

  #compaction({ parts, keep, seq }: CompactionEntry & { readonly seq: number }): Effect {
    this.#expectLength(keep + (this.#isCompacted ? 1 : 0))
    this.#length = keep + 1
    this.#isCompacted = true
    this.#messages++
    this.#last = undefined
    return (transcript) => transcript.compact(parts, keep, seq)
  }

  #rewind({ keep }: RewindEntry): Effect {
    this.#expectLength(keep)
    this.#length = keep
    if (keep === 0) this.#isCompacted = false
    this.#last = undefined
    return (transcript) => transcript.rewind(keep)
  }

  #expectLength(keep: number): void {
    if (keep > this.#length) throw new Impossible(`so many messages cannot be kept: there are ${this.#length}`)
  }

  #repair({ closed, turns }: RepairEntry): Effect {
    this.turns.expectUnfinished(turns)
    // Nothing that is asked behind the calls may refuse: they are closed by now.
    const calls = this.calls.close(closed.map((one) => ({ ...one, state: closedState(one.dispatched) })))
    this.#last = undefined
    const effects = calls.map((call) => this.#state(call, true))
    for (const id of turns) effects.push(this.#turnStage({ type: 'turn', id, stage: 'interrupted' }))
    return (transcript) => {
      for (const effect of effects) effect(transcript)
    }
  }
}

type Head = Omit<AssistantMessage, 'role' | 'parts'>

interface Last {
  readonly message: number
  /** The message itself until one joins it: most are never joined. */
  readonly head: Head | AssistantMessage
  readonly parts: number
}

function fieldsOf(head: Head | AssistantMessage): Head {
  if (!('role' in head)) return head
  const { role: _role, parts: _parts, ...fields } = head
  return fields
}

/** How the state of a call reads that nobody goes on with. */
export function closedState(dispatched: boolean | undefined): ToolCallState {
  return dispatched === undefined ? { status: 'interrupted' } : { status: 'interrupted', dispatched }
}
