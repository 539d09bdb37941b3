import { isBlank } from '../model/blank.ts'
import type { Json, Message, NativePart, OutputPart, Part, TextPart, ToolCallEntry } from '../model/session.ts'
import { mapOutput, outputOf } from './output.ts'
import { type Report, replaceParts, type Step } from './step.ts'

/** Blocks and calls that only another API knows, or that have lost their other half: their text, else nothing. */
export const natives: Step = {
  defect: 'blocks and provider-run calls that the API cannot replay',
  start({ api, providerCalls, takesNative }) {
    // Calls whose results may come with the next message, and whether the call holds its result besides.
    const waiting = new Map<string, boolean>()
    // Calls whose results come too late for the API: they are written beside the call.
    const moved = new Set<string>()
    const foreign = (part: Part | OutputPart): part is NativePart =>
      part.type === 'native' && (part.api !== api || !takesNative(part))
    const unfit = (part: Part | OutputPart): part is NativePart => {
      if (part.type !== 'native') return false
      const owner = part.api === api ? providerCalls.ownerOf(part.value) : undefined
      return owner === undefined ? foreign(part) : !waiting.has(owner)
    }
    const unfitCall = (call: ToolCallEntry): boolean => {
      if (call.executor !== 'provider') return false
      const slot = call.extra?.[api]
      return !(providerCalls.replayable(slot) || (call.state.status === 'pending' && providerCalls.resumable(slot)))
    }
    const inOutput = ({ state }: ToolCallEntry): boolean => {
      const output = outputOf(state)
      return typeof output === 'object' && output.some(foreign)
    }
    const mendCall = (call: ToolCallEntry, place: number, report: Report): Part | undefined => {
      if (unfitCall(call)) return callAsText(call, place, report)
      if (!inOutput(call)) return call
      const state = mapOutput(call.state, (one) => (foreign(one) ? nativeAsText(one, place, report, call.id) : one))
      return { ...call, state }
    }
    const ownerOf = (part: Part): string | undefined =>
      part.type === 'native' ? providerCalls.ownerOf(part.value) : undefined
    // An assistant message of the same turn may yet bring the result; any other message is the last that may.
    const endWaiting = (message: Message, joins: boolean): void => {
      for (const part of message.parts) waiting.delete(ownerOf(part) ?? '')
      if (message.role === 'assistant' && joins) return
      for (const [id, holdsResult] of waiting) if (holdsResult) moved.add(id)
      waiting.clear()
    }
    return {
      suspects: { native: unfit, 'provider-call': unfitCall, 'listed-output': inOutput },
      mend(draft, _scene, report) {
        replaceParts(draft, (part, place) => {
          if (unfit(part))
            return moved.has(ownerOf(part) ?? '') ? movedAway(part, place, report) : nativeAsText(part, place, report)
          return part.type === 'tool-call' ? mendCall(part, place, report) : part
        })
      },
      commit(message, joins) {
        if (waiting.size > 0) endWaiting(message, joins)
        if (message.role !== 'assistant') return
        for (const part of message.parts) {
          if (part.type !== 'tool-call' || part.executor !== 'provider') continue
          const slot = part.extra?.[api]
          const id = providerCalls.lateId(slot)
          if (id !== undefined) waiting.set(id, providerCalls.holdsResult(slot))
          else if (part.state.status === 'pending' && providerCalls.resumable(slot)) waiting.set(part.id, false)
        }
      },
    }
  },
}

/** The call holds the same block, and is written with it. */
function movedAway(part: NativePart, place: number, report: Report): undefined {
  report.add('result-moved', place, undefined, { message: MOVED, before: part.value })
  return undefined
}

const MOVED = 'A late result of a call that the API ran was put back behind its call.'

function nativeAsText(part: NativePart, place: number, report: Report, callId?: string): TextPart | undefined {
  const before = { before: part.text ?? part.value }
  if (part.text === undefined || isBlank(part.text)) {
    report.add('native-left-out', place, callId, before)
    return undefined
  }
  report.add('native-as-text', place, callId, before)
  return { type: 'text', text: part.text }
}

function callAsText(call: ToolCallEntry, place: number, report: Report): TextPart | undefined {
  const output = outputOf(call.state)
  const told = output === undefined ? '' : outputAsText(output)
  if (isBlank(told)) {
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
