import { type Fields, isObject, type JsonObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Extra, Json, ReasoningPart, StopReason, TextPart, Usage } from '../../model/session.ts'
import type { OpenCall, StoredAssistant, StoredPart } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'
import type { Writable } from '../slots.ts'
import { slot } from '../slots.ts'
import { type Authors, apiOf } from './authors.ts'
import { blocksOf, OPEN_BLOCKS } from './content.ts'
import { callSlot, reasoningDetails, reasoningSlot, textSlot } from './signatures.ts'

interface Scene {
  readonly api: ApiId | undefined
  readonly report: Report
  /** What belongs to the message and not to the block it is stored in. */
  readonly details: Json[]
}

/** Without its id and time. Undefined when the content is of the wrong type. */
export function assistantMessage(
  message: Fields,
  authors: Authors,
  report: Report,
): Writable<StoredAssistant> | undefined {
  const blocks = blocksOf(message.content)
  if (blocks === undefined) return undefined
  const scene: Scene = { api: apiOf(message), report, details: [] }
  const parts: StoredPart[] = []
  for (const block of blocks) addPart(block, parts, scene)
  const told: Writable<StoredAssistant> = { parts }
  const by = authors.of(message)
  if (by !== undefined) told.by = by
  const stop = own(STOPS, message.stopReason)
  if (stop !== undefined) told.stop = stop
  const usage = usageOf(message.usage)
  if (usage !== undefined) told.usage = usage
  const { errorMessage } = message
  if (errorMessage !== undefined && errorMessage !== null && typeof errorMessage !== 'string')
    report('part-invalid', { before: errorMessage })
  const extra = extraOf(message, scene.details)
  if (extra !== undefined) told.extra = extra
  return told
}

/** `pending` says nothing: a stream that was going on when the file was copied. */
const STOPS: { readonly [reason: string]: StopReason } = {
  stop: 'end',
  endTurn: 'end',
  length: 'length',
  toolUse: 'tool-calls',
  error: 'error',
  aborted: 'aborted',
  deferred: 'paused',
}

/** What else stands there is no count of tokens. */
const COUNTS = [
  ['inputTokens', 'input'],
  ['outputTokens', 'output'],
  ['cacheReadTokens', 'cacheRead'],
  ['cacheWriteTokens', 'cacheWrite'],
  ['reasoningTokens', 'reasoning'],
] as const

function usageOf(stored: unknown): Usage | undefined {
  if (!isObject(stored)) return undefined
  let usage: Writable<Usage> | undefined
  for (const [count, key] of COUNTS) {
    const value = stored[key]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    usage ??= {}
    usage[count] = value
  }
  return usage
}

function extraOf({ errorMessage }: Fields, details: readonly Json[]): Extra | undefined {
  if (typeof errorMessage !== 'string' && details.length === 0) return undefined
  return {
    ...(typeof errorMessage === 'string' ? { pi: { errorMessage } } : {}),
    ...(details.length === 0 ? {} : { 'openai-chat': { reasoning_details: details } }),
  }
}

function addPart(stored: unknown, parts: StoredPart[], scene: Scene): void {
  const block = typeof stored === 'string' ? { type: 'text', text: stored } : stored
  const part = isObject(block) ? own(BLOCKS, block.type)?.(block, scene) : undefined
  if (part === undefined) scene.report('part-invalid', { before: stored })
  else parts.push(part)
}

const BLOCKS: { readonly [type: string]: (block: Fields, scene: Scene) => StoredPart | undefined } = {
  text: textPart,
  thinking: reasoningPart,
  toolCall: callPart,
  image: (block) => OPEN_BLOCKS.image?.(block),
}

function textPart(block: Fields, { api }: Scene): TextPart | undefined {
  const text = stringAt(block, 'text')
  return text === undefined ? undefined : { type: 'text', text, ...textSlot(api, block.textSignature) }
}

/** Redacted thinking stands with a note in the place of its text. */
function reasoningPart(block: Fields, { api, details }: Scene): ReasoningPart | undefined {
  const redacted = block.redacted === true
  const text = redacted ? '' : stringAt(block, 'thinking')
  if (text === undefined) return undefined
  const found = reasoningDetails(api, block.thinkingSignature)
  if (found !== undefined) {
    details.push(...found)
    return { type: 'reasoning', text }
  }
  const signed = reasoningSlot(api, block.thinkingSignature, redacted)
  const { 'openai-responses': item, gemini } = signed.extra ?? {}
  const isOpaque = redacted || (text === '' && (item !== undefined || gemini !== undefined))
  return { type: 'reasoning', text, ...(isOpaque ? { redacted: true } : {}), ...signed }
}

/**
 * Calls of the Responses API have their item's id behind their own, `call_1|fc_1`. Several calls may share the first half, so
 * that the whole is the id here.
 */
function callPart(block: Fields, scene: Scene): OpenCall | undefined {
  const name = stringAt(block, 'name')
  if (name === undefined) return undefined
  const id = stringAt(block, 'id') ?? ''
  const args = block.arguments === undefined || block.arguments === null ? {} : bounded(block.arguments, scene.report)
  const custom = customInput(id, args, scene.api)
  const kind = custom === undefined ? { args } : { kind: 'custom' as const, args: custom }
  const extra = callExtra(block, id, scene)
  return { type: 'tool-call', id, name, ...kind, ...(Object.keys(extra).length === 0 ? {} : { extra }) }
}

/** A tool that takes free text: pi stores it under the one property that the tool names. */
function customInput(id: string, args: Json, api: ApiId | undefined): string | undefined {
  if (api !== 'openai-responses' || !itemId(id).startsWith('ctc_') || !isObject(args)) return undefined
  const values = Object.values(args)
  const [input] = values
  return values.length === 1 && typeof input === 'string' ? input : undefined
}

function callExtra(block: Fields, id: string, { api, details }: Scene): Extra {
  const found = reasoningDetails(api, block.thoughtSignature)
  if (found !== undefined) details.push(...found)
  const signed = found === undefined ? callSlot(api, block.thoughtSignature).extra : undefined
  const item = api === 'openai-responses' ? itemFields(id, block) : undefined
  const argumentsError = block.argumentsError
  const pi =
    typeof argumentsError === 'string' ? { argumentsError, ...(signed?.pi as JsonObject | undefined) } : undefined
  return {
    ...signed,
    ...(item === undefined ? {} : { 'openai-responses': item }),
    ...(pi === undefined ? {} : slot('pi', pi).extra),
  }
}

function itemFields(id: string, block: Fields): JsonObject | undefined {
  const item = itemId(id)
  const namespace = stringAt(block, 'namespace')
  if (item === '' && namespace === undefined) return undefined
  return { ...(item === '' ? {} : { id: item }), ...(namespace === undefined ? {} : { namespace }) }
}

function itemId(id: string): string {
  const bar = id.indexOf('|')
  return bar < 0 ? '' : id.slice(bar + 1)
}
