import { API_IDS, FORMAT_IDS } from '../../model/formats.ts'
import { isJson } from '../../model/is-json.ts'
import { type Fields, isObject } from '../../model/json.ts'
import type { Report } from '../report.ts'

type Test = (value: unknown) => boolean

/** What a value of the model must hold and may hold. Says the same as the schema, without its cost on every part. */
export interface Shape {
  readonly needs: { readonly [key: string]: Test }
  readonly may: { readonly [key: string]: Test }
}

const isText: Test = (value) => typeof value === 'string'
const isFlag: Test = (value) => typeof value === 'boolean'
const isCount: Test = (value) => Number.isFinite(value)
const isList: Test = Array.isArray
const oneOf = (...values: readonly unknown[]): Test => {
  const known = new Set(values)
  return (value) => known.has(value)
}
const isExtra: Test = (value) =>
  isObject(value) && Object.values(value).every((slot) => slot === undefined || isJson(slot))
const fits =
  (shape: Shape): Test =>
  (value) =>
    isObject(value) && misfits(value, shape.needs).length === 0 && badOptions(value, shape).length === 0

const isApi = oneOf(...API_IDS)
const isSource: Test = (value) =>
  isObject(value) &&
  (isText(value.base64) || isText(value.url) || isText(value.text) || (isApi(value.api) && isText(value.fileId)))

const isUsage = fits({
  needs: {},
  may: {
    inputTokens: isCount,
    outputTokens: isCount,
    cacheReadTokens: isCount,
    cacheWriteTokens: isCount,
    reasoningTokens: isCount,
    extra: isExtra,
  },
})
const isAuthor = fits({ needs: { model: isText }, may: { provider: isText, api: isApi, dialect: isText } })
const callKind = oneOf('function', 'custom')
const common = { id: isText, at: isText, extra: isExtra }

export const TEXT: Shape = { needs: { text: isText }, may: { extra: isExtra } }
export const REASONING: Shape = { needs: { text: isText }, may: { redacted: isFlag, extra: isExtra } }
export const MEDIA: Shape = {
  needs: { kind: oneOf('image', 'audio', 'video', 'file'), mediaType: isText, source: isSource },
  may: { name: isText, extra: isExtra },
}
export const NATIVE: Shape = {
  needs: { api: isApi, value: isJson },
  may: { dialect: isText, text: isText, extra: isExtra },
}
export const JSON_PART: Shape = { needs: { value: isJson }, may: { extra: isExtra } }
/** `id`, `args` and `state` have their own repair. */
export const CALL: Shape = {
  needs: { name: isText },
  may: {
    kind: callKind,
    argsText: isText,
    executor: oneOf('client', 'provider'),
    resultOrder: isCount,
    extra: isExtra,
  },
}
export const STATES: { readonly [status: string]: Shape } = {
  completed: { needs: {}, may: { extra: isExtra } },
  failed: { needs: {}, may: { denied: isFlag, extra: isExtra } },
  interrupted: { needs: {}, may: { dispatched: isFlag, reason: isText, extra: isExtra } },
  pending: { needs: {}, may: { reason: oneOf('approval', 'running'), approved: isFlag, extra: isExtra } },
}
export const USER: Shape = { needs: {}, may: { kind: oneOf('prompt', 'summary', 'injected'), ...common } }
export const ASSISTANT: Shape = {
  needs: {},
  may: {
    by: isAuthor,
    stop: oneOf('end', 'tool-calls', 'length', 'refusal', 'filtered', 'paused', 'aborted', 'error'),
    usage: isUsage,
    ...common,
  },
}
export const INSTRUCTION: Shape = { needs: { authority: oneOf('system', 'developer') }, may: common }
export const TOOL: Shape = {
  needs: { name: isText },
  may: { description: isText, kind: callKind, parameters: isJson, extra: isExtra },
}
export const SESSION: Shape = {
  needs: { messages: isList },
  may: {
    id: isText,
    title: isText,
    cwd: isText,
    createdAt: isText,
    source: fits({ needs: { format: oneOf(...FORMAT_IDS) }, may: { version: isText } }),
    parent: fits({ needs: {}, may: { id: isText, callId: isText } }),
    agent: isText,
    extra: isExtra,
  },
}

/** The keys whose values fail. */
function misfits(value: Fields, tests: Shape['needs']): string[] {
  return Object.keys(tests).filter((key) => tests[key]?.(ownValue(value, key)) !== true)
}

/** What is stored as undefined is absent; null is, too, but not in the model. */
function badOptions(value: Fields, { may }: Shape): string[] {
  return Object.keys(may).filter((key) => {
    const found = ownValue(value, key)
    return found !== undefined && may[key]?.(found) !== true
  })
}

const ownValue = (value: Fields, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined)

/**
 * The value itself when it fits; a copy without the optional fields that do not; undefined, reported, when a needed one
 * does not. An optional null is absent.
 */
export function fitted(value: Fields, shape: Shape, report: Report): Fields | undefined {
  const missing = misfits(value, shape.needs)
  if (missing.length > 0) {
    report('part-invalid', { message: `${missing.join(', ')}: missing or of the wrong type.`, before: value })
    return undefined
  }
  const bad = badOptions(value, shape)
  if (bad.length === 0) return value
  for (const key of bad)
    if (value[key] !== null) report('part-invalid', { message: fieldLost(key), before: value[key] })
  return without(value, bad)
}

export const fieldLost = (key: string): string => `The field ${key} is of the wrong type and was left out.`

export function without(value: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** What `read` makes of each; what it refuses is left out. The list itself when nothing changed. */
export function keptOf<T>(list: readonly unknown[], read: (value: unknown) => T | undefined): readonly T[] {
  const kept: T[] = []
  for (const value of list) {
    const found = read(value)
    if (found !== undefined) kept.push(found)
  }
  const same = kept.length === list.length && kept.every((found, index) => found === list[index])
  return same ? (list as readonly T[]) : kept
}
