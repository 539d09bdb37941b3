import { isObject, stringAt, valueAt } from '../model/json.ts'
import type { ApiId, Json, Message, Part } from '../model/session.ts'
import type { ItemRule, Rules } from '../rules/rules.ts'
import { authorship } from './author.ts'
import { type Report, replaceParts, type Step } from './step.ts'
import { type Shaper, shaper } from './unused.ts'

/**
 * Ids of stored items. The API looks them up: it refuses foreign and repeated ones, and those whose reasoning was left
 * out. Where an item can do without, the id goes; where it cannot, the item is another step's or is left out.
 */
export const itemIds: Step = {
  defect: 'ids of items that the API would look up in vain',
  start(rules) {
    const { items } = rules
    if (items === undefined) return { suspects: {}, mend() {} }
    const taken = new Set<string>()
    const shape = shaper({ foreign: FOREIGN, maxLength: items.maxLength })
    return {
      suspects: {
        slotted: (part) => part.extra?.[rules.api] !== undefined || stateSlot(part, rules.api) !== undefined,
      },
      mend(draft, _scene, report) {
        const kept = mayKeep(draft.message, draft.parts, rules)
        replaceParts(draft, (part, place) =>
          mendPart(part, { api: rules.api, items, shape, taken, kept, report, place }),
        )
      },
    }
  },
}

const FOREIGN = /[^a-zA-Z0-9_-]/

interface Context {
  readonly api: ApiId
  readonly items: ItemRule
  readonly shape: Shaper
  readonly taken: Set<string>
  /** Whether ids of this message hold at the target at all. */
  readonly kept: boolean
  readonly report: Report
  readonly place: number
}

/** An item made beside reasoning holds its id only with that reasoning. */
function mayKeep(message: Message, parts: readonly Part[], rules: Rules): boolean {
  if (message.role !== 'assistant') return false
  const author = authorship(message, rules)
  if (author === 'other' || (author === 'unknown' && rules.reasoning.unknownAuthor === 'drop')) return false
  const count = (all: readonly Part[]): number => all.filter((part) => part.type === 'reasoning').length
  return count(parts) === count(message.parts)
}

function mendPart(part: Part, context: Context): Part | undefined {
  const slot = part.extra?.[context.api]
  if (part.type === 'native') return part
  if (part.type === 'tool-call' && part.executor === 'provider') return hostedItem(part, slot, context)
  const mended = slot === undefined ? part : withSlot(part, context.api, mendSlot(slot, itemType(part), context))
  return mended.type === 'tool-call' ? withOutputId(mended, context) : mended
}

function itemType(part: Part): string {
  if (part.type === 'reasoning') return 'reasoning'
  if (part.type !== 'tool-call') return 'message'
  return part.kind === 'custom' ? 'custom_tool_call' : 'function_call'
}

/** Without its id a hosted item is refused. */
function hostedItem(part: Part, slot: unknown, context: Context): Part | undefined {
  const item = valueAt(slot, 'item')
  const type = stringAt(item, 'type') ?? ''
  const id = stringAt(item, 'id')
  // Tool search is told by its call id, and needs none of its own.
  if (id === undefined ? type === 'tool_search_call' : free(id, type, context)) return part
  context.report.add('provider-call-left-out', context.place, undefined, { before: type })
  return undefined
}

/** The slot of a text or reasoning part has the id inside `item`, that of a call beside its other fields. */
function mendSlot(slot: Json, type: string, context: Context): Json {
  const inner = valueAt(slot, 'item')
  if (!isObject(inner)) return withoutId(slot, type, context)
  const item = withoutId(inner as Json, stringAt(inner, 'type') ?? type, context)
  return item === inner ? slot : ({ ...(slot as object), item } as Json)
}

function withoutId(value: Json, type: string, context: Context): Json {
  const id = valueAt(value, 'id')
  if (id === undefined || (context.kept && typeof id === 'string' && free(id, type, context))) return value
  context.report.add('item-id-left-out', context.place, undefined, { before: id })
  const { id: _, ...rest } = value as { readonly [key: string]: Json }
  return rest
}

/** Takes the id, if it is genuine in shape and stands nowhere else. */
function free(id: string, type: string, { items, shape, taken }: Context): boolean {
  const prefix = Object.hasOwn(items.prefixes, type) ? items.prefixes[type]! : ''
  if (taken.has(id) || !id.startsWith(prefix) || !shape.fits(id)) return false
  taken.add(id)
  return true
}

function withSlot(part: Part, api: ApiId, slot: Json): Part {
  return slot === part.extra?.[api] ? part : { ...part, extra: { ...part.extra, [api]: slot } }
}

function stateSlot(part: Part, api: ApiId): unknown {
  return part.type === 'tool-call' ? part.state.extra?.[api] : undefined
}

/** A null id is none. */
function withOutputId(part: Extract<Part, { type: 'tool-call' }>, context: Context): Part {
  const slot = part.state.extra?.[context.api]
  if (slot === undefined || valueAt(slot, 'id') === null) return part
  const type = part.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  const mended = mendSlot(slot, type, context)
  if (mended === slot) return part
  return { ...part, state: { ...part.state, extra: { ...part.state.extra, [context.api]: mended } } }
}
