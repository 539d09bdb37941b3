import { distinct, isObject, MAX_DEPTH } from '../model/json.ts'
import type { ApiId, JsonPart, OutputPart, Part, ToolCallEntry, ToolCallState } from '../model/session.ts'
import { deepText } from '../read/shallow.ts'
import { type Draft, type Report, replaceParts, type Step } from './step.ts'

/**
 * Lone surrogates and NUL anywhere, and values nested too deeply. `JSON.stringify` writes lone surrogates as escapes that
 * strict parsers refuse; some clients and proxies cut a body at NUL.
 */
export const strings: Step = {
  defect: 'text that is not well-formed Unicode, NUL, and values nested too deeply',
  start(rules) {
    const scan = scanner(rules.api, rules.refusesNul)
    const mend = mender(rules.refusesNul)
    return {
      suspects: { ...scan.kinds, 'provider-call': scan.kinds['tool-call'], slotted: scan.part },
      suspectsMessage: (message) => message.extra !== undefined && scan.value(message.extra[rules.api]),
      mend(draft, _scene, report) {
        mendParts(draft, report, scan.part, mend)
        const slot = draft.message.extra?.[rules.api]
        if (scan.value(slot)) {
          draft.slot = mend(slot)
          report.add('text-ill-formed', undefined)
        }
      },
    }
  },
}

function mendParts(
  draft: Draft,
  report: Report,
  bad: (part: Part) => boolean,
  mend: (value: unknown) => unknown,
): void {
  replaceParts(draft, (part, place) => {
    if (!bad(part)) return part
    const mended = mend(part) as Part
    const deep = part.type === 'tool-call' && typeof (mended as ToolCallEntry).args !== typeof part.args
    report.add(deep ? 'value-too-deep' : 'text-ill-formed', place, part.type === 'tool-call' ? part.id : undefined)
    return mended
  })
}

const bad = (text: string): boolean => !text.isWellFormed()
const badOrNul = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

type Kinds = { readonly [K in Part['type']]: (part: Extract<Part, { type: K }>) => boolean }

interface Scanner {
  part(part: Part | OutputPart): boolean
  /** Without the slots of APIs. */
  readonly kinds: Kinds
  value(value: unknown): boolean
}

/** True = must be mended. Only what can reach the request is looked at, so that clean histories cost little. */
function scanner(api: ApiId, nul: boolean): Scanner {
  const text = nul ? badOrNul : bad
  const value = (root: unknown): boolean => {
    if (typeof root === 'string') return text(root)
    return typeof root === 'object' && root !== null && badInside(root, text)
  }
  const output = (parts: string | readonly OutputPart[] | undefined): boolean =>
    typeof parts === 'string' ? text(parts) : parts?.some(part) === true
  const outcome = (state: ToolCallState): boolean => {
    if (state.extra !== undefined && value(state.extra[api])) return true
    if (state.status === 'completed') return output(state.result)
    if (state.status === 'failed') return output(state.error)
    return state.status === 'interrupted' && (output(state.partial) || text(state.reason ?? ''))
  }
  const kinds: Kinds & { readonly json: (part: JsonPart) => boolean } = {
    text: (part) => text(part.text),
    reasoning: (part) => text(part.text),
    media: (part) => value(part.source) || text(part.name ?? '') || text(part.mediaType),
    native: (part) => value(part.value) || text(part.text ?? ''),
    json: (part) => value(part.value),
    'tool-call': (part) =>
      text(part.id) ||
      text(part.name) ||
      value(part.args) ||
      (part.argsText !== undefined && text(part.argsText)) ||
      outcome(part.state),
  }
  function part<K extends (Part | OutputPart)['type']>(one: Extract<Part | OutputPart, { type: K }>): boolean {
    return kinds[one.type](one as never) || (one.extra !== undefined && value(one.extra[api]))
  }
  return { part: part as Scanner['part'], kinds, value }
}

/** Without recursion, since the value may be nested deeper than the stack. */
function badInside(root: object, bad: (text: string) => boolean): boolean {
  const inner: object[] = []
  if (badHere(root, bad, inner)) return true
  return inner.length > 0 && badBelow(inner, bad)
}

function badBelow(inner: object[], bad: (text: string) => boolean): boolean {
  let level = distinct(inner)
  for (let depth = 2; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    const next: object[] = []
    for (const container of level) if (badHere(container, bad, next)) return true
    level = distinct(next)
  }
  return false
}

/** Looks at the strings of one list or object, and puts the lists and objects in it aside for later. */
function badHere(container: object, bad: (text: string) => boolean, later: object[]): boolean {
  const array = Array.isArray(container)
  for (const key in container) {
    if (!array && bad(key)) return true
    const inner = (container as { readonly [key: string]: unknown })[key]
    if (typeof inner === 'string') {
      if (bad(inner)) return true
    } else if (typeof inner === 'object') {
      if (inner !== null) later.push(inner)
    } else if (isNoJson(inner)) return true
  }
  return false
}

/** Numbers that JSON does not know, and those that `JSON.stringify` refuses. What it leaves out was never there. */
function isNoJson(leaf: unknown): boolean {
  return typeof leaf === 'number' ? !Number.isFinite(leaf) : typeof leaf === 'bigint'
}

/** A copy with every string and key well-formed; what is nested deeper than the limit, or in itself, becomes text. */
function mender(nul: boolean): (value: unknown) => unknown {
  const text = (value: string): string => {
    const formed = value.toWellFormed()
    return nul && formed.includes('\0') ? formed.replaceAll('\0', '\uFFFD') : formed
  }
  return (value) => new Mending(text).value(flattenDeepArgs(value), 0)
}

class Mending {
  readonly #text: (text: string) => string
  /** Each object once: one that stands in many places would else be copied for each. Undefined while it is being copied. */
  readonly #copies = new Map<object, object | undefined>()

  constructor(text: (text: string) => string) {
    this.#text = text
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value !== 'object' || value === null) return isNoJson(value) ? String(value) : value
    const known = this.#copies.get(value)
    if (known !== undefined) return known
    if (depth >= MAX_DEPTH || this.#copies.has(value)) return this.#text(deepText(value))
    this.#copies.set(value, undefined)
    const copy = Array.isArray(value) ? value.map((item) => this.value(item, depth + 1)) : this.#object(value, depth)
    this.#copies.set(value, copy)
    return copy
  }

  #object(value: object, depth: number): object {
    const entries = new Map<string, unknown>()
    for (const key of Object.keys(value)) {
      let name = this.#text(key)
      // Two keys may become one: the second keeps its value under a longer name.
      while (name !== key && (entries.has(name) || Object.hasOwn(value, name))) name += '\uFFFD'
      entries.set(name, this.value((value as { readonly [key: string]: unknown })[key], depth + 1))
    }
    return Object.fromEntries(entries)
  }
}

/** Arguments nested too deeply become their text as a whole, so that no half object is taken for the real one. */
function flattenDeepArgs(value: unknown): unknown {
  if (!isObject(value) || value.type !== 'tool-call' || !badInside({ args: value.args }, () => false)) return value
  return { ...value, args: typeof value.argsText === 'string' ? value.argsText : deepText(value.args) }
}

/** The same mending for what stands outside messages: definitions. */
export function mendValue<T extends object>(value: T, nul: boolean): T {
  return badInside(value, nul ? badOrNul : bad) ? (mender(nul)(value) as T) : value
}
