import type { JsonObject } from '../../model/json.ts'
import { stringAt, valueAt } from '../../model/json.ts'
import type { Json, NativePart, ToolCallEntry } from '../../model/session.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { slot } from '../slots.ts'
import { argsOf, idAt } from './calls.ts'
import type { Block } from './media.ts'
import { providerState } from './outcome.ts'

/** Where an entry stands that has no result yet. */
interface Place {
  readonly parts: StoredPart[]
  readonly index: number
  readonly use: Block
}

/** A result that no call before it has the id of, and the message it stands in. */
interface Stray {
  readonly block: Block
  readonly parts: StoredPart[] | undefined
  /** How many parts stand before it. */
  readonly after: number
}

export const isProviderUse = (type: string): boolean => type.endsWith('_tool_use')
export const isProviderResult = (type: string): boolean => type.endsWith('_tool_result')

/** Pairs the calls that the API ran itself with their result blocks, which stand in the same message, or in a later one. */
export class ProviderCalls {
  readonly #open = new Map<string, Place[]>()
  readonly #answered = new Set<string>()
  /** Results that stand before their calls, or have none. */
  readonly #early = new Map<string, Stray[]>()

  use(block: Block, parts: StoredPart[], report: Report): void {
    const id = idAt(block, 'id')
    const early = this.#early.get(id)?.pop()
    if (early === undefined) {
      listAt(this.#open, id).push({ parts, index: parts.length, use: block })
      parts.push(providerCall(id, block))
      return
    }
    report('result-moved', { callId: id })
    this.#answered.add(id)
    parts.push(answered(id, block, early.block, {}))
  }

  /** `parts`: those of the message in which the block stands; undefined when no assistant message holds it. */
  result(block: Block, parts: StoredPart[] | undefined, report: Report): void {
    const id = idAt(block, 'tool_use_id')
    // The nearest call: an id may come again in another turn.
    const place = this.#open.get(id)?.pop()
    if (place === undefined) {
      if (this.#answered.has(id)) report('duplicate-result', { callId: id, before: valueAt(block, 'content') ?? block })
      else listAt(this.#early, id).push({ block, parts, after: parts?.length ?? 0 })
      return
    }
    this.#answered.add(id)
    place.parts[place.index] = answered(id, place.use, block, placing(place, parts))
    // No text: the entry has it.
    if (parts !== undefined && parts !== place.parts) parts.push(lateResult(block))
  }

  /** To be called at the end of the source: results that are left over find a call by their place, or are reported. */
  end(report: Report): void {
    for (const { block } of this.#unpaired(report)) {
      report('orphan-result', { callId: idAt(block, 'tool_use_id'), before: valueAt(block, 'content') })
    }
  }

  /** The same for a message by itself: the call of a result that is left over stands in an earlier one, which was paused. */
  endOfAnswer(report: Report): void {
    const left = this.#unpaired(report).sort((a, b) => a.after - b.after)
    // From the last one on, since each moves those behind it.
    for (const { block, parts, after } of left.reverse()) parts?.splice(after, 0, lateResult(block))
  }

  #unpaired(report: Report): Stray[] {
    return [...this.#early.values()].flat().filter((stray) => !this.#pairByPlace(stray, report))
  }

  /** Gateways give results ids of their own: the first open call of its kind before it in the same message is meant. */
  #pairByPlace({ block, parts, after }: Stray, report: Report): boolean {
    const index = parts?.findIndex((part, at) => at < after && isOpen(part) && fits(part, block)) ?? -1
    const call = parts?.[index]
    if (parts === undefined || call === undefined || !isOpen(call)) return false
    report('result-paired-by-order', { callId: call.id, message: BY_PLACE, before: idAt(block, 'tool_use_id') })
    const between = after - index - 1
    const placed = between === 0 ? {} : { resultAfter: between }
    parts[index] = answered(call.id, useOf(call), { ...block, tool_use_id: call.id }, placed)
    return true
  }
}

const lateResult = (block: Block): NativePart => ({ type: 'native', api: 'anthropic', value: block as Json })

const isOpen = (part: StoredPart): part is OpenCall =>
  part.type === 'tool-call' && part.executor === 'provider' && !('state' in part)

const useOf = (call: OpenCall): Block => valueAt(call.extra?.anthropic, 'use') as Block

const BY_PLACE = 'A result under another id was paired with the open call of its kind in the same message.'

/** `web_search` is answered by `web_search_tool_result`, `tool_search_tool_regex` by `tool_search_tool_result`. */
function fits(call: OpenCall, block: Block): boolean {
  const use = stringAt(useOf(call), 'type')
  const kind = (stringAt(block, 'type') ?? '').replace('_tool_result', '')
  if (kind === 'mcp' || use === 'mcp_tool_use') return use === `${kind}_tool_use`
  return call.name === kind || call.name.startsWith(`${kind}_`)
}

function placing(place: Place, parts: StoredPart[] | undefined): JsonObject {
  if (parts !== undefined && parts !== place.parts) return { late: true }
  const between = parts === undefined ? 0 : parts.length - place.index - 1
  return between === 0 ? {} : { resultAfter: between }
}

function providerCall(id: string, block: Block): OpenCall {
  return {
    type: 'tool-call',
    id,
    name: stringAt(block, 'name') ?? '',
    args: argsOf(valueAt(block, 'input')),
    executor: 'provider',
    ...slot('anthropic', { use: block as Json }),
  }
}

function answered(id: string, use: Block, result: Block, placed: JsonObject): ToolCallEntry {
  const raw = { use: use as Json, result: result as Json, ...placed }
  return { ...providerCall(id, use), state: providerState(result), ...slot('anthropic', raw) }
}

function listAt<T>(map: Map<string, T[]>, key: string): T[] {
  const found = map.get(key)
  if (found !== undefined) return found
  const list: T[] = []
  map.set(key, list)
  return list
}
