import { isObject } from '../../model/json.ts'
import { thinksByDefault } from './models.ts'
import type { Rule, RuleId, Run } from './run.ts'
import * as shapes from './shape.ts'
import * as words from './words.ts'

const BUDGET: RuleId = 'anthropic/thinking-budget'
const BUDGET_MIN = 1024
const DOCS = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking'

const budget: shapes.Check = (value, run) => {
  if (!Number.isInteger(value)) run.fault(BUDGET, words.NOT_INTEGER)
  else if (Number(value) < BUDGET_MIN) run.fault(BUDGET, `Input should be greater than or equal to ${BUDGET_MIN}`)
}

const DISPLAY: shapes.Field = { check: shapes.string, nullable: true }

/** Needs a beta; where betas are not known it is taken as sent. */
const BINDING: shapes.Field = {
  check: (_value, run) => {
    if (!run.hasBeta('thinking-binding-controls')) run.fault('anthropic/block-binding-beta', words.EXTRA)
  },
}

const CONFIGS = {
  adaptive: shapes.shape({ display: DISPLAY, block_binding: BINDING }),
  between_tools: shapes.shape({}),
  disabled: shapes.shape({}),
  enabled: shapes.shape({ budget_tokens: { check: budget, required: BUDGET }, display: DISPLAY }),
}

export const THINKING_IDS: readonly RuleId[] = ['anthropic/block-binding-beta', BUDGET]

export const thinkingConfig: shapes.Check = shapes.unionOf(CONFIGS, 'anthropic/top-level-type')

/** The `thinking.type` of a request, where it stands. */
export function thinkingType(run: Run): unknown {
  const thinking = run.body.thinking
  return isObject(thinking) ? thinking.type : undefined
}

export function isThinking(run: Run): boolean {
  const type = thinkingType(run)
  return type === 'enabled' || type === 'adaptive'
}

const NOT_SUPPORTED = {
  enabled:
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  adaptive: 'adaptive thinking is not supported on this model',
  disabled:
    '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.',
} as const

function typeGate(type: keyof typeof NOT_SUPPORTED): Rule {
  const id: RuleId = `anthropic/thinking-type-${type}`
  return {
    ids: [id],
    check: (run) => {
      if (thinkingType(run) !== type || !run.model.thinkingRefused.includes(type)) return
      run.report(id, NOT_SUPPORTED[type], 'thinking')
    },
  }
}

function effortOf(run: Run): string | undefined {
  const config = run.body.output_config
  const effort = isObject(config) ? config.effort : undefined
  return typeof effort === 'string' ? effort : undefined
}

const effortWithoutThinking: Rule = {
  ids: ['anthropic/thinking-type-disabled'],
  check: (run) => {
    const effort = effortOf(run)
    if (effort === undefined || thinkingType(run) !== 'disabled') return
    if (!run.model.effortNeedsThinking?.includes(effort)) return
    const message = `output_config.effort '${effort}' is not supported when thinking is disabled on this model.`
    run.report('anthropic/thinking-type-disabled', message, 'output_config.effort')
  },
}

/** The API lists the levels by name. */
const effortLevel: Rule = {
  ids: ['anthropic/effort-level'],
  check: (run) => {
    const effort = effortOf(run)
    const levels = run.model.efforts
    if (effort === undefined || levels === undefined || levels.includes(effort)) return
    const supported = [...levels].sort().join(', ')
    const message = `This model does not support effort level '${effort}'. Supported levels: ${supported}.`
    run.report('anthropic/effort-level', message, 'output_config.effort')
  },
}

const budgetBelowMaxTokens: Rule = {
  ids: [BUDGET],
  check: (run) => {
    const thinking = run.body.thinking
    if (!isObject(thinking) || thinking.type !== 'enabled') return
    const { budget_tokens: tokens } = thinking
    const most = run.body.max_tokens
    if (typeof tokens !== 'number' || typeof most !== 'number' || most > tokens) return
    const message = `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${DOCS}#max-tokens-and-context-window-size`
    run.report(BUDGET, message, 'max_tokens')
  },
}

const clearThinking: Rule = {
  ids: ['anthropic/clear-thinking-requires-thinking'],
  check: (run) => {
    const management = run.body.context_management
    const edits = isObject(management) ? management.edits : undefined
    if (!Array.isArray(edits) || isThinking(run) || mayThinkAnyway(run)) return
    if (!edits.some((edit) => isObject(edit) && edit.type === 'clear_thinking_20251015')) return
    const message = '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive'
    run.report('anthropic/clear-thinking-requires-thinking', message, 'context_management')
  },
}

/** Models that always think need no `thinking` in the request. */
function mayThinkAnyway(run: Run): boolean {
  const type = thinkingType(run)
  return type === 'between_tools' || (type === undefined && thinksByDefault(run.model))
}

/** How thinking and effort are set, against the model. */
export const THINKING_GATES: readonly Rule[] = [
  typeGate('enabled'),
  typeGate('adaptive'),
  typeGate('disabled'),
  effortWithoutThinking,
  effortLevel,
  budgetBelowMaxTokens,
  clearThinking,
]

export { DOCS as THINKING_DOCS }
