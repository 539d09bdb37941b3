import type { Change, InstructionMessage, Message, UserMessage } from '../model/session.ts'
import { type Assembler, assembler, type StoredAssistant, type StoredResult } from './assemble.ts'
import { type Report, reporter } from './report.ts'

/** Tells the assembler what a transcript holds, and reports at the index of the message that is being read. */
export class Narrator {
  readonly #into: Assembler = assembler({ unanswered: 'interrupted' })
  #messages = 0

  readonly report: Report = reporter(
    (change) => this.#into.report(change),
    () => ({ message: this.#messages }),
  )

  /** For what is wrong with the source as a whole. */
  readonly reportAside: Report = reporter(
    (change) => this.#into.report(change),
    () => ({}),
  )

  /** How many messages were told. */
  get count(): number {
    return this.#messages
  }

  user(message: Omit<UserMessage, 'role'>): void {
    this.#into.user(message)
    this.#messages++
  }

  instruction(message: Omit<InstructionMessage, 'role'>): void {
    this.#into.instruction(message)
    this.#messages++
  }

  assistant(message: StoredAssistant): void {
    this.#into.assistant(message)
    this.#messages++
  }

  result(result: StoredResult): void {
    this.#into.result(result)
  }

  change(change: Change): void {
    this.#into.report(change)
  }

  finish(): { readonly messages: readonly Message[]; readonly changes: readonly Change[] } {
    return this.#into.finish()
  }
}
