import type { AssistantMessage, Usage } from '../../model/session.ts'
import type { ContextSize, TurnStage } from './record.ts'
import { finalText } from './turns.ts'

/** A turn of a journal: a task from its acceptance to its end. */
export interface JournalTurn {
  /** Given by the caller, else `turn-1`, `turn-2` and so on. */
  readonly id: string
  /** As last recorded: `accepted` (waits), `started` (runs), else how it ended. */
  readonly stage: TurnStage
  /** The text of its last answer, when it is completed and no call follows that text. */
  readonly result?: string | undefined
  /** Tokens, by kind: the sum of what was recorded while it ran. Kinds that were never recorded are absent. */
  readonly usage: Usage
}

/** What a journal cost so far. */
export interface JournalUsage {
  /** Tokens, by kind: the sum of all that was recorded, in turns and outside of them. */
  readonly total: Usage
  /** Tokens of the model's context, as last recorded; absent when they never were. */
  readonly context?: ContextSize | undefined
}

/** The counts of a usage. */
export const COUNTS: readonly (keyof Omit<Usage, 'extra'>)[] = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
]

/** Turns, and what they cost. */
export class Accounts {
  readonly #turns = new Map<string, Turn>()
  #running: Turn | undefined
  #finalText: string | undefined
  readonly #total: Sum = {}
  #context: ContextSize | undefined

  enter(id: string, stage: TurnStage): void {
    const turn = this.#turn(id, stage)
    turn.stage = stage
    if (stage === 'completed' && this.#running === turn) turn.result = this.#finalText
    if (stage === 'started') {
      this.#running = turn
      this.#finalText = undefined
    } else if (this.#running === turn) this.#running = undefined
  }

  answer(message: Pick<AssistantMessage, 'parts'>): void {
    const text = finalText(message)
    if (text !== 'unchanged') this.#finalText = text
  }

  spend(usage: Usage, context: ContextSize | undefined): void {
    add(this.#total, usage)
    this.#context = context ?? this.#context
    if (this.#running !== undefined) add(this.#running.usage, usage)
  }

  turns(): readonly JournalTurn[] {
    return [...this.#turns.values()].map(({ id, stage, result, usage }) => {
      const turn = { id, stage, usage: { ...usage } }
      return result === undefined ? turn : { ...turn, result }
    })
  }

  usage(): JournalUsage {
    const total = { ...this.#total }
    return this.#context === undefined ? { total } : { total, context: this.#context }
  }

  #turn(id: string, stage: TurnStage): Turn {
    const known = this.#turns.get(id)
    if (known !== undefined) return known
    const turn = { id, stage, result: undefined, usage: {} }
    this.#turns.set(id, turn)
    return turn
  }
}

type Sum = { -readonly [K in (typeof COUNTS)[number]]?: number }

/** Of this class alone: records come by the hundred thousand, and each would cost a copy. */
interface Turn {
  readonly id: string
  stage: TurnStage
  result: string | undefined
  readonly usage: Sum
}

function add(total: Sum, usage: Usage): void {
  for (const count of COUNTS) {
    const more = usage[count]
    if (more !== undefined) total[count] = (total[count] ?? 0) + more
  }
}
