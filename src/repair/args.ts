import { deeperThan, isObject, MAX_DEPTH, sameJson } from '../model/json.ts'
import { isJsonOf } from '../model/json-text.ts'
import type { Json, Part, ToolCallEntry } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { replaceParts, type Step } from './step.ts'

/** Under this key stands a text that is not JSON, under the other a value that is no object. */
const RAW = '_raw'
const VALUE = 'value'
/** The input of a call that takes free text, for APIs without such calls. */
const INPUT = 'input'

/**
 * Arguments that are no JSON object (cut by an aborted stream, double-encoded, null, a list), and free text where the API
 * has no such calls.
 */
export const args: Step = {
  defect: 'arguments that the API cannot take',
  start(rules) {
    const bad = (part: Part): boolean => part.type === 'tool-call' && part.executor !== 'provider' && unfit(part, rules)
    return {
      suspects: { 'tool-call': bad },
      mend(draft, _scene, report) {
        replaceParts(draft, (part, place) => {
          if (!bad(part)) return part
          const call = part as ToolCallEntry
          const mended = mend(call, rules)
          const rewritten = sameJson(call.args, mended.args)
          report.add(rewritten ? 'args-rewritten' : 'args-wrapped', place, call.id, {
            before: call.argsText ?? call.args,
            after: mended.args,
          })
          return mended
        })
      },
    }
  },
}

function unfit(call: ToolCallEntry, rules: Rules): boolean {
  if (call.kind === 'custom') return !rules.customCalls || typeof call.args !== 'string'
  if (rules.args === 'text') return false
  if (!isObject(call.args)) return true
  return rules.args === 'object-text' && call.argsText !== undefined && !tells(call.argsText, call.args)
}

/** Whether the stored text is the stored value; a text that is not would be sent in the place of the value. */
function tells(text: string, value: object): boolean {
  if (isJsonOf(text, value)) return true
  return sameJson(parsed(text), value)
}

/** The object that the text is, else undefined. */
function parsed(text: string): unknown {
  const trimmed = text.trim()
  // A cut text is told apart by its end: a thrown error is costly.
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mend(call: ToolCallEntry, rules: Rules): ToolCallEntry {
  const { argsText: _, ...rest } = call
  if (call.kind !== 'custom') return { ...rest, args: asObject(call.args) }
  const text = typeof call.args === 'string' ? call.args : JSON.stringify(call.args)
  if (rules.customCalls) return { ...rest, args: text }
  return { ...rest, kind: 'function', args: { [INPUT]: text } }
}

function asObject(value: Json): Json {
  if (isObject(value)) return value as Json
  if (value === null || value === undefined) return {}
  if (typeof value !== 'string') return { [VALUE]: value }
  if (value.trim() === '') return {}
  const inner = parsed(value)
  // What is nested too deeply was made a text for that reason.
  return isObject(inner) && !deeperThan(inner, MAX_DEPTH) ? (inner as Json) : { [RAW]: value }
}
