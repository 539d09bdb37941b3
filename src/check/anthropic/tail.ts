import type { Rule, Run } from './run.ts'
import { resumesServerCall } from './server-tools.ts'
import type { Item } from './survey.ts'
import { isThinking } from './thinking-config.ts'

/** The last message, when it is an assistant's that the model would go on with. */
function prefillOf(run: Run): Item | undefined {
  const last = run.survey.items.at(-1)
  if (last?.role !== 'assistant' || resumesServerCall(run)) return undefined
  return run.body.fallback_credit_token === undefined ? last : undefined
}

/** Models from 4.6 on, and older ones while they think, do not go on with an assistant message. */
const prefill: Rule = {
  ids: ['anthropic/prefill-unsupported'],
  check: (run) => {
    const last = prefillOf(run)
    if (last === undefined || (run.model.prefill && !isThinking(run))) return
    const message =
      'This model does not support assistant message prefill. The conversation must end with a user message.'
    run.report('anthropic/prefill-unsupported', message, `messages.${last.index}`)
  },
}

function lastText(item: Item): string | undefined {
  if (item.text !== undefined) return item.text
  const block = item.blocks.at(-1)
  const text = block?.type === 'text' ? block.value.text : undefined
  return typeof text === 'string' ? text : undefined
}

const trailingWhitespace: Rule = {
  ids: ['anthropic/final-assistant-trailing-whitespace'],
  check: (run) => {
    const last = run.model.prefill ? prefillOf(run) : undefined
    const text = last === undefined ? undefined : lastText(last)
    if (last === undefined || text === undefined || !/\s/.test(text.slice(-1))) return
    const message = 'messages: final assistant content cannot end with trailing whitespace'
    run.report('anthropic/final-assistant-trailing-whitespace', message, `messages.${last.index}`)
  },
}

/** How a conversation may end. */
export const TAIL: readonly Rule[] = [prefill, trailingWhitespace]
