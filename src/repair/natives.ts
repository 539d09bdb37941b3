import type { Json, NativePart, OutputPart, Part, TextPart, ToolCallEntry } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { mapOutput, outputOf } from './output.ts'
import { type Report, replaceParts, type Step } from './step.ts'

/** Blocks and calls that only another API knows: their text, else nothing. */
export const natives: Step = {
  defect: 'blocks and provider-run calls of other APIs',
  start(rules) {
    const foreign = (part: Part | OutputPart): part is NativePart => part.type === 'native' && part.api !== rules.api
    const foreignCall = (part: Part): boolean =>
      part.type === 'tool-call' && part.executor === 'provider' && !replayable(part, rules)
    const inOutput = (part: Part): boolean => {
      const output = part.type === 'tool-call' ? outputOf(part.state) : undefined
      return typeof output === 'object' && output.some(foreign)
    }
    const mendCall = (call: ToolCallEntry, place: number, report: Report): Part | undefined => {
      if (foreignCall(call)) return callAsText(call, place, report)
      if (!inOutput(call)) return call
      const state = mapOutput(call.state, (one) => (foreign(one) ? nativeAsText(one, place, report, call.id) : one))
      return { ...call, state }
    }
    return {
      suspect: (parts) => parts.some((part) => foreign(part) || foreignCall(part) || inOutput(part)),
      mend(draft, _turn, report) {
        replaceParts(draft, (part, place) => {
          if (foreign(part)) return nativeAsText(part, place, report)
          return part.type === 'tool-call' ? mendCall(part, place, report) : part
        })
      },
    }
  },
}

/** A call that the API ran can be replayed by the raw blocks in its slot. */
function replayable(call: ToolCallEntry, rules: Rules): boolean {
  return rules.replaysProviderCalls && call.extra?.[rules.api] !== undefined
}

function nativeAsText(part: NativePart, place: number, report: Report, callId?: string): TextPart | undefined {
  const before = { before: part.text ?? part.value }
  if (part.text === undefined || !/\S/.test(part.text)) {
    report.add('native-left-out', place, callId, before)
    return undefined
  }
  report.add('native-as-text', place, callId, before)
  return { type: 'text', text: part.text }
}

function callAsText(call: ToolCallEntry, place: number, report: Report): TextPart | undefined {
  const output = outputOf(call.state)
  const told = output === undefined ? '' : outputAsText(output)
  if (!/\S/.test(told)) {
    report.add('provider-call-left-out', place, call.id, { before: call.name })
    return undefined
  }
  report.add('provider-call-as-text', place, call.id, { before: call.name })
  return { type: 'text', text: `[${call.name} ${argsAsText(call.args)}]\n${told}` }
}

const argsAsText = (args: Json): string => (typeof args === 'string' ? args : JSON.stringify(args))

function outputAsText(output: string | readonly OutputPart[]): string {
  if (typeof output === 'string') return output
  return output.map((part) => OUTPUT_TEXT[part.type](part as never)).join('\n')
}

const OUTPUT_TEXT: { readonly [K in OutputPart['type']]: (part: Extract<OutputPart, { type: K }>) => string } = {
  text: (part) => part.text,
  json: (part) => JSON.stringify(part.value),
  native: (part) => part.text ?? '',
  media: (part) => `[${part.kind} ${part.mediaType}]`,
}
