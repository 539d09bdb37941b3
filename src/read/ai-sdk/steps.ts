import type { Json } from '../../model/session.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { pushPart } from '../item-parts.ts'
import { slot } from '../slots.ts'
import type { ToolPart } from './tool-part.ts'

/**
 * Parts one answer into the messages that the model gave: the screen shows all steps as one. A step begins at `step-start`, at a
 * further `step` of version 4, and, where these are not stored, at what follows the result of a tool.
 */
export class Steps {
  readonly messages: StoredAssistant[] = []
  #parts: StoredPart[] = []
  #details: Json[] = []
  #answered = false
  #step: number | undefined

  start(): void {
    if (this.#parts.length > 0) {
      const details = this.#details.length === 0 ? undefined : { reasoning_details: this.#details }
      this.messages.push({ parts: this.#parts, ...slot('openai-chat', details) })
    }
    this.#parts = []
    this.#details = []
    this.#answered = false
  }

  said(part: StoredPart, details: readonly Json[]): void {
    if (this.#answered) this.start()
    this.#details.push(...details)
    pushPart(this.#parts, part)
  }

  call(part: StoredPart, { step }: Pick<ToolPart, 'step'>): void {
    if (step !== undefined && this.#step !== undefined && step !== this.#step) this.start()
    if (step !== undefined) this.#step = step
    this.#parts.push(part)
    if (part.type === 'tool-call' && part.executor !== 'provider' && 'state' in part)
      this.#answered ||= part.state.status === 'completed' || part.state.status === 'failed'
  }
}
