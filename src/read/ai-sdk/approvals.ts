import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import { idAt } from '../anthropic/calls.ts'
import type { Entry } from '../body.ts'

interface Answer {
  readonly approved: boolean
  readonly reason: string | undefined
}

/** Which calls were asked for approval, what was answered, and which have a result: all of it stands behind the calls. */
export class Approvals {
  readonly #requests = new Map<string, string>()
  readonly #answers = new Map<string, Answer>()
  readonly #answered = new Set<string>()
  /** The index of the last message that is not one of tools. */
  readonly lastSpoken: number

  constructor(list: readonly Entry[]) {
    this.lastSpoken = list.findLastIndex(({ value }) => stringAt(value, 'role') !== 'tool')
    for (const { value } of list) {
      const content = valueAt(value, 'content')
      if (Array.isArray(content)) for (const part of content) this.#note(part)
    }
  }

  of(callId: string): { readonly isAnswered: boolean; readonly isAsked: boolean; readonly answer: Answer | undefined } {
    const request = this.#requests.get(callId)
    return {
      isAnswered: this.#answered.has(callId),
      isAsked: request !== undefined,
      answer: request === undefined ? undefined : this.#answers.get(request),
    }
  }

  #note(part: unknown): void {
    const type = stringAt(part, 'type')
    if (type === 'tool-result') this.#answered.add(idAt(part as Fields, 'toolCallId'))
    const approval = stringAt(part, 'approvalId')
    if (approval === undefined) return
    if (type === 'tool-approval-request') this.#requests.set(stringAt(part, 'toolCallId') ?? '', approval)
    const approved = valueAt(part, 'approved')
    if (type === 'tool-approval-response' && typeof approved === 'boolean')
      this.#answers.set(approval, { approved, reason: stringAt(part, 'reason') })
  }
}
