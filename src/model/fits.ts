import { type Fields, isObject } from './json.ts'
import type { Message, TextPart, ToolCallState, ToolDefinition } from './session.ts'

/**
 * Whether values have the shapes of the model, as far as writers look at them: cheap enough to be asked of every part.
 * Sessions need not come from a reader, and types do not hold at run time. What values hold inside (JSON, depth) is not
 * looked at.
 */
type Test = (value: Fields) => boolean

const isText = (value: unknown): boolean => typeof value === 'string'
const mayBeText = (value: unknown): boolean => value === undefined || typeof value === 'string'
const mayBeObject = (value: unknown): boolean => value === undefined || isObject(value)

const text: Test = (part) => isText(part.text) && mayBeObject(part.extra)

const media: Test = (part) =>
  MEDIA_KINDS.has(part.kind) &&
  isText(part.mediaType) &&
  isObject(part.source) &&
  isSource(part.source) &&
  mayBeText(part.name) &&
  mayBeObject(part.extra)

const MEDIA_KINDS: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'file'])

function isSource(source: Fields): boolean {
  if ('base64' in source) return isText(source.base64)
  if ('url' in source) return isText(source.url)
  if ('text' in source) return isText(source.text)
  return isText(source.api) && isText(source.fileId)
}

const native: Test = (part) =>
  isText(part.api) && isValue(part.value) && mayBeText(part.dialect) && mayBeText(part.text) && mayBeObject(part.extra)

const json: Test = (part) => isValue(part.value) && mayBeObject(part.extra)

const call: Test = (part) =>
  isText(part.id) &&
  isText(part.name) &&
  isValue(part.args) &&
  fitsState(part.state) &&
  mayBeText(part.argsText) &&
  (part.resultOrder === undefined || Number.isFinite(part.resultOrder)) &&
  mayBeObject(part.extra)

/** A leaf of JSON, or what may hold some. */
function isValue(value: unknown): boolean {
  return typeof value === 'object' || isText(value) || typeof value === 'boolean' || Number.isFinite(value)
}

export function fitsState(state: unknown): state is ToolCallState {
  if (!isObject(state) || !mayBeObject(state.extra)) return false
  return STATES.get(state.status)?.(state) === true
}

/** @throws {TypeError} when the value is no state of a call. */
export function refuseOtherStates(state: unknown): void {
  if (!fitsState(state))
    throw new TypeError(
      'A state must be one of completed (with a result), failed (with an error), interrupted, pending.',
    )
}

const STATES: ReadonlyMap<unknown, Test> = new Map<string, Test>([
  ['completed', (state) => isOutput(state.result)],
  ['failed', (state) => isOutput(state.error)],
  ['interrupted', (state) => mayBeText(state.reason) && (state.partial === undefined || isOutput(state.partial))],
  ['pending', () => true],
])

const OUTPUT_PARTS: ReadonlyMap<unknown, Test> = new Map([
  ['text', text],
  ['media', media],
  ['json', json],
  ['native', native],
])

function isOutput(output: unknown): boolean {
  return typeof output === 'string' || (Array.isArray(output) && allFit(output, OUTPUT_PARTS))
}

/** By index, since `every` passes over holes. */
function allFit(parts: readonly unknown[], kinds: ReadonlyMap<unknown, Test>): boolean {
  for (let index = 0; index < parts.length; index++) if (!fitsOne(parts[index], kinds)) return false
  return true
}

function fitsOne(part: unknown, kinds: ReadonlyMap<unknown, Test>): boolean {
  return isObject(part) && kinds.get(part.type)?.(part) === true
}

/** Role -> the kinds of parts that its messages may have. */
const PARTS: { readonly [R in Message['role']]: ReadonlyMap<unknown, Test> } = {
  user: new Map([
    ['text', text],
    ['media', media],
    ['native', native],
  ]),
  assistant: new Map([
    ['text', text],
    ['reasoning', text],
    ['tool-call', call],
    ['media', media],
    ['native', native],
  ]),
  instruction: new Map([['text', text]]),
}

/** Whether a part may stand in a message of that role. */
export function fitsPart(part: unknown, role: Message['role']): boolean {
  return fitsOne(part, PARTS[role])
}

export function fitParts(parts: readonly unknown[], role: Message['role']): boolean {
  return allFit(parts, PARTS[role])
}

export function fitTexts(parts: unknown): parts is readonly TextPart[] {
  return Array.isArray(parts) && allFit(parts, PARTS.instruction)
}

/** Whether a value is a message, whatever its parts are. */
export function fitsMessage(value: unknown): value is Message {
  if (!isObject(value) || !Array.isArray(value.parts) || !mayBeObject(value.extra)) return false
  return ROLES.get(value.role)?.(value) === true
}

const ROLES: ReadonlyMap<unknown, Test> = new Map<Message['role'], Test>([
  ['user', () => true],
  ['assistant', (message) => message.by === undefined || isAuthor(message.by)],
  ['instruction', (message) => message.authority === 'system' || message.authority === 'developer'],
])

function isAuthor(by: unknown): boolean {
  return isObject(by) && isText(by.model) && mayBeText(by.provider) && mayBeText(by.api) && mayBeText(by.dialect)
}

export function fitTools(tools: unknown): tools is readonly ToolDefinition[] {
  // Holes are passed over by `every` alone.
  return Array.isArray(tools) && Array.from(tools).every(isTool)
}

function isTool(tool: unknown): boolean {
  return isObject(tool) && isText(tool.name) && mayBeText(tool.description) && mayBeObject(tool.extra)
}
