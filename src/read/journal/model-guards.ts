import { API_IDS, FORMAT_IDS } from '../../model/formats.ts'
import { isJson } from '../../model/is-json.ts'
import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'

/**
 * What the schema of the model says, for values that come from JSON text. Written by hand, since the schema costs more
 * than the parsing does; a test holds the two to the same answers.
 */
export type Test = (value: unknown) => boolean

export const isText: Test = (value) => typeof value === 'string'
export const isCount: Test = (value) => Number.isFinite(value)
export const isFlag: Test = (value) => typeof value === 'boolean'
/** Parsed JSON still may be nested too deeply, and holds infinities where the text has numbers such as 1e999. */
export const isValue: Test = (value) => isJson(value)
export const may =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value)
export const oneOf = (...values: readonly unknown[]): Test => {
  const known = new Set(values)
  return (value) => known.has(value)
}

export function isListOf(value: unknown, test: Test): boolean {
  return Array.isArray(value) && value.every(test)
}

export const mayText: Test = may(isText)
export const mayFlag: Test = may(isFlag)
export const mayCount: Test = may(isCount)

const isApi = oneOf(...API_IDS)
const mayApi = may(isApi)
const isFormat = oneOf(...FORMAT_IDS)
const isMediaKind = oneOf('image', 'audio', 'video', 'file')
const mayCallKind = may(oneOf('function', 'custom'))
const mayExecutor = may(oneOf('client', 'provider'))
const mayPendingReason = may(oneOf('approval', 'running'))
const mayUserKind = may(oneOf('prompt', 'summary', 'injected'))
const mayStop = may(oneOf('end', 'tool-calls', 'length', 'refusal', 'filtered', 'paused', 'aborted', 'error'))
const isAuthority = oneOf('system', 'developer')

export const mayExtra: Test = (value) => value === undefined || (isObject(value) && Object.values(value).every(isValue))

const isSource = (value: unknown): boolean =>
  isObject(value) &&
  (isText(value.base64) || isText(value.url) || isText(value.text) || (isApi(value.api) && isText(value.fileId)))

/** One of the shapes of a union, told by a field. */
const tagged =
  (tag: string, shapes: { readonly [name: string]: (value: Fields) => boolean }): Test =>
  (value) =>
    isObject(value) && own(shapes, value[tag])?.(value) === true

const isTextual = (part: Fields): boolean => isText(part.text) && mayExtra(part.extra)
const isMedia = (part: Fields): boolean =>
  isMediaKind(part.kind) &&
  isText(part.mediaType) &&
  isSource(part.source) &&
  mayText(part.name) &&
  mayExtra(part.extra)
const isNative = (part: Fields): boolean =>
  isApi(part.api) && mayText(part.dialect) && isValue(part.value) && mayText(part.text) && mayExtra(part.extra)
const isReasoning = (part: Fields): boolean => isTextual(part) && mayFlag(part.redacted)
const isJsonPart = (part: Fields): boolean => isValue(part.value) && mayExtra(part.extra)

const isCall = (part: Fields): boolean =>
  isText(part.id) &&
  isText(part.name) &&
  mayCallKind(part.kind) &&
  isValue(part.args) &&
  mayText(part.argsText) &&
  mayExecutor(part.executor) &&
  isCallState(part.state) &&
  mayCount(part.resultOrder) &&
  mayExtra(part.extra)

const isTextPart = tagged('type', { text: isTextual })
const isOutputPart = tagged('type', { text: isTextual, media: isMedia, json: isJsonPart, native: isNative })
const isAssistantPart = tagged('type', {
  text: isTextual,
  reasoning: isReasoning,
  'tool-call': isCall,
  media: isMedia,
  native: isNative,
})

export const isUserPart: Test = tagged('type', { text: isTextual, media: isMedia, native: isNative })

export const isOutput: Test = (value) => isText(value) || isListOf(value, isOutputPart)
const mayOutput = may(isOutput)

export const isCallState: Test = tagged('status', {
  completed: (state) => isOutput(state.result) && mayExtra(state.extra),
  failed: (state) => isOutput(state.error) && mayFlag(state.denied) && mayExtra(state.extra),
  interrupted: (state) =>
    mayOutput(state.partial) && mayFlag(state.dispatched) && mayText(state.reason) && mayExtra(state.extra),
  pending: (state) => mayPendingReason(state.reason) && mayFlag(state.approved) && mayExtra(state.extra),
})

export const isUsage: Test = (value) =>
  isObject(value) &&
  mayCount(value.inputTokens) &&
  mayCount(value.outputTokens) &&
  mayCount(value.cacheReadTokens) &&
  mayCount(value.cacheWriteTokens) &&
  mayCount(value.reasoningTokens) &&
  mayExtra(value.extra)
const mayUsage = may(isUsage)

const mayAuthor = may(
  (value) =>
    isObject(value) && mayText(value.provider) && mayApi(value.api) && mayText(value.dialect) && isText(value.model),
)

const isHead = (message: Fields): boolean => mayText(message.id) && mayText(message.at) && mayExtra(message.extra)

export const isMessage: Test = tagged('role', {
  user: (message) => isListOf(message.parts, isUserPart) && mayUserKind(message.kind) && isHead(message),
  assistant: (message) =>
    isListOf(message.parts, isAssistantPart) &&
    mayAuthor(message.by) &&
    mayStop(message.stop) &&
    mayUsage(message.usage) &&
    isHead(message),
  instruction: (message) => isAuthority(message.authority) && isListOf(message.parts, isTextPart) && isHead(message),
})

const isTool: Test = (value) =>
  isObject(value) &&
  isText(value.name) &&
  mayText(value.description) &&
  mayCallKind(value.kind) &&
  may(isValue)(value.parameters) &&
  mayExtra(value.extra)

const isOrigin: Test = (value) => isObject(value) && isFormat(value.format) && mayText(value.version)
const isParent: Test = (value) => isObject(value) && mayText(value.id) && mayText(value.callId)

export const isSessionHead: Test = (value) =>
  isObject(value) &&
  mayText(value.id) &&
  mayText(value.title) &&
  mayText(value.cwd) &&
  mayText(value.createdAt) &&
  may(isOrigin)(value.source) &&
  may(isParent)(value.parent) &&
  mayText(value.agent) &&
  may((list) => isListOf(list, isTextPart))(value.instructions) &&
  may((list) => isListOf(list, isTool))(value.tools) &&
  mayExtra(value.extra)
