import type { AssistantMessage, Usage } from '../../model/session.ts'
import type { ContextSize, TurnStage } from './record.ts'
import { finalText } from './turns.ts'

export interface JournalTurn {
  readonly id: string
  readonly stage: TurnStage
  /** The text of its last answer, when it is completed and no call follows that text. */
  readonly result?: string | undefined
  /** The sum of what was recorded while it ran. */
  readonly usage: Usage
}

export interface JournalUsage {
  /** The sum of all that was recorded. */
  readonly total: Usage
  /** As last recorded. */
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
  readonly #turns = new Map<string, JournalTurn>()
  #running: string | undefined
  #finalText: string | undefined
  #total: Usage = {}
  #context: ContextSize | undefined

  enter(id: string, stage: TurnStage): void {
    const turn = this.#turns.get(id) ?? { id, stage, usage: {} }
    const isResult = stage === 'completed' && this.#running === id && this.#finalText !== undefined
    this.#turns.set(id, { ...turn, stage, ...(isResult ? { result: this.#finalText } : {}) })
    if (stage === 'started') {
      this.#running = id
      this.#finalText = undefined
    } else if (this.#running === id) this.#running = undefined
  }

  answer(message: Pick<AssistantMessage, 'parts'>): void {
    const text = finalText(message)
    if (text !== 'unchanged') this.#finalText = text
  }

  spend(usage: Usage, context: ContextSize | undefined): void {
    this.#total = sum(this.#total, usage)
    this.#context = context ?? this.#context
    const turn = this.#running === undefined ? undefined : this.#turns.get(this.#running)
    if (turn !== undefined) this.#turns.set(turn.id, { ...turn, usage: sum(turn.usage, usage) })
  }

  turns(): readonly JournalTurn[] {
    return [...this.#turns.values()]
  }

  usage(): JournalUsage {
    return this.#context === undefined ? { total: this.#total } : { total: this.#total, context: this.#context }
  }
}

function sum(one: Usage, other: Usage): Usage {
  const total: { -readonly [K in (typeof COUNTS)[number]]?: number } = {}
  for (const count of COUNTS) {
    const value = (one[count] ?? 0) + (other[count] ?? 0)
    if (one[count] !== undefined || other[count] !== undefined) total[count] = value
  }
  return total
}
