import type {
  AssistantMessage,
  AssistantPart,
  InstructionMessage,
  ToolCallState,
  UserMessage,
} from '../model/session.ts'
import type { Assembler, StoredAssistant, StoredPart, StoredResult } from './assemble.ts'
import { joinedFields } from './join.ts'

export type Head = Omit<StoredAssistant, 'parts'>

interface Turn {
  readonly parts: StoredPart[]
  head: Head
  readonly line: number | undefined
}

type Event =
  | { readonly turn: Turn }
  | { readonly user: Omit<UserMessage, 'role'> }
  | { readonly instruction: Omit<InstructionMessage, 'role'> }
  | { readonly result: StoredResult }

/**
 * Holds what a body says until all of it is read, for the APIs that merge adjacent assistant messages: the outcome of a
 * provider-run call may stand behind other parts of its turn, or in a later message.
 */
export class Turns {
  readonly #events: Event[] = []
  #last: Turn | undefined
  #open = false
  #messages = 0

  /** The index of the open turn's message, else of the one that comes next. */
  get here(): number {
    return this.#open ? this.#messages - 1 : this.#messages
  }

  user(user: Omit<UserMessage, 'role'>): void {
    this.#add({ user })
    this.#messages++
  }

  instruction(instruction: Omit<InstructionMessage, 'role'>): void {
    this.#add({ instruction })
    this.#messages++
  }

  result(result: StoredResult): void {
    this.#add({ result })
  }

  /** What comes next is no continuation of the open turn. */
  close(): void {
    this.#open = false
  }

  /** The parts of the open turn, to be added to; of a new one where a message or a result stands between, or another model wrote. */
  assistant(head: Head, line?: number): StoredPart[] {
    const joined = this.#open && this.#last !== undefined ? joinedFields(this.#last.head, head) : undefined
    if (this.#last !== undefined && joined !== undefined) {
      this.#last.head = joined
      return this.#last.parts
    }
    this.#last = { parts: [], head, line }
    this.#add({ turn: this.#last })
    this.#messages++
    this.#open = true
    return this.#last.parts
  }

  /** How the last turn ended. */
  ended(head: Head): void {
    if (this.#last !== undefined) this.#last.head = { ...this.#last.head, ...head }
  }

  emit(into: Assembler): void {
    for (const event of this.#events) {
      if ('user' in event) into.user(event.user)
      else if ('instruction' in event) into.instruction(event.instruction)
      else if ('result' in event) into.result(event.result)
      else {
        const { head, parts, line } = event.turn
        into.assistant({ ...head, parts }, line === undefined ? {} : { line })
      }
    }
  }

  /** All assistant turns as one message whose calls wait for the client: what an answer is. */
  answer(): AssistantMessage {
    const turns = this.#events.flatMap((event) => ('turn' in event ? [event.turn] : []))
    const results = new Map(
      this.#events.flatMap((event) => ('result' in event ? [[event.result.callId, event.result.state] as const] : [])),
    )
    return {
      role: 'assistant',
      parts: turns.flatMap((turn) => turn.parts).map((part) => settled(part, results)),
      ...turns[0]?.head,
      ...turns.at(-1)?.head,
    }
  }

  #add(event: Event): void {
    this.#open = false
    this.#events.push(event)
  }
}

/** Results within an answer are of calls that the API ran in a container of its own; all other calls are live ones. */
function settled(part: StoredPart, results: ReadonlyMap<string, ToolCallState>): AssistantPart {
  if (part.type !== 'tool-call' || 'state' in part) return part
  const state = results.get(part.id)
  return state === undefined ? waiting(part) : { ...part, state }
}

/** A call of an answer has no outcome yet. */
export function waiting(part: StoredPart): AssistantPart {
  return part.type === 'tool-call' && !('state' in part) ? { ...part, state: { status: 'pending' } } : part
}
