import type { AssistantMessage } from '../../model/session.ts'
import { Impossible } from './calls.ts'
import type { TurnEntry, TurnStage } from './record.ts'

/** Which turns there are; one runs at a time, others may wait. */
export class TurnStages {
  readonly #stages = new Map<string, TurnStage>()
  running: string | undefined

  has(id: string): boolean {
    return this.#stages.has(id)
  }

  /** @throws {Impossible} when the turn cannot come to that stage from its own; then nothing has changed. */
  enter({ id, stage }: Pick<TurnEntry, 'id' | 'stage'>): void {
    const now = this.#stages.get(id)
    if (!COMES_FROM[stage].includes(now)) throw comesNot(id, stage, now)
    if (stage === 'started' && this.running !== undefined) {
      throw new Impossible(`the turn ${JSON.stringify(this.running)} is not over`)
    }
    this.#stages.set(id, stage)
    if (stage === 'started') this.running = id
    else if (this.running === id) this.running = undefined
  }

  /** @throws {Impossible} when one of the turns cannot be interrupted, or is named twice. */
  expectUnfinished(ids: readonly string[]): void {
    const named = new Set<string>()
    for (const id of ids) {
      const now = named.has(id) ? 'interrupted' : this.#stages.get(id)
      if (!COMES_FROM.interrupted.includes(now)) throw comesNot(id, 'interrupted', now)
      named.add(id)
    }
  }

  /** The turns that are not over, in the order in which they came. */
  unfinished(): string[] {
    return [...this.#stages].filter(([, stage]) => stage === 'accepted' || stage === 'started').map(([id]) => id)
  }
}

const COMES_FROM: { readonly [S in TurnStage]: readonly (TurnStage | undefined)[] } = {
  accepted: [undefined],
  started: [undefined, 'accepted'],
  completed: ['started'],
  failed: ['started'],
  interrupted: ['started', 'accepted'],
}

const comesNot = (id: string, stage: TurnStage, now: TurnStage | undefined): Impossible =>
  new Impossible(`the turn ${JSON.stringify(id)} cannot be ${stage}: it is ${now ?? 'not begun'}`)

/**
 * The text behind the last call of a message: the answer of a turn, if nothing follows. Undefined when a call follows all
 * text; `unchanged` when the message says nothing to this.
 */
export function finalText(message: Pick<AssistantMessage, 'parts'>): string | undefined | 'unchanged' {
  let text: string | undefined
  for (let index = message.parts.length - 1; index >= 0; index--) {
    const part = message.parts[index]
    if (part?.type === 'tool-call') return text
    if (part?.type === 'text') text = part.text + (text ?? '')
  }
  return text ?? 'unchanged'
}
