import type { Rule, RuleId, Run } from './run.ts'
import { isDirective } from './schema-messages.ts'
import { SERVER_RESULTS } from './schema-server.ts'
import { type Block, type Item, placeOf } from './survey.ts'

const DIRECTIVE = 'the directive-only form (content: [] with output_config) is accepted at any position'

/** A system message that only sets options may stand anywhere, and so parts nothing. */
const isBareDirective = (item: Item): boolean => isDirective(item.message) && item.blocks.length === 0 && !item.text

const unsupported: Rule = {
  ids: ['anthropic/system-role-unsupported'],
  check: (run) => {
    const { systemRole } = run.model
    if (systemRole === true || (systemRole === 'contested' && !run.strict)) return
    for (const item of run.survey.items) {
      if (item.role !== 'system') continue
      const message = "role 'system' is not supported on this model"
      run.report('anthropic/system-role-unsupported', message, `messages.${item.index}`)
    }
  },
}

const misplaced: Rule = {
  ids: [
    'anthropic/system-empty',
    'anthropic/system-block-kinds',
    'anthropic/system-first',
    'anthropic/system-must-follow',
    'anthropic/system-between-tool-use-and-result',
    'anthropic/system-must-precede',
    'anthropic/system-whitespace',
  ],
  check: (run) => {
    if (!run.survey.items.some(({ role }) => role === 'system')) return
    const items = run.survey.items.filter((item) => !(item.role === 'system' && isBareDirective(item)))
    for (const [at, item] of items.entries()) {
      if (item.role !== 'system') continue
      checkContent(item, run)
      checkPosition(items, at, run)
      checkBlank(item, run)
    }
  },
}

function tell(rule: RuleId, item: Item, words: string, run: Run): void {
  run.report(rule, `messages.${item.index}: ${words}`, `messages.${item.index}`)
}

const KINDS = new Set(['text', 'tool_addition', 'tool_removal'])

function checkContent(item: Item, run: Run): void {
  if (item.empty) tell('anthropic/system-empty', item, 'system content must contain at least one block', run)
  if (item.blocks.every(({ type }) => KINDS.has(type))) return
  const words = "role 'system' supports text, tool_addition, and tool_removal blocks only"
  tell('anthropic/system-block-kinds', item, words, run)
}

/** Adjacent system messages are one group: what must stand in front is told at its first, what behind at its last. */
function checkPosition(items: readonly Item[], at: number, run: Run): void {
  const item = items[at]
  const before = items[at - 1]
  const after = items[at + 1]
  if (item === undefined) return
  if (before === undefined && item.index === 0) {
    const words = `use the top-level 'system' parameter for the initial system prompt; ${DIRECTIVE}`
    tell('anthropic/system-first', item, words, run)
  } else if (before?.role === 'assistant' && !endsInServerResult(before)) {
    const rule = cutsPair(before, after)
      ? 'anthropic/system-between-tool-use-and-result'
      : 'anthropic/system-must-follow'
    const words = `role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${DIRECTIVE}`
    tell(rule, item, words, run)
  }
  if (after?.role === 'user') {
    const words = `role 'system' must precede an 'assistant' message or end the array; ${DIRECTIVE}`
    tell('anthropic/system-must-precede', item, words, run)
  }
}

const has = (item: Item | undefined, type: string): boolean =>
  item?.blocks.some((block) => block.type === type) === true

const cutsPair = (before: Item, after: Item | undefined): boolean =>
  has(before, 'tool_use') && after?.role === 'user' && has(after, 'tool_result')

function endsInServerResult(item: Item): boolean {
  const last = item.blocks.at(-1)
  return last !== undefined && (Object.hasOwn(SERVER_RESULTS, last.type) || last.type === 'mcp_tool_result')
}

/** Two wordings were recorded: one for no text at all, one for blanks. */
function checkBlank(item: Item, run: Run): void {
  for (const block of item.blocks) checkBlankBlock(block, item, run)
  if (item.text && !/\S/.test(item.text)) {
    tell('anthropic/system-whitespace', item, 'system text blocks must contain non-whitespace text', run)
  }
}

function checkBlankBlock(block: Block, item: Item, run: Run): void {
  const text = block.type === 'text' ? block.value.text : undefined
  if (typeof text !== 'string' || /\S/.test(text)) return
  if (text === '') {
    run.report('anthropic/system-whitespace', 'messages: text content blocks must be non-empty', placeOf(block))
  } else tell('anthropic/system-whitespace', item, 'system text blocks must contain non-whitespace text', run)
}

/** First of the conversation phase, as measured. */
export const SYSTEM_ROLE: readonly Rule[] = [unsupported, misplaced]
