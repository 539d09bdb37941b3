import * as z from 'zod/mini'
import { ReadError } from './error.ts'
import { API_IDS, FORMAT_IDS } from './formats.ts'
import { isJson } from './is-json.ts'
import { deeperThan, isObject, MAX_DEPTH } from './json.ts'
import type {
  ApiId,
  AssistantMessage,
  AssistantPart,
  Author,
  Extra,
  FormatId,
  InstructionMessage,
  Json,
  JsonPart,
  MediaPart,
  Message,
  NativePart,
  ReasoningPart,
  Session,
  TextPart,
  ToolCallEntry,
  ToolCallState,
  ToolDefinition,
  ToolOutput,
  Usage,
  UserMessage,
  UserPart,
} from './session.ts'

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const count = z.optional(z.number())

const TOO_DEEP_OR_FOREIGN = `expected JSON, nested no more than ${MAX_DEPTH} levels`

const json = z.custom<Json>((value) => isJson(value), TOO_DEEP_OR_FOREIGN)
const extra = z.optional(z.custom<Extra>(isExtra, 'expected an object of JSON slots'))

const api = z.enum(API_IDS)
const format = z.enum(FORMAT_IDS)

const textPart = z.readonly(z.object({ type: z.literal('text'), text: z.string(), extra }))

const reasoningPart = z.readonly(z.object({ type: z.literal('reasoning'), text: z.string(), redacted: flag, extra }))

const mediaSource = z.union([
  z.readonly(z.object({ base64: z.string() })),
  z.readonly(z.object({ url: z.string() })),
  z.readonly(z.object({ text: z.string() })),
  z.readonly(z.object({ api, fileId: z.string() })),
])

const mediaPart = z.readonly(
  z.object({
    type: z.literal('media'),
    kind: z.enum(['image', 'audio', 'video', 'file']),
    mediaType: z.string(),
    source: mediaSource,
    name: text,
    extra,
  }),
)

const nativePart = z.readonly(z.object({ type: z.literal('native'), api, dialect: text, value: json, text, extra }))

const jsonPart = z.readonly(z.object({ type: z.literal('json'), value: json, extra }))

const output = z.union([
  z.string(),
  z.readonly(z.array(z.discriminatedUnion('type', [textPart, mediaPart, jsonPart, nativePart]))),
])

const callState = z.discriminatedUnion('status', [
  z.readonly(z.object({ status: z.literal('completed'), result: output, extra })),
  z.readonly(z.object({ status: z.literal('failed'), error: output, denied: flag, extra })),
  z.readonly(
    z.object({
      status: z.literal('interrupted'),
      partial: z.optional(output),
      dispatched: flag,
      reason: text,
      extra,
    }),
  ),
  z.readonly(
    z.object({
      status: z.literal('pending'),
      reason: z.optional(z.enum(['approval', 'running'])),
      approved: flag,
      extra,
    }),
  ),
])

const callKind = z.optional(z.enum(['function', 'custom']))

const toolCall = z.readonly(
  z.object({
    type: z.literal('tool-call'),
    id: z.string(),
    name: z.string(),
    kind: callKind,
    args: json,
    argsText: text,
    executor: z.optional(z.enum(['client', 'provider'])),
    state: callState,
    resultOrder: count,
    extra,
  }),
)

const usage = z.readonly(
  z.object({
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
    extra,
  }),
)

const userPart = z.discriminatedUnion('type', [textPart, mediaPart, nativePart])

const assistantPart = z.discriminatedUnion('type', [textPart, reasoningPart, toolCall, mediaPart, nativePart])

const userMessage = z.readonly(
  z.object({
    role: z.literal('user'),
    parts: z.readonly(z.array(userPart)),
    kind: z.optional(z.enum(['prompt', 'summary', 'injected'])),
    id: text,
    at: text,
    extra,
  }),
)

const author = z.readonly(z.object({ provider: text, api: z.optional(api), dialect: text, model: z.string() }))

const assistantMessage = z.readonly(
  z.object({
    role: z.literal('assistant'),
    parts: z.readonly(z.array(assistantPart)),
    by: z.optional(author),
    stop: z.optional(z.enum(['end', 'tool-calls', 'length', 'refusal', 'filtered', 'paused', 'aborted', 'error'])),
    usage: z.optional(usage),
    id: text,
    at: text,
    extra,
  }),
)

