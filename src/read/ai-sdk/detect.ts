import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { bodyIn, type Form, formOf } from './shape.ts'

/**
 * Sure where parts have types and fields that only this SDK has. Messages with `parts` of plain texts are taken for its own
 * too: no API has them.
 */
export function detect(source: Source): number {
  const body = bodyIn(source)
  if (body === undefined) return 0
  const count = new Map<Form, number>()
  for (const { value } of body.list.slice(0, SAMPLE)) {
    const form = formOf(value)
    count.set(form, (count.get(form) ?? 0) + 1)
  }
  const of = (form: Form): number => count.get(form) ?? 0
  const own = of('ui') + of('model')
  if (own > 0) return of('foreign') > own ? 0.3 : 0.96
  return of('ui-plain') > 0 && of('foreign') === 0 ? 0.93 : 0
}
