import type { JsonObject } from '../../model/json.ts'
import { stringAt, valueAt } from '../../model/json.ts'
import type { Json, ToolCallEntry } from '../../model/session.ts'
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

export const isProviderUse = (type: string): boolean => type.endsWith('_tool_use')
export const isProviderResult = (type: string): boolean => type.endsWith('_tool_result')

/** Pairs the calls that the API ran itself with their result blocks, which stand in the same message, or in a later one. */
export class ProviderCalls {
  readonly #open = new Map<string, Place[]>()
  readonly #answered = new Set<string>()
  /** Results that stand before their calls. */
  readonly #early = new Map<string, Block[]>()

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
    parts.push(answered(id, block, early, {}))
  }

  /** `parts`: those of the message in which the block stands; undefined when no assistant message holds it. */
  result(block: Block, parts: StoredPart[] | undefined, report: Report): void {
    const id = idAt(block, 'tool_use_id')
    // The nearest call: an id may come again in another turn.
    const place = this.#open.get(id)?.pop()
    if (place === undefined) {
      if (this.#answered.has(id)) report('duplicate-result', { callId: id, before: valueAt(block, 'content') })
      else listAt(this.#early, id).push(block)
      return
    }
    this.#answered.add(id)
    place.parts[place.index] = answered(id, place.use, block, placing(place, parts))
    // No text: the entry has it.
    if (parts !== undefined && parts !== place.parts)
      parts.push({ type: 'native', api: 'anthropic', value: block as Json })
  }

  /** To be called at the end of the source. */
  reportOrphans(report: Report): void {
    for (const [id, blocks] of this.#early) {
      for (const block of blocks) report('orphan-result', { callId: id, before: valueAt(block, 'content') })
    }
  }
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
