import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, Extra, Json, TextPart } from '../../model/session.ts'
import type { Assembler, StoredPart } from '../assemble.ts'
import { statedCall } from '../entries/calls.ts'
import { headOf } from '../entries/head.ts'
import { fieldLost, keptOf } from '../entries/shapes.ts'
import { isoTime } from '../iso-time.ts'
import { type Report, reporter } from '../report.ts'

const APART = new Set(['role', 'content', 'id', 'timestamp', 'tool_calls'])
const MESSAGE = { needs: {}, may: {} }
const CALL = { slot: 'dirge', argsText: false } as const

type Head = { readonly id?: string; readonly at?: string; readonly extra?: Extra }

/** Puts stored messages into the assembler. System messages that lead are the system prompt. */
export class Conversation {
  readonly instructions: TextPart[] = []
  readonly #into: Assembler
  readonly #by: Author | undefined
  #messages = 0

  constructor(into: Assembler, by: Author | undefined) {
    this.#into = into
    this.#by = by
  }

  summary(text: string, stored: unknown): void {
    this.#into.user({ kind: 'summary', ...headOfMessage(stored, this.#report), parts: [{ type: 'text', text }] })
    this.#messages++
  }

  add(stored: unknown): void {
    const role = isObject(stored) ? own(this.#roles, stored.role) : undefined
    const content = stringAt(stored, 'content')
    if (role === undefined || content === undefined || !isObject(stored))
      this.#report('record-invalid', { before: stored })
    else role(content === '' ? [] : [{ type: 'text', text: content }], headOfMessage(stored, this.#report), stored)
  }

  readonly #roles: { readonly [role: string]: (parts: readonly TextPart[], head: Head, stored: Fields) => void } = {
    user: (parts, head, stored) => {
      this.#leaveOut(stored)
      this.#into.user({ ...head, parts })
      this.#messages++
    },
    assistant: (parts, head, stored) => this.#assistant(parts, head, stored),
    system: (parts, head, stored) => {
      this.#leaveOut(stored)
      if (this.#messages === 0) this.instructions.push(...withHead(parts, head))
      else {
        this.#into.instruction({ ...head, authority: 'system', parts })
        this.#messages++
      }
    },
  }

  /** The program puts the text of a whole run before its calls, wherever it stood; the stored order is kept. */
  #assistant(parts: readonly StoredPart[], head: Head, stored: Fields): void {
    const calls = keptOf(this.#callsOf(stored), (call) => statedCall(call, this.#report, CALL))
    this.#into.assistant({
      ...head,
      ...(this.#by === undefined ? {} : { by: this.#by }),
      ...(isAborted(stored.content) ? { stop: 'aborted' } : {}),
      parts: [...parts, ...calls],
    })
    this.#messages++
  }

  /** Calls of a message whose role makes none. */
  #leaveOut(stored: Fields): void {
    const calls = stored.tool_calls
    if (calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0)) return
    this.#report('part-invalid', { before: calls })
  }

  #callsOf(stored: Fields): readonly unknown[] {
    const calls = stored.tool_calls
    if (Array.isArray(calls)) return calls
    if (calls !== undefined && calls !== null) {
      this.#report('part-invalid', { message: fieldLost('tool_calls'), before: calls })
    }
    return []
  }

  readonly #report: Report = reporter(
    (change) => this.#into.report(change),
    () => ({ message: this.#messages }),
  )
}

/** The program's own note at the end of a text that the user interrupted. */
const isAborted = (content: unknown): boolean =>
  typeof content === 'string' && content.endsWith(']') && content.includes('[interrupted by user')

function headOfMessage(stored: unknown, report: Report): Head {
  if (!isObject(stored)) return {}
  const id = stringAt(stored, 'id')
  const at = isoTime(stored.timestamp)
  const head = headOf(stored, MESSAGE, report, { apart: APART, slot: 'dirge' })
  return { ...(id === undefined ? {} : { id }), ...(at === undefined ? {} : { at }), ...head }
}

/** A system prompt has no message that could hold more than its text. */
function withHead(parts: readonly TextPart[], { extra, ...head }: Head): readonly TextPart[] {
  const slot: Json = { ...head, ...(isObject(extra?.dirge) ? (extra.dirge as { [key: string]: Json }) : {}) }
  return parts.map((part) => ({ ...part, extra: { dirge: slot } }))
}
