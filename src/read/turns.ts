import type { AssistantMessage, AssistantPart, InstructionMessage, UserMessage } from '../model/session.ts'
import type { Assembler, StoredAssistant, StoredPart, StoredResult } from './assemble.ts'
import { joinedFields } from './join.ts'

export type Head = Omit<StoredAssistant, 'parts'>

interface Turn {
  readonly parts: StoredPart[]
  head: Head
  readonly line: number | undefined
}

type Event = Turn | ((into: Assembler) => void)

/**
 * Holds what a body says until all of it is read, for the APIs that merge adjacent assistant messages: the outcome of a
 * provider-run call may stand behind other parts of its turn, or in a later message.
 */
export class Turns {
  readonly #events: Event[] = []
  #open: Turn | undefined
  #messages = 0

  /** The index of the open turn's message, else of the one that comes next. */
  get here(): number {
    return this.#open === undefined ? this.#messages : this.#messages - 1
  }

  user(message: Omit<UserMessage, 'role'>): void {
    this.#close((into) => into.user(message))
    this.#messages++
  }

  instruction(message: Omit<InstructionMessage, 'role'>): void {
    this.#close((into) => into.instruction(message))
    this.#messages++
  }

  result(result: StoredResult): void {
    this.#close((into) => into.result(result))
  }

  /** What comes next is no continuation of the open turn. */
  close(): void {
    this.#open = undefined
  }

  /** The parts of the open turn, to be added to; of a new one where a message or a result stands between, or another model wrote. */
  assistant(head: Head, line?: number): StoredPart[] {
    const joined = this.#open === undefined ? undefined : joinedFields(this.#open.head, head)
    if (this.#open !== undefined && joined !== undefined) {
      this.#open.head = joined
      return this.#open.parts
    }
    this.#open = { parts: [], head, line }
    this.#events.push(this.#open)
    this.#messages++
    return this.#open.parts
  }

  emit(into: Assembler): void {
    for (const event of this.#events) {
      if (typeof event === 'function') event(into)
      else into.assistant({ ...event.head, parts: event.parts }, event.line === undefined ? {} : { line: event.line })
    }
  }

  /** The first assistant turn as a message whose calls still wait: what an answer is. */
  answer(): AssistantMessage {
    const turn = this.#events.find((event) => typeof event !== 'function')
    return { role: 'assistant', parts: (turn?.parts ?? []).map(waiting), ...turn?.head }
  }

  #close(event: Event): void {
    this.#open = undefined
    this.#events.push(event)
  }
}

/** A call without an outcome is a live one. */
export function waiting(part: StoredPart): AssistantPart {
  return part.type === 'tool-call' && !('state' in part) ? { ...part, state: { status: 'pending' } } : part
}
