import type { Author, InstructionMessage, UserMessage } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import { type Head, Turns } from '../turns.ts'

/** What a rollout says about an item beside the item. */
export interface Stamp {
  readonly at?: string | undefined
  readonly by?: Author | undefined
  /** Of a user message. */
  readonly kind?: UserMessage['kind']
}

/** Turns whose messages bear what stands beside their items. */
export class StampedTurns extends Turns {
  #stamp: Stamp = {}
  #isAnswered = false

  /** Of the items to come. */
  stamp(stamp: Stamp): void {
    this.#stamp = stamp
  }

  override user(user: Omit<UserMessage, 'role'>): void {
    const { at, kind } = this.#stamp
    super.user({ ...user, ...(kind === undefined ? {} : { kind }), ...given(at) })
    if (kind === undefined) this.#isAnswered = false
  }

  override instruction(instruction: Omit<InstructionMessage, 'role'>): void {
    super.instruction({ ...instruction, ...given(this.#stamp.at) })
  }

  override assistant(head: Head, line?: number): StoredPart[] {
    const { at, by } = this.#stamp
    this.#isAnswered = true
    return super.assistant({ ...head, ...(by === undefined ? {} : { by }), ...given(at) }, line)
  }

  /** Of the answer to the last prompt; nothing when none came. */
  noted(head: Head): void {
    if (this.#isAnswered) this.ended(head)
  }
}

const given = (at: string | undefined): { readonly at?: string } => (at === undefined ? {} : { at })
