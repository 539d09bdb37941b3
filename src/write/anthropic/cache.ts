import { stringAt, valueAt } from '../../model/json.ts'
import type { ReportEnd } from '../writer.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest, CacheControl } from './wire.ts'

/** @see https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const MOST_MARKERS = 4

type Marked = { cache_control?: CacheControl }

/** The marker of a slot in the form that the API takes: `type` and `ttl` only. */
export function markerOf(slot: unknown): CacheControl | undefined {
  const stored = valueAt(slot, 'cache_control')
  if (stringAt(stored, 'type') !== 'ephemeral') return undefined
  const ttl = stringAt(stored, 'ttl')
  return ttl === '5m' || ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' }
}

/** At most four markers, the later ones before the earlier, and none for an hour behind one for five minutes. */
export function limitMarkers(
  request: AnthropicRequest,
  marked: readonly number[],
  report: ReportEnd,
): AnthropicRequest {
  const places = markedPlaces(request, marked)
  const extra = places.length - MOST_MARKERS
  const short = places.findIndex((place) => place.marker.ttl !== '1h')
  const wrong = places.some((place, index) => place.marker.ttl === '1h' && short >= 0 && short < index)
  if (extra <= 0 && !wrong) return request
  const next = unshared(request, marked)
  // What stands in the prompt stays: it is the longest-lived part of the prefix.
  const kept = chooseKept(places)
  markedPlaces(next, marked).forEach(({ block, marker }, index) => {
    if (!kept.has(index)) {
      delete block.cache_control
      report('cache-marker-left-out', { message: 'A cache marker over the limit of four was left out.' })
    } else if (wrong && marker.ttl === '1h') {
      block.cache_control = { type: 'ephemeral' }
      report('cache-marker-left-out', { message: 'The hour of a cache marker behind a shorter one was left out.' })
    }
  })
  return next
}

function chooseKept(places: readonly Place[]): ReadonlySet<number> {
  const inPrompt = places.flatMap((place, index) => (place.prompt ? [index] : []))
  const inMessages = places.flatMap((place, index) => (place.prompt ? [] : [index]))
  const first = inPrompt.slice(-Math.min(2, MOST_MARKERS))
  return new Set(
    [
      ...first,
      ...inMessages.slice(first.length - MOST_MARKERS),
      ...inPrompt.slice(inMessages.length - MOST_MARKERS),
    ].slice(0, MOST_MARKERS),
  )
}

interface Place {
  readonly block: Marked
  readonly marker: CacheControl
  readonly prompt: boolean
}

/** In the API's order: tools, system, messages; a result's inner blocks before the result. */
function markedPlaces(request: AnthropicRequest, marked: readonly number[]): readonly Place[] {
  const prompt: readonly Marked[] = [...(request.tools ?? []), ...(Array.isArray(request.system) ? request.system : [])]
  const blocks = marked.flatMap((index) => blocksOf(request.messages[index]))
  return [...prompt, ...blocks].flatMap((block, index) => {
    const marker = block.cache_control
    return marker === undefined ? [] : [{ block, marker, prompt: index < prompt.length }]
  })
}

function blocksOf(message: AnthropicMessage | undefined): readonly Marked[] {
  if (message === undefined || typeof message.content === 'string') return []
  return message.content.flatMap((block: AnthropicBlock): readonly Marked[] => {
    const inner = block.type === 'tool_result' && typeof block.content === 'object' ? block.content : []
    return [...inner, block as Marked]
  })
}

/** A request whose marked blocks may be written to: all others are shared with later requests of the thread. */
function unshared(request: AnthropicRequest, marked: readonly number[]): AnthropicRequest {
  const messages = [...request.messages]
  for (const index of marked) messages[index] = structuredClone(messages[index]!)
  return {
    ...request,
    ...(Array.isArray(request.system) ? { system: request.system.map((block) => ({ ...block })) } : {}),
    ...(request.tools === undefined ? {} : { tools: request.tools.map((tool) => ({ ...tool })) }),
    messages,
  }
}

/** `cache: 'auto'`: the end of the tools, of the system prompt, and of the last two user turns. */
export function placeMarkers(request: AnthropicRequest): AnthropicRequest {
  const users = request.messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-2)
  const next = unshared(request, users)
  const ends: (Marked | undefined)[] = [
    next.tools?.at(-1),
    Array.isArray(next.system) ? next.system.at(-1) : undefined,
    ...users.map((index) => lastBlock(next.messages[index]!)),
  ]
  for (const end of ends) if (end !== undefined) end.cache_control = { type: 'ephemeral' }
  return next
}

function lastBlock(message: AnthropicMessage): Marked | undefined {
  return typeof message.content === 'string' ? undefined : (message.content.at(-1) as Marked | undefined)
}
