import type { Shape } from '../openai/shape.ts'
import { list, nullable, object, oneOf, tagged, text } from '../openai/shape.ts'
import { MAX_TEXT } from './content-parts.ts'
import { CALL_ID, type IdPrefix, itemId } from './item-ids.ts'
import type { ResponsesRule } from './rules.ts'

export type Item = Shape<ResponsesRule>

/** A refusal of another prefix was seen. */
export const measured = (prefix: string): IdPrefix => ({ prefix, measured: true })
/** The API itself returns ids of this prefix. */
export const returned = (prefix: string): IdPrefix => ({ prefix, measured: false })

export const TYPE: { readonly type: Item } = { type: text() }
export const STATUS: Item = oneOf('in_progress', 'completed', 'incomplete')
export const ANY_STATUS: Item = text()
export const CALL: { readonly type: Item; readonly call_id: Item } = { ...TYPE, call_id: CALL_ID }
export const TEXTS: Item = list({ items: text() })
export const LARGE: Item = text({ max: MAX_TEXT })
export const STRING_OR_NULL: Item = nullable(text())
export const CALLER: Item = nullable(
  tagged({
    tag: 'type',
    rows: { direct: object(TYPE), program: object({ ...TYPE, caller_id: text() }) },
    supported: ['direct', 'program'],
    missing: 'missing-item-field',
    invalid: 'invalid-value',
    blames: 'tag',
  }),
)

export const optionalId = (prefix: IdPrefix): Item => itemId(prefix)
export const nullableId = (prefix: IdPrefix): Item => nullable(itemId(prefix))
