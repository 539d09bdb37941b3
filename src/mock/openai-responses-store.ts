import type { KnownItems } from '../check/openai-responses/index.ts'
import { isObject, type JsonObject, stringAt, valueAt } from '../model/json.ts'

/**
 * The items and responses that this server handed out, and which of them it keeps. Ids that it never handed out are
 * another server's, about which it cannot know: they are taken to be good.
 */
export class HandedOut {
  readonly #issued = new Set<string>()
  /** Each with the id of the reasoning that it was generated with, or null. */
  readonly #items = new Map<string, string | null>()
  readonly #responses = new Set<string>()

  add(response: JsonObject): void {
    const stored = response.store !== false
    const id = stringAt(response, 'id') ?? ''
    this.#issued.add(id)
    if (stored) this.#responses.add(id)
    let reasoning: string | null = null
    for (const item of listOf(response.output)) {
      const itemId = stringAt(item, 'id') ?? ''
      this.#issued.add(itemId)
      if (stored) this.#items.set(itemId, reasoning)
      if (stringAt(item, 'type') === 'reasoning') reasoning = itemId
    }
  }

  /** What stands in the store, as far as this body speaks of it. */
  known(body: unknown): KnownItems {
    const items = new Map<string, string | null>()
    for (const item of listOf(valueAt(body, 'input'))) {
      const id = isObject(item) ? stringAt(item, 'id') : undefined
      if (id === undefined) continue
      const reasoning = this.#items.get(id)
      if (reasoning !== undefined) items.set(id, reasoning)
      else if (!this.#issued.has(id)) items.set(id, null)
    }
    const previous = stringAt(body, 'previous_response_id')
    const found = previous !== undefined && (this.#responses.has(previous) || !this.#issued.has(previous))
    return { items, responses: new Set(found ? [previous] : []) }
  }

  reset(): void {
    this.#issued.clear()
    this.#items.clear()
    this.#responses.clear()
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
