import { stringAt } from '../../model/json.ts'
import type { Usage } from '../../model/session.ts'
import { kindOf } from './fragments.ts'
import type { JsonRecord } from './rollout.ts'

interface Place {
  readonly line?: number | undefined
  readonly at?: string | undefined
  /** Who answers in this turn. */
  readonly model?: string | undefined
}

/** An item of the history. */
export interface LoggedItem extends Place {
  readonly kind: 'item'
  readonly item: JsonRecord
  /** Made of the text of a compaction. */
  readonly summary?: true
}

export interface Compaction extends Place {
  readonly kind: 'compaction'
  /** The whole history from here on; absent before 2026, when it was worked out from the user messages. */
  readonly replacement?: readonly JsonRecord[] | undefined
  readonly summary: string
}

/** What an event says about the turn before it. */
export interface TurnNote extends Place {
  readonly kind: 'note'
  readonly aborted?: true
  readonly usage?: Usage | undefined
}

export type Logged = LoggedItem | Compaction | TurnNote

/**
 * Cuts before the n-th last turn, and before updates of the context directly in front of it. A compaction behind the cut
 * goes with it, so that an earlier one counts again. Gives what it cut.
 * @see https://github.com/openai/codex/blob/main/codex-rs/core/src/session/rollout_reconstruction.rs
 */
export function rollBack(log: Logged[], turns: number): readonly Logged[] {
  let first = log.length
  let left = turns
  for (let index = log.length - 1; index >= 0 && left > 0; index--) {
    if (!beginsTurn(log[index]!)) continue
    first = index
    left--
  }
  const isStart = !log.slice(0, first).some(beginsTurn)
  while (!isStart && first > 0 && isContext(log[first - 1]!)) first--
  return log.splice(first)
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

export const isMessage = (item: JsonRecord): boolean => item.type === 'message' || item.type === undefined
