import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { Usage } from '../../model/session.ts'
import type { Entry } from '../body.ts'
import { kindOf } from './fragments.ts'
import { type RolloutRecord, recognised } from './rollout.ts'

interface Place {
  readonly line?: number | undefined
  readonly at?: string | undefined
  /** Who answers in this turn. */
  readonly model?: string | undefined
}

/** An item of the history. */
export interface LoggedItem extends Place {
  readonly kind: 'item'
  readonly item: Fields
  /** Made of the text of a compaction. */
  readonly summary?: true
}

export interface Compaction extends Place {
  readonly kind: 'compaction'
  /** The whole history from here on; absent before 2026, when it was worked out from the user messages. */
  readonly replacement?: readonly Fields[] | undefined
  readonly summary: string
}

/** What stands in a record, which may not be held. */
class Stored implements Place {
  readonly model: string | undefined
  readonly #entry: Entry

  constructor(entry: Entry, model: string | undefined) {
    this.#entry = entry
    this.model = model
  }

  get line(): number | undefined {
    return this.#entry.line
  }

  get at(): string | undefined {
    return this.record.at
  }

  protected get record(): RolloutRecord {
    return recognised(this.#entry) as RolloutRecord
  }
}

export class StoredItem extends Stored implements LoggedItem {
  readonly kind = 'item'

  get item(): Fields {
    return this.record.payload
  }
}

/** Those of today hold whole histories. */
export class StoredCompaction extends Stored implements Compaction {
  readonly kind = 'compaction'

  get summary(): string {
    return stringAt(this.record.payload, 'message') ?? ''
  }

  get replacement(): readonly Fields[] | undefined {
    const { replacement_history: stored } = this.record.payload
    return Array.isArray(stored) ? stored.filter(isObject) : undefined
  }
}

/** What an event says about the turn before it. */
export interface TurnNote extends Place {
  readonly kind: 'note'
  readonly aborted?: true
  readonly usage?: Usage | undefined
}

export type Logged = LoggedItem | Compaction | TurnNote

/** What was said and done, in order. */
export class Log {
  readonly entries: Logged[] = []
  /** No turn begins before this place. */
  #first = 0

  push(logged: Logged): void {
    this.entries.push(logged)
  }

  /**
   * Cuts before the n-th last turn, and before updates of the context directly in front of it. A compaction behind the
   * cut goes with it, so that an earlier one counts again. Gives the number of entries that it cut.
   * @see https://github.com/openai/codex/blob/main/codex-rs/core/src/session/rollout_reconstruction.rs
   */
  rollBack(turns: number): number {
    const { entries } = this
    const first = this.#firstTurn()
    let cut = entries.length
    for (let index = cut - 1, left = turns; index >= first && left > 0; index--) {
      if (!beginsTurn(entries[index]!)) continue
      cut = index
      left--
    }
    if (cut > first && cut < entries.length) while (isContext(entries[cut - 1]!)) cut--
    return entries.splice(cut).length
  }

  /** Looks at each entry once, however often it is asked. */
  #firstTurn(): number {
    this.#first = Math.min(this.#first, this.entries.length)
    while (this.#first < this.entries.length && !beginsTurn(this.entries[this.#first]!)) this.#first++
    return this.#first
  }
}

function beginsTurn(logged: Logged): boolean {
  if (logged.kind !== 'item') return false
  const { item } = logged
  if (item.type === 'agent_message') return true
  return isMessage(item) && item.role === 'user' && kindOf(item) === undefined
}

function isContext(logged: Logged): boolean {
  if (logged.kind !== 'item' || !isMessage(logged.item)) return false
  const role = stringAt(logged.item, 'role')
  return role === 'developer' || (role === 'user' && kindOf(logged.item) !== undefined)
}

export const isMessage = (item: Fields): boolean => item.type === 'message' || item.type === undefined
