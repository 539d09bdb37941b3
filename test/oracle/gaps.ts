import { isObject } from '../../src/model/json.ts'
import type { WritableApi } from '../../src/write/index.ts'

/** Where an API takes what its SDK's types do not name. Each gap is filled in before the schema looks, and says why it is one. */
export interface Gap {
  readonly api: WritableApi
  readonly name: string
  readonly why: string
  /** The value in a form that the types name; the same value where the gap is not. */
  readonly fill: (element: { readonly [key: string]: unknown }) => { readonly [key: string]: unknown }
}

export const GAPS: readonly Gap[] = [
  {
    api: 'openai-responses',
    name: 'output_text in an assistant message without id',
    why: 'The easy form is typed with input parts; the API takes what it gave, with the id left out (recorded).',
    fill(item) {
      if (item.type !== 'message' || item.role !== 'assistant' || 'id' in item || !Array.isArray(item.content))
        return item
      return { ...item, id: 'msg_0', status: 'completed' }
    },
  },
]

const filled = new Map<string, number>()

/** The body with every gap filled in. */
export function fillGaps(
  api: WritableApi,
  body: { readonly [key: string]: unknown },
): { readonly [key: string]: unknown } {
  const list = api === 'openai-responses' ? 'input' : 'messages'
  const elements = body[list]
  if (!Array.isArray(elements)) return body
  const next = elements.map((element: unknown) => {
    if (!isObject(element)) return element
    let value: { readonly [key: string]: unknown } = element
    for (const gap of GAPS) {
      if (gap.api !== api) continue
      const after = gap.fill(value)
      if (after !== value) filled.set(gap.name, (filled.get(gap.name) ?? 0) + 1)
      value = after
    }
    return value
  })
  return { ...body, [list]: next }
}

export function gapsFilled(): string {
  return [...filled].map(([name, times]) => `gap "${name}" ${times}`).join(', ')
}
