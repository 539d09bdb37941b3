import { isNoModel } from './models.ts'
import type { Rule } from './run.ts'
import { SAMPLING_GATES } from './sampling.ts'
import { THINKING_GATES } from './thinking-config.ts'
import { TOOL_CHOICE_GATES } from './tool-choice.ts'

const unknownModel: Rule = {
  ids: ['anthropic/model-unknown'],
  check: (run) => {
    const model = run.body.model
    if (typeof model !== 'string' || run.platform !== 'anthropic' || !isNoModel(model)) return
    run.report('anthropic/model-unknown', `model: ${model}`, 'model', { status: 404, type: 'not_found_error' })
  },
}

const outputCap: Rule = {
  ids: ['anthropic/max-tokens'],
  check: (run) => {
    const { max_tokens: tokens, model } = run.body
    const cap = run.model.maxTokens
    if (typeof tokens !== 'number' || cap === undefined || tokens <= cap) return
    const message = `max_tokens: ${tokens} > ${cap}, which is the maximum allowed number of output tokens for ${model}`
    run.report('anthropic/max-tokens', message, 'max_tokens')
  },
}

const CODE_TOOLS = /^(?:code_execution_|web_(?:search|fetch)_2026)/

/** The newer web tools bring code execution with them. */
const containerWithoutTool: Rule = {
  ids: ['anthropic/container-without-tool'],
  check: (run) => {
    const { container, tools } = run.body
    if (container === undefined || container === null || run.platform !== 'anthropic') return
    const types = Array.isArray(tools) ? tools.map((tool: unknown) => String(Object(tool).type)) : []
    if (types.some((type) => CODE_TOOLS.test(type))) return
    const message = 'container: Container identifier can only be provided when using the code execution tool'
    run.report('anthropic/container-without-tool', message, 'container')
  },
}

/** What the chosen model takes, after the schema and before the conversation. */
export const MODEL_GATES: readonly Rule[] = [
  unknownModel,
  ...TOOL_CHOICE_GATES,
  ...THINKING_GATES,
  ...SAMPLING_GATES,
  outputCap,
]

/** The container is looked at when the conversation has passed. */
export const CONTAINER_RULES: readonly Rule[] = [containerWithoutTool]
