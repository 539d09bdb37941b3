import type { ApiId, AssistantPart, Json, Message, Session, UserPart } from '../../../src/model/session.ts'
import { ARGS_TEXT } from './calls.ts'

/** Stands for the summary of a Responses reasoning item: the part's text. */
export const SUMMARY = '%summary%'

/** What a token is part of. `slot`: of an API's own slot. */
export type LeafKind =
  | 'text'
  | 'reasoning'
  | 'args'
  | 'output'
  | 'reason'
  | 'media'
  | 'native'
  | 'native-text'
  | 'slot'
  | 'instruction'
  | 'definition'

/** One token and where it stands. */
export interface Leaf {
  readonly token: string
  readonly kind: LeafKind
  /** Index of the message; absent for instructions and definitions of the session. */
  readonly message?: number | undefined
  readonly part?: number | undefined
  /** Of a slot or a native block: whose it is. */
  readonly api?: string | undefined
  /** The part is a call that an API ran itself. */
  readonly hosted?: boolean | undefined
}

export interface Stamped {
  readonly session: Session
  readonly leaves: readonly Leaf[]
}

/** A session in fragments, its texts with placeholders. */
export interface Draft {
  readonly head: Omit<Session, 'messages'>
  readonly fragments: readonly (readonly Message[])[]
}

type Place = Omit<Leaf, 'token'>

/** Puts a token of its own into every leaf, so that whatever becomes of it can be followed. */
export function stamped(draft: Draft): Stamped {
  const stamper = new Stamper()
  const { instructions, tools, ...rest } = draft.head
  const messages = draft.fragments.flatMap((fragment) => {
    stamper.newFragment()
    return fragment.map((message) => stamper.message(message))
  })
  const session: Session = {
    ...rest,
    ...(instructions === undefined
      ? {}
      : { instructions: instructions.map((part) => stamper.outside(part, 'instruction')) }),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => stamper.outside(tool, 'definition')) }),
    messages,
  }
  return { session, leaves: stamper.leaves }
}

class Stamper {
  readonly leaves: Leaf[] = []
  #tokens = 0
  #parts = 0
  #fragments = 0
  #messages = 0

  newFragment(): void {
    this.#fragments++
  }

  message(message: Message): Message {
    const index = this.#messages++
    const parts = (message.parts as readonly (UserPart | AssistantPart)[]).map((part, place) =>
      this.#part(part, { kind: 'text', message: index, part: place }),
    )
    const extra = message.extra && this.#slots(message.extra, { kind: 'slot', message: index })
    return { ...message, parts, ...(extra === undefined ? {} : { extra }) } as Message
  }

  outside<T extends object>(value: T, kind: LeafKind): T {
    this.#parts++
    const { extra, ...rest } = value as { readonly extra?: object }
    const slots = extra && this.#slots(extra, { kind: 'slot' })
    return { ...(this.#walk(rest, { kind }) as T), ...(slots === undefined ? {} : { extra: slots }) }
  }

  #part(part: UserPart | AssistantPart, place: Place): UserPart | AssistantPart {
    this.#parts++
    const hosted = part.type === 'tool-call' && part.executor === 'provider' ? { ...place, hosted: true } : place
    const { extra, ...rest } = part
    const slots = extra && this.#slots(extra, hosted)
    const walked = finished(this.#fields(rest, hosted) as UserPart | AssistantPart, slots)
    return walked
  }

  /** Each field by what it is. */
  #fields(part: object, place: Place): object {
    const { type, api } = part as { readonly type: string; readonly api?: string }
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        if (key === 'state') return [key, this.#state(value as object, place)]
        const kind = kindOf(type, key)
        return [key, this.#walk(value, { ...place, kind, ...(api === undefined ? {} : { api }) })]
      }),
    )
  }

  #state(state: object, place: Place): object {
    return Object.fromEntries(
      Object.entries(state).map(([key, value]) => {
        if (key === 'extra') return [key, this.#slots(value as object, place)]
        if (key === 'reason') return [key, this.#walk(value, { ...place, kind: 'reason' })]
        if (!Array.isArray(value)) return [key, this.#walk(value, { ...place, kind: 'output' })]
        return [key, value.map((part: object) => this.#outputPart(part, place))]
      }),
    )
  }

  #outputPart(part: object, place: Place): object {
    const { type } = part as { readonly type: string }
    if (type === 'native' || type === 'media') return this.#fields(part, place)
    return this.#walk(part, { ...place, kind: 'output' }) as object
  }

  #slots(extra: object, place: Place): object {
    return Object.fromEntries(
      Object.entries(extra).map(([api, slot]) => [api, this.#walk(slot, { ...place, kind: 'slot', api })]),
    )
  }

  #walk(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, place)
    if (Array.isArray(value)) return value.map((inner) => this.#walk(inner, place))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#walk(inner, place)]))
  }

  #text(value: string, place: Place): string {
    const ids = value.replaceAll('##', String(this.#parts)).replaceAll('$$', `f${this.#fragments}`)
    return ids.replaceAll('@@', () => {
      const token = `t${String(++this.#tokens).padStart(6, '0')}z`
      this.leaves.push({ ...place, token })
      return token
    })
  }
}

const KINDS: { readonly [field: string]: LeafKind } = {
  'reasoning.text': 'reasoning',
  'tool-call.args': 'args',
  'tool-call.argsText': 'args',
  'media.source': 'media',
  'media.name': 'media',
  'native.value': 'native',
  'native.text': 'native-text',
}

const kindOf = (type: string, key: string): LeafKind => KINDS[`${type}.${key}`] ?? 'text'

/** What is made from other fields of the part: the text of arguments, the summary of reasoning. */
function finished(part: UserPart | AssistantPart, extra: object | undefined): UserPart | AssistantPart {
  const slots = extra === undefined ? {} : { extra }
  if (part.type === 'tool-call' && part.argsText !== undefined) {
    return { ...part, argsText: argsText(part.args, part.argsText), ...slots }
  }
  if (part.type === 'reasoning') return { ...part, ...summarised(part.text, extra) }
  return { ...part, ...slots } as UserPart | AssistantPart
}

function argsText(args: Json, form: string): string {
  if (typeof args === 'string') return args
  if (form === ARGS_TEXT.lie) return '{"other":1}'
  return form === ARGS_TEXT.spaced ? JSON.stringify(args, null, 2) : JSON.stringify(args)
}

function summarised(text: string, extra: object | undefined): object {
  if (extra === undefined) return {}
  const slot = (extra as { readonly [api in ApiId]?: { readonly item?: { readonly summary?: unknown } } })[
    'openai-responses'
  ]
  if (slot?.item?.summary !== SUMMARY) return { extra }
  const item = { ...slot.item, summary: [{ type: 'summary_text', text }] }
  return { extra: { ...extra, 'openai-responses': { ...slot, item } } }
}
