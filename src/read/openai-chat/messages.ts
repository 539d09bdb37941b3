import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, TextPart } from '../../model/session.ts'
import type { Assembler, StoredResult } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { assistantMessage } from './assistant.ts'
import { idAt } from './calls.ts'
import { OF_ANSWERS, reportFurtherFields } from './fields.ts'
import type { Contents } from './parts.ts'

/** Reads messages one after another. */
export class Conversation {
  readonly #into: Assembler
  readonly #contents: Contents
  readonly #by: Author | undefined
  #messages = 0
  instructions: readonly TextPart[] | undefined

  constructor(into: Assembler, contents: Contents, by: Author | undefined) {
    this.#into = into
    this.#contents = contents
    this.#by = by
  }

  /** The index of the message that comes next. */
  get here(): number {
    return this.#messages
  }

  add(message: unknown, report: Report, line?: number): void {
    if (!isObject(message)) {
      report('record-invalid', { before: message })
      return
    }
    const read = own(ROLES, stringAt(message, 'role'))
    if (read === undefined) {
      report('record-unknown', { before: message })
      return
    }
    reportFurtherFields(message, report)
    read(this, message, report, line)
  }

  user(message: Fields, report: Report): void {
    reportOfAnswers(message, report)
    const parts = this.#contents.parts(valueAt(message, 'content'), report)
    this.#into.user({ parts, ...idOf(message), ...slot('openai-chat', picked(message, ['name'])) })
    this.#messages++
  }

  assistant(message: Fields, report: Report, line?: number): void {
    const read = assistantMessage(message, this.#contents, report)
    const by = this.#by === undefined ? {} : { by: this.#by }
    this.#into.assistant({ ...read, ...by }, line === undefined ? {} : { line })
    this.#messages++
  }

  /** The first message, when it is one, holds the session's instructions. */
  instruction(authority: 'system' | 'developer', message: Fields, report: Report): void {
    const parts = this.#contents.texts(valueAt(message, 'content'), report)
    const name = picked(message, ['name'])
    const first = parts[0]
    if (this.#messages === 0 && this.instructions === undefined && first !== undefined) {
      const kept = authority === 'developer' ? { role: authority, ...name } : name
      this.instructions = kept === undefined ? parts : [marked(first, kept), ...parts.slice(1)]
      return
    }
    this.#into.instruction({ authority, parts, ...idOf(message), ...slot('openai-chat', name) })
    this.#messages++
  }

  /** A tool message, or the legacy result of a function, which has a name instead of an id. */
  result(callId: string, message: Fields, line?: number): void {
    const name = stringAt(message, 'name')
    const result: StoredResult = {
      callId,
      ...(name === undefined ? {} : { name }),
      state: {
        status: 'completed',
        result: this.#contents.output(valueAt(message, 'content')),
        ...slot('openai-chat', message.role === 'tool' ? picked(message, ['name']) : undefined),
      },
      ...(line === undefined ? {} : { line }),
    }
    this.#into.result(result)
  }
}

/** What only answers have. */
function reportOfAnswers(message: Fields, report: Report): void {
  for (const key of OF_ANSWERS) {
    const value = message[key]
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
      report('part-invalid', { before: value })
  }
}

type RoleReader = (to: Conversation, message: Fields, report: Report, line?: number) => void

const ROLES: { readonly [role: string]: RoleReader } = {
  user: (to, message, report) => to.user(message, report),
  assistant: (to, message, report, line) => to.assistant(message, report, line),
  system: (to, message, report) => to.instruction('system', message, report),
  developer: (to, message, report) => to.instruction('developer', message, report),
  tool: (to, message, report, line) => {
    reportOfAnswers(message, report)
    to.result(idAt(message, 'tool_call_id'), message, line)
  },
  function: (to, message, report, line) => {
    report('legacy-function-call', { before: message })
    to.result('', message, line)
  },
}

function idOf(message: Fields): { readonly id?: string } {
  const id = stringAt(message, 'id')
  return id === undefined ? {} : { id }
}

function marked(part: TextPart, kept: JsonObject): TextPart {
  const stored = part.extra?.['openai-chat'] as JsonObject | undefined
  return { ...part, ...slot('openai-chat', { ...stored, ...kept }) }
}
