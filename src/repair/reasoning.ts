import type { AssistantMessage, Message, Part, ReasoningPart, TextPart } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { authorship } from './author.ts'
import { type Report, replaceParts, type Step, type Turn } from './step.ts'

const isReasoning = (part: Part): part is ReasoningPart => part.type === 'reasoning'

/** `reasoning: 'text'`: early, so that the texts it makes are looked at as all others are. */
export const reasoningAsText: Step = {
  defect: 'reasoning that was asked for as text',
  start(rules) {
    return {
      suspect: (parts) => rules.reasoning.mode === 'text' && parts.some(isReasoning),
      mend(draft, _turn, report) {
        replaceParts(draft, (part, place) => {
          if (!isReasoning(part)) return part
          if (!/\S/.test(part.text)) return leaveOut(report, place, part)
          report.add('reasoning-as-text', place)
          return { type: 'text', text: part.text } satisfies TextPart
        })
      },
    }
  },
}

/**
 * Foreign, unsigned and prefix-bound reasoning; reasoning whose neighbours were changed, or that an aborted turn ended in.
 * Of the reasoning of one message all of it goes, or none: APIs verify it as a whole.
 */
export const reasoning: Step = {
  defect: 'reasoning that the API does not verify',
  start(rules) {
    return {
      suspect: (parts, message, turn) =>
        parts.some(isReasoning) &&
        reasonAgainst(parts, undefined, message as AssistantMessage, turn, rules) !== undefined,
      mend(draft, turn, report) {
        const reason = reasonAgainst(draft.parts, draft.places, draft.message as AssistantMessage, turn, rules)
        if (reason === undefined) return
        replaceParts(draft, (part, place) => (isReasoning(part) ? leaveOut(report, place, part, reason) : part))
      },
    }
  },
}

function leaveOut(report: Report, place: number, part: ReasoningPart, reason?: string): undefined {
  report.add('reasoning-left-out', place, undefined, {
    ...(reason === undefined ? {} : { message: `Reasoning was left out: ${reason}.` }),
    before: part.text,
  })
  return undefined
}

type Objection = (parts: readonly Part[], places: readonly number[] | undefined, context: Context) => boolean

interface Context {
  readonly message: AssistantMessage
  readonly turn: Turn
  readonly rules: Rules
}

/** Reason -> whether it speaks against the reasoning of a message. */
const OBJECTIONS: { readonly [reason: string]: Objection } = {
  'it was asked for': (_parts, _places, { rules }) => rules.reasoning.mode !== 'replay',
  'it is not signed for this API': (parts, _places, { rules }) =>
    parts.some((part) => isReasoning(part) && !rules.reasoning.signed(part.extra?.[rules.api])),
  'another API, provider or model wrote it': (_parts, _places, { message, rules }) =>
    authorship(message, rules) === 'other',
  'its author or the target model is not known': (_parts, _places, { message, rules }) =>
    rules.reasoning.unknownAuthor === 'drop' && authorship(message, rules) === 'unknown',
  'what stands before it differs from what the model saw': (_parts, _places, { turn, rules }) =>
    rules.reasoning.prefixBound && turn.drifted(),
  'it does not begin its message': (parts, _places, { turn, rules }) =>
    rules.reasoning.mustLead && (turn.joins || !isReasoning(parts[0]!)),
  'nothing follows it': (parts, _places, { rules }) => rules.reasoning.mustBeFollowed && isReasoning(parts.at(-1)!),
  'the part it belongs to was changed': (parts, places, { rules }) => torn(parts, places, rules),
}

function reasonAgainst(
  parts: readonly Part[],
  places: readonly number[] | undefined,
  message: Message,
  turn: Turn,
  rules: Rules,
): string | undefined {
  if (!parts.some(isReasoning)) return undefined
  const context = { message: message as AssistantMessage, turn, rules }
  return Object.keys(OBJECTIONS).find((reason) => OBJECTIONS[reason]!(parts, places, context))
}

/** Whether a removed or moved part stood between reasoning and what it is bound to. */
function torn(parts: readonly Part[], places: readonly number[] | undefined, rules: Rules): boolean {
  const { boundTo } = rules.reasoning
  if (boundTo === 'nothing') return false
  return parts.some((part, index) => {
    const next = parts[index + 1]
    if (!isReasoning(part) || next === undefined) return false
    const apart = places !== undefined && places[index + 1] !== places[index]! + 1
    if (boundTo === 'neighbour') return apart && isReasoning(next)
    return apart || (boundTo === 'follower-id' && next.type === 'text' && !hasItemId(next, rules))
  })
}

function hasItemId(part: TextPart, rules: Rules): boolean {
  const slot = part.extra?.[rules.api] as { readonly item?: { readonly id?: unknown } } | undefined
  return typeof slot?.item?.id === 'string'
}
