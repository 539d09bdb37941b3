import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { TextPart } from '../../model/session.ts'
import type { Entry } from '../body.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import { type Structure, shallow } from '../shallow.ts'
import { authorOf, usageOf } from './author.ts'
import { detailsOf } from './metadata.ts'
import { saidPart, textsOf, userParts } from './parts.ts'
import { Steps } from './steps.ts'
import { callOf, toolPart } from './tool-part.ts'
import { assistantParts, attachmentsOf, partsOf } from './versions.ts'

/** message, parts, part, and the invocation in it. */
const MESSAGE: Structure = {
  keys: new Set(['parts', 'toolInvocations', 'toolInvocation', 'experimental_attachments', 'details']),
  levels: 5,
}

/** Reads the messages of a screen, of any version, one after another. */
export class UIMessages {
  readonly #to: Narrator
  instructions: readonly TextPart[] | undefined

  constructor(to: Narrator) {
    this.#to = to
  }

  /** `isLast`: nothing follows, so that its open calls may still be answered. */
  add({ value }: Entry, isLast: boolean): void {
    const message = shallow(value, MESSAGE, (before) => this.#to.report('value-too-deep', { before }))
    if (!isObject(message)) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    const read = own(ROLES, message.role)
    if (read === undefined) this.#to.report('record-unknown', { before: message })
    else {
      if (HOLDERS.every((key) => message[key] === undefined))
        this.#to.report('record-invalid', { message: CONTENT_MISSING, before: message })
      if (message.role !== 'assistant' && hasAny(message.toolInvocations))
        this.#to.report('part-invalid', { before: message.toolInvocations })
      read(this, message, isLast)
    }
  }

  system(message: Fields): void {
    const parts = textsOf(userParts(partsOf(message), this.#to.report), this.#to.report)
    if (this.#to.count === 0 && this.instructions === undefined && parts.length > 0) this.instructions = parts
    else this.#to.instruction({ authority: 'system', parts, ...headOf(message) })
  }

  user(message: Fields): void {
    const parts = userParts([...partsOf(message), ...attachmentsOf(message)], this.#to.report)
    this.#to.user({ parts, ...headOf(message) })
  }

  /** What an application put on the stream for its own screen. */
  data(message: Fields): void {
    this.#to.report('message-left-out', { before: message })
  }

  assistant(message: Fields, isLast: boolean): void {
    const steps = new Steps()
    const parts = assistantParts(message)
    const live = isLast ? parts.findLastIndex((part) => stringAt(part, 'type') === 'step-start') : parts.length
    for (const [index, part] of parts.entries()) this.#part(part, index > live, steps)
    steps.start()
    for (const [index, told] of steps.messages.entries()) {
      const by = authorOf(message, told.parts)
      const usage = index === steps.messages.length - 1 ? usageOf(message) : undefined
      this.#to.assistant({
        ...told,
        ...(by === undefined ? {} : { by }),
        ...(usage === undefined ? {} : { usage }),
        ...(index === 0 ? headOf(message) : {}),
      })
    }
  }

  /** `isLive`: it stands in the last step of the last message. */
  #part(part: unknown, isLive: boolean, steps: Steps): void {
    const tool = isObject(part) ? toolPart(part) : undefined
    if (tool !== undefined) {
      steps.call(callOf(tool, isLive, this.#to.report), tool)
      return
    }
    if (stringAt(part, 'type') === 'step-start') steps.start()
    const said = saidPart(part, this.#to.report)
    if (said === undefined) return
    if (said.type === 'text' && said.text === '') this.#to.report('text-empty')
    else steps.said(said, detailsOf(valueAt(part, 'providerMetadata')))
  }
}

/** One of them stands in every message. */
const HOLDERS = ['parts', 'content', 'toolInvocations', 'experimental_attachments', 'data']

const hasAny = (list: unknown): boolean => Array.isArray(list) && list.length > 0

type Read = (to: UIMessages, message: Fields, isLast: boolean) => void

const ROLES: { readonly [role: string]: Read } = {
  system: (to, message) => to.system(message),
  user: (to, message) => to.user(message),
  assistant: (to, message, isLast) => to.assistant(message, isLast),
  data: (to, message) => to.data(message),
}

function headOf(message: Fields): { readonly id?: string; readonly at?: string } {
  const id = stringAt(message, 'id')
  const created = message.createdAt
  const at = timeAt(created instanceof Date ? created.getTime() : (created ?? valueAt(message.metadata, 'createdAt')))
  return { ...(id === undefined || id === '' ? {} : { id }), ...at }
}
