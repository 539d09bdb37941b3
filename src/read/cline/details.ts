import { isObject } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'

/** Reasoning that routers give as a list of details. It belongs to the message; its blocks repeat the same list. */
export class Details {
  readonly #known = new Set<string>()
  readonly list: Json[] = []

  add(list: unknown): void {
    if (!Array.isArray(list)) return
    for (const item of list) {
      if (!isObject(item) || typeof item.type !== 'string') continue
      const text = JSON.stringify(item)
      if (this.#known.has(text)) continue
      this.#known.add(text)
      this.list.push(item as Json)
    }
  }
}
