import { isObject, type JsonObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { InputItem } from './wire.ts'

/**
 * What answers bring and requests may not have. @see rules openai-responses/unknown-item-field, contested-item-field: the
 * sources of a search and an action of image generation were refused, as was a null query.
 */
const REFUSED: { readonly [type: string]: (item: JsonObject) => JsonObject } = {
  web_search_call(item) {
    const { action } = item
    if (!isObject(action) || !('sources' in action || action.query === null)) return item
    const { sources: _, query, ...rest } = action as JsonObject
    return { ...item, action: query === null || query === undefined ? rest : { ...rest, query } }
  },
  image_generation_call(item) {
    if (!('action' in item)) return item
    const { action: _, ...rest } = item
    return rest
  },
}

/** The item of a call that the API ran itself, as a request may hold it; the same object where nothing is in the way. */
export function hostedItem(raw: unknown): InputItem {
  const refuse = isObject(raw) ? own(REFUSED, raw.type) : undefined
  return (refuse === undefined ? raw : refuse(raw as JsonObject)) as InputItem
}
