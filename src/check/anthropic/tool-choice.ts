import { isObject } from '../../model/json.ts'
import type { Rule, RuleId, Run } from './run.ts'
import * as shapes from './shape.ts'
import { definitions, toolNames } from './tools.ts'

export const TOOL_CHOICE_SCHEMA: RuleId = 'anthropic/tool-choice-schema'

const PARALLEL: shapes.Field = { check: shapes.boolean(TOOL_CHOICE_SCHEMA) }

const CHOICES = {
  auto: shapes.shape({ disable_parallel_tool_use: PARALLEL }),
  any: shapes.shape({ disable_parallel_tool_use: PARALLEL }),
  tool: shapes.shape({
    name: { check: shapes.stringWith(TOOL_CHOICE_SCHEMA), required: TOOL_CHOICE_SCHEMA },
    disable_parallel_tool_use: PARALLEL,
  }),
  none: shapes.shape({}),
}

export const toolChoice: shapes.Check = shapes.unionOf(CHOICES, TOOL_CHOICE_SCHEMA, Object.keys(CHOICES))

const choiceOf = (run: Run) => {
  const choice = run.body.tool_choice
  return isObject(choice) ? choice : undefined
}

const isForced = (type: unknown): boolean => type === 'any' || type === 'tool'

const forcedUnsupported: Rule = {
  ids: ['anthropic/tool-choice-forced-unsupported'],
  check: (run) => {
    if (run.model.forcedToolChoice || !isForced(choiceOf(run)?.type)) return
    const message = 'tool_choice: type "tool" and "any" are not supported for this model.'
    run.report('anthropic/tool-choice-forced-unsupported', message, 'tool_choice')
  },
}

const forcedThinking: Rule = {
  ids: ['anthropic/tool-choice-forced-thinking'],
  check: (run) => {
    const thinking = run.body.thinking
    if (!isObject(thinking) || thinking.type !== 'enabled' || !isForced(choiceOf(run)?.type)) return
    const message = 'Thinking may not be enabled when tool_choice forces tool use.'
    run.report('anthropic/tool-choice-forced-thinking', message, 'tool_choice')
  },
}

/** Without tools, `auto` and `none` are fine today; older deployments refused them, too. */
const withoutTools: Rule = {
  ids: ['anthropic/tool-choice-without-tools'],
  check: (run) => {
    const choice = choiceOf(run)
    const message = choice === undefined ? undefined : unmetChoice(choice.type, choice.name, run)
    if (message !== undefined) run.report('anthropic/tool-choice-without-tools', message, 'tool_choice')
  },
}

function unmetChoice(type: unknown, name: unknown, run: Run): string | undefined {
  const none = definitions(run).length === 0
  if (type === 'any') return none ? 'tool_choice.any may only be specified while providing tools' : undefined
  if (type === 'tool' && typeof name === 'string') {
    const names = toolNames(run)
    return names === undefined || names.has(name) ? undefined : `Tool '${name}' not found in provided tools`
  }
  const refused = none && run.strict && (type === 'auto' || type === 'none')
  return refused ? 'tool_choice may only be specified while providing tools' : undefined
}

export const TOOL_CHOICE_GATES: readonly Rule[] = [forcedUnsupported, forcedThinking, withoutTools]
