import { isBlank } from '../model/blank.ts'
import type { OutputPart, Part, TextPart, ToolCallEntry, ToolCallState } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { mapOutput, outputOf } from './output.ts'
import { type Draft, type Report, replaceParts, type Step } from './step.ts'

/** Empty and blank texts, in messages and in the lists of tool results. */
export const blankText: Step = {
  defect: 'empty and blank texts',
  start(rules) {
    if (rules.blankText === 'keep') return { suspects: {}, mend() {} }
    return {
      suspects: {
        text: (part) => isBlank(part.text),
        'listed-output': rules.blankText === 'drop' ? (part) => hasBlankOutput(part.state) : undefined,
      },
      mend(draft, _scene, report) {
        if (rules.blankText === 'drop') dropInOutputs(draft, report)
        // Among instructions no blank text is taken; and reasoning may yet be left out.
        const others = draft.message.role !== 'instruction' && draft.parts.some(says)
        replaceParts(draft, (part, place) => {
          if (part.type !== 'text' || !refused(part, rules, others)) return part
          report.add('text-empty', place, undefined, { before: JSON.stringify(part.text.slice(0, 100)) })
          return undefined
        })
      },
    }
  },
}

function says(part: Part): boolean {
  return part.type === 'text' ? !isBlank(part.text) : part.type !== 'reasoning'
}

function refused(part: TextPart, rules: Rules, others: boolean): boolean {
  return isBlank(part.text) && (rules.blankText === 'drop' || part.text === '' || !others)
}

const blankOutput = (part: OutputPart): boolean => part.type === 'text' && isBlank(part.text)

function hasBlankOutput(state: ToolCallState): boolean {
  const output = outputOf(state)
  return typeof output === 'object' && output.some(blankOutput)
}

function dropInOutputs(draft: Draft, report: Report): void {
  replaceParts(draft, (part, place) => {
    if (part.type !== 'tool-call' || !hasBlankOutput(part.state)) return part
    report.add('text-empty', place, part.id, { message: 'An empty text in a tool result was left out.' })
    return {
      ...part,
      state: mapOutput(part.state, (one) => (blankOutput(one) ? undefined : one)),
    } satisfies ToolCallEntry
  })
}