const instructionMessage = z.readonly(
  z.object({
    role: z.literal('instruction'),
    authority: z.enum(['system', 'developer']),
    parts: z.readonly(z.array(textPart)),
    id: text,
    at: text,
    extra,
  }),
)

const message = z.discriminatedUnion('role', [userMessage, assistantMessage, instructionMessage])

const toolDefinition = z.readonly(
  z.object({ name: z.string(), description: text, kind: callKind, parameters: z.optional(json), extra }),
)

const session = z.readonly(
  z.object({
    version: z.literal(1),
    id: text,
    title: text,
    cwd: text,
    createdAt: text,
    source: z.optional(z.readonly(z.object({ format, version: text }))),
    parent: z.optional(z.readonly(z.object({ id: text, callId: text }))),
    agent: text,
    instructions: z.optional(z.readonly(z.array(textPart))),
    tools: z.optional(z.readonly(z.array(toolDefinition))),
    messages: z.readonly(z.array(message)),
    extra,
  }),
)

/** Levels of the model itself around a value: session, messages, message, parts, part, state, result, part, extra, slot. */
const MODEL_DEPTH = 16

/** The canonical form as a zod schema. Keys that it does not know are let pass. */
export const sessionSchema: z.ZodMiniType<Session> = session

/**
 * The value itself, when it is a session in the canonical form. Keys that the model does not know stay.
 * @throws {ReadError} with the path of the first bad place and the reason; also when values are nested over 256 levels.
 */
export function parseSession(value: unknown): Session {
  // Before anything that may recurse.
  if (deeperThan(value, MAX_DEPTH + MODEL_DEPTH)) {
    throw new ReadError(`values are nested over ${MAX_DEPTH} levels`, { format: 'entries' })
  }
  const result = session.safeParse(value)
  if (result.success) return value as Session
  const { path, reason } = firstIssue(result.error.issues)
  throw new ReadError(reason, { format: 'entries', path })
}

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

function firstIssue(issues: readonly Issue[]): { path: string; reason: string } {
  let path: Path = []
  let issue = issues[0]
  for (let inner = issue; inner !== undefined; inner = meant(inner)) {
    path = [...path, ...inner.path]
    issue = inner
  }
  return { path: pathText(path), reason: issue === undefined ? 'expected a session' : reasonOf(issue) }
}

/** Of the alternatives of a union, the one that got further than the others. Unions nest no deeper than outputs in states. */
function meant(issue: Issue): Issue | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const first = issue.errors.flatMap((alternative) => alternative.slice(0, 1))
  const furthest = Math.max(...first.map((inner) => inner.path.length))
  const found = first.filter((inner) => inner.path.length === furthest)
  return found.length === 1 ? found[0] : undefined
}

/** The schemas bring no words of their own: zod/mini leaves them out. */
function reasonOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `expected ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_union' && 'options' in issue) return `expected ${issue.options?.map(String).join(', ')}`
  return issue.code === 'custom' ? issue.message : 'expected one of the forms of this value'
}

/** Such as `messages[2].parts[0].state.status`. */
function pathText(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

function isExtra(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((slot) => slot === undefined || isJson(slot))
}

/** Fails to compile when a schema says more, less or something else than its interface. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Is<Schema extends z.ZodMiniType, Type> = Equal<z.infer<Schema>, Type>

true satisfies Is<typeof api, ApiId>
true satisfies Is<typeof format, FormatId>
true satisfies Is<typeof textPart, TextPart>
true satisfies Is<typeof reasoningPart, ReasoningPart>
true satisfies Is<typeof mediaPart, MediaPart>
true satisfies Is<typeof nativePart, NativePart>
true satisfies Is<typeof jsonPart, JsonPart>
true satisfies Is<typeof output, ToolOutput>
true satisfies Is<typeof callState, ToolCallState>
true satisfies Is<typeof toolCall, ToolCallEntry>
true satisfies Is<typeof usage, Usage>
true satisfies Is<typeof userPart, UserPart>
true satisfies Is<typeof assistantPart, AssistantPart>
true satisfies Is<typeof author, Author>
true satisfies Is<typeof userMessage, UserMessage>
true satisfies Is<typeof assistantMessage, AssistantMessage>
true satisfies Is<typeof instructionMessage, InstructionMessage>
true satisfies Is<typeof message, Message>
true satisfies Is<typeof toolDefinition, ToolDefinition>
true satisfies Is<typeof session, Session>
