import { isObject } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { Extra, Json, OutputPart, Part, ToolCallEntry, ToolCallState } from '../model/session.ts'
import type { NestedRule, SlotRules } from '../rules/rules.ts'
import { mapOutput, outputOf } from './output.ts'
import { replaceParts, type Step } from './step.ts'

/** Fields of the API's own slots that a request cannot have: what answers bring along, and what other programs add. */
export const fields: Step = {
  defect: 'fields that stand in answers only',
  start({ api, slots }) {
    const keysOf = (part: Part | OutputPart): readonly string[] | undefined => own(slots.parts, slotKind(part))
    const bad = (extra: Extra | undefined, keys: readonly string[] | undefined): boolean => {
      const slot = extra?.[api]
      return slot !== undefined && keys !== undefined && unwritten(slot, keys, slots.nested).length > 0
    }
    const badPart = (part: Part | OutputPart): boolean => part.extra !== undefined && bad(part.extra, keysOf(part))
    const badState = (part: Part): boolean =>
      part.type === 'tool-call' && part.state.extra !== undefined && bad(part.state.extra, slots.state)
    const inOutput = (part: ToolCallEntry): boolean => {
      const output = part.executor === 'provider' ? undefined : outputOf(part.state)
      return typeof output === 'object' && output.some(badPart)
    }
    return {
      suspects: { slotted: (part) => badPart(part) || badState(part), 'listed-output': inOutput },
      mend(draft, _scene, report) {
        const cleaned = <P extends Part | OutputPart>(part: P, place: number, callId?: string): P => {
          if (!badPart(part)) return part
          return { ...part, extra: clean(part.extra, keysOf(part) ?? [], place, callId) }
        }
        const clean = (extra: Extra | undefined, keys: readonly string[], place: number, callId?: string): Extra => {
          const slot = extra?.[api] as Json
          report.add('extra-left-out', place, callId, { before: unwritten(slot, keys, slots.nested).join(', ') })
          return { ...extra, [api]: written(slot, keys, slots.nested) }
        }
        const cleanedState = (part: ToolCallEntry, place: number): ToolCallState => {
          const { state } = part
          const told = badState(part) ? { ...state, extra: clean(state.extra, slots.state, place, part.id) } : state
          return inOutput(part) ? mapOutput(told, (one) => cleaned(one, place, part.id)) : told
        }
        replaceParts(draft, (part, place) => {
          if (part.type !== 'tool-call') return cleaned(part, place)
          const call = cleaned(part, place, part.id)
          const state = cleanedState(call, place)
          return state === call.state ? call : { ...call, state }
        })
      },
    }
  },
}

/** Calls that the API ran itself keep their raw blocks. */
function slotKind(part: Part | OutputPart): string {
  return part.type === 'tool-call' && part.executor === 'provider' ? 'provider-call' : part.type
}

/** The keys that will not be written; of what stands under a key with rules of its own, `key.inner`. */
function unwritten(slot: Json, keys: readonly string[], nested: SlotRules['nested']): readonly string[] {
  if (!isObject(slot)) return []
  const found: string[] = []
  for (const key in slot) {
    if (!keys.includes(key)) found.push(key)
    else for (const inner of unwrittenInside(slot[key], own(nested, key))) found.push(`${key}.${inner}`)
  }
  return found
}

function unwrittenInside(value: unknown, rule: NestedRule | undefined): readonly string[] {
  if (rule === undefined) return []
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((one) => (isObject(one) ? Object.keys(one).filter((key) => !takes(rule, key)) : []))
}

const takes = (rule: NestedRule, key: string): boolean =>
  rule.only === undefined ? rule.without?.includes(key) !== true : rule.only.includes(key)

function written(slot: Json, keys: readonly string[], nested: SlotRules['nested']): Json {
  const kept = Object.entries(slot as { readonly [key: string]: Json }).filter(([key]) => keys.includes(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, writtenInside(value, own(nested, key))]))
}

function writtenInside(value: Json, rule: NestedRule | undefined): Json {
  if (rule === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: Json) => writtenInside(one, rule))
  return Object.fromEntries(Object.entries(value).filter(([key]) => takes(rule, key)))
}
