import { isBlank } from '../model/blank.ts'
import type { Part, ReasoningPart, TextPart } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { authorship } from './author.ts'
import { type Report, replaceParts, type Scene, type Step } from './step.ts'

const isReasoning = (part: Part): part is ReasoningPart => part.type === 'reasoning'

/** `reasoning: 'text'`: early, so that the texts it makes are looked at as all others are. */
export const reasoningAsText: Step = {
  defect: 'reasoning that was asked for as text',
  start(rules) {
    return {
      suspects: { reasoning: () => rules.reasoning.mode === 'text' },
      mend(draft, _scene, report) {
        replaceParts(draft, (part, place) => {
          if (!isReasoning(part)) return part
          if (isBlank(part.text)) return leaveOut(report, place, part)
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
      suspects: { reasoning: (_part, scene) => reasonAgainst(scene, rules) !== undefined },
      mend(draft, scene, report) {
        const reason = reasonAgainst(scene, rules)
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

type Objection = (scene: Scene, rules: Rules) => boolean

/** Reason -> whether it speaks against the reasoning of a message. */
const OBJECTIONS: { readonly [reason: string]: Objection } = {
  'it was asked for': (_scene, { reasoning }) => reasoning.mode !== 'replay',
  'it is not signed for this API': ({ parts }, { reasoning, api }) =>
    parts.some((part) => isReasoning(part) && !reasoning.signed(part.extra?.[api])),
  'another API, provider or model wrote it': ({ message }, rules) => authorship(message, rules) === 'other',
  'its author or the target model is not known': ({ message }, rules) =>
    rules.reasoning.unknownAuthor === 'drop' && authorship(message, rules) === 'unknown',
  'what stands before it differs from what the model saw': (scene, { reasoning }) =>
    reasoning.prefixBound && scene.drifted(),
  'it does not begin its message': ({ parts, joins }, { reasoning }) =>
    reasoning.mustLead && (joins || !isReasoning(parts[0]!)),
  'nothing follows it': ({ parts }, { reasoning }) => reasoning.mustBeFollowed && isReasoning(parts.at(-1)!),
  'the part it belongs to was changed': torn,
}

function reasonAgainst(scene: Scene, rules: Rules): string | undefined {
  return Object.keys(OBJECTIONS).find((reason) => OBJECTIONS[reason]!(scene, rules))
}

/** Whether a removed or moved part stood between reasoning and what it is bound to. */
function torn({ parts, places }: Scene, rules: Rules): boolean {
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
