import type { Rule, Run } from './run.ts'
import { resumesServerCall } from './server-tools.ts'
import { type Block, type Item, placeOf, type Turn } from './survey.ts'
import { isThinking, THINKING_DOCS, thinkingType } from './thinking-config.ts'

const isThought = (type: string | undefined): boolean => type === 'thinking' || type === 'redacted_thinking'

const holdsResult = (turn: Turn): boolean =>
  turn.items.some((item) => item.blocks.some(({ type }) => type === 'tool_result'))

/**
 * Where the final assistant turn begins: the first assistant turn behind the last user turn that holds no result. Turns
 * of calls and results behind it belong to it, and need no thinking of their own: without interleaved thinking a model
 * thinks once, in front of its first call.
 */
function finalTurn(turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1)
  if (last === undefined || (last.role === 'user' && !holdsResult(last))) return undefined
  const prompt = turns.findLastIndex((turn) => turn.role === 'user' && !holdsResult(turn))
  return turns.slice(prompt + 1).find((turn) => turn.role === 'assistant')
}

/** What a turn begins with: a string content is one text block. */
function beginning(turn: Turn): { readonly message: number; readonly type: string } | undefined {
  for (const item of turn.items) {
    const type = item.text ? 'text' : item.blocks[0]?.type
    if (type !== undefined) return { message: item.index, type }
  }
  return undefined
}

const manualFinalTurn: Rule = {
  ids: ['anthropic/thinking-manual-final-turn'],
  check: (run) => {
    if (thinkingType(run) !== 'enabled') return
    const turn = finalTurn(run.survey.turns)
    const first = turn === undefined ? undefined : beginning(turn)
    if (first === undefined || isThought(first.type)) return
    const path = `messages.${first.message}.content.0.type`
    const message = `${path}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at ${THINKING_DOCS}`
    run.report('anthropic/thinking-manual-final-turn', message, path)
  },
}

/** An API of 2025; models that think between their calls begin with text. */
const thinkingFirst: Rule = {
  ids: ['anthropic/thinking-first-block-legacy'],
  level: 'strict',
  check: (run) => {
    for (const item of run.survey.items) {
      const first = item.role === 'assistant' ? item.blocks[0] : undefined
      if (first === undefined || isThought(first.type) || !item.blocks.some(({ type }) => isThought(type))) continue
      const path = `messages.${item.index}.content.0`
      const message = `${path}: If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${first.type}\`.`
      run.report('anthropic/thinking-first-block-legacy', message, path)
    }
  },
}

const finalBlock: Rule = {
  ids: ['anthropic/final-block-thinking', 'anthropic/copilot-strict'],
  check: (run) => {
    const last = run.survey.items.findLast((item) => item.role === 'assistant')
    for (const item of run.survey.items) {
      if (item.role === 'assistant' && (item === last || run.strict)) checkEnd(item, item === last, run)
    }
  },
}

/** Today only the last assistant message is looked at; proxies and some routes of Bedrock look at each. */
function checkEnd(item: Item, isLast: boolean, run: Run): void {
  const type = item.blocks.at(-1)?.type
  if (type === undefined || !isThought(type)) return
  const path = `messages.${item.index}`
  const rule = isLast ? 'anthropic/final-block-thinking' : 'anthropic/copilot-strict'
  run.report(rule, `${path}: The final block in an assistant message cannot be \`${type}\`.`, path)
}

/** Asked of models that may end with an assistant message at all. */
const disabledFinal: Rule = {
  ids: ['anthropic/thinking-disabled-final-assistant'],
  check: (run) => {
    const last = run.survey.items.at(-1)
    if (!run.model.prefill || last?.role !== 'assistant' || isThinking(run) || resumesServerCall(run)) return
    if (!last.blocks.some(({ type }) => isThought(type))) return
    const message =
      'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'
    run.report('anthropic/thinking-disabled-final-assistant', message, `messages.${last.index}`)
  },
}

/** Only the API can verify a signature, but an empty one is none: an interrupted stream leaves it behind. */
const signatures: Rule = {
  ids: ['anthropic/thinking-signature-invalid', 'anthropic/redacted-data-invalid'],
  check: (run) => {
    for (const item of run.survey.items) {
      if (item.role !== 'assistant') continue
      for (const block of item.blocks) checkSignature(block, run)
    }
  },
}

function checkSignature(block: Block, run: Run): void {
  if (block.type === 'thinking' && block.value.signature === '') {
    const path = placeOf(block)
    const message = `${path}: Invalid \`signature\` in \`thinking\` block`
    run.report('anthropic/thinking-signature-invalid', message, path)
  }
  if (block.type === 'redacted_thinking' && block.value.data === '') {
    const path = placeOf(block)
    const message = `${path}: Invalid \`data\` in \`redacted_thinking\` block`
    run.report('anthropic/redacted-data-invalid', message, path)
  }
}

export const THINKING_LAYOUT: readonly Rule[] = [thinkingFirst, manualFinalTurn, disabledFinal, finalBlock]
export const SIGNATURES: readonly Rule[] = [signatures]
