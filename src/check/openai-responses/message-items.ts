import { valueAt } from '../../model/json.ts'
import { nullable, object, oneOf, tagged, text } from '../openai/shape.ts'
import { missing } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import { ASSISTANT_CONTENT, USER_CONTENT } from './content-parts.ts'
import { type Item, measured, optionalId, STATUS, STRING_OR_NULL } from './item-fields.ts'
import type { ResponsesRule } from './rules.ts'

const INPUT_MESSAGE: Item = object(
  { role: text(), content: USER_CONTENT },
  { type: oneOf('message'), id: optionalId(measured('msg')), status: STATUS, phase: STRING_OR_NULL },
)

const OUTPUT_MESSAGE: Item = object(
  { role: text(), content: ASSISTANT_CONTENT },
  { type: oneOf('message'), id: optionalId(measured('msg')), status: STATUS, phase: STRING_OR_NULL },
  { also: wholeOutputMessage },
)

/** With an id it is the full output message: status, and parts with annotations. Recorded requests leave the latter out. */
function wholeOutputMessage(message: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!report.strict || typeof valueAt(message, 'id') !== 'string') return
  if (valueAt(message, 'status') === undefined) report.raise('output-message-shape', missing(place.at('status')))
  const content = valueAt(message, 'content')
  for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
    if (valueAt(part, 'type') !== 'output_text' || valueAt(part, 'annotations') !== undefined) continue
    report.raise('output-message-shape', missing(`${place.at('content')}[${index}].annotations`))
  }
}

export const MESSAGE: Item = tagged({
  tag: 'role',
  rows: { user: INPUT_MESSAGE, system: INPUT_MESSAGE, developer: INPUT_MESSAGE, assistant: OUTPUT_MESSAGE },
  supported: ['assistant', 'system', 'developer', 'user'],
  missing: 'missing-item-field',
  invalid: 'role-invalid',
  blames: 'object',
})

export const ITEM_REFERENCE: Item = object(
  { id: text({ max: 64 }, { missing: 'item-id-missing', long: 'item-id-too-long' }) },
  { type: nullable(oneOf('item_reference')) },
)
