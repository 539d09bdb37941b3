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

  /** @throws {Impossible} when the turn cannot come to that stage from its own. */
  enter({ id, stage }: Pick<TurnEntry, 'id' | 'stage'>): void {
    const now = this.#stages.get(id)
    if (!COMES_FROM[stage].includes(now)) {
      throw new Impossible(`the turn ${JSON.stringify(id)} cannot be ${stage}: it is ${now ?? 'not begun'}`)
    }
    if (stage === 'started' && this.running !== undefined) {
      throw new Impossible(`the turn ${JSON.stringify(this.running)} is not over`)
    }
    this.#stages.set(id, stage)
    if (stage === 'started') this.running = id
    else if (this.running === id) this.running = undefined
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
