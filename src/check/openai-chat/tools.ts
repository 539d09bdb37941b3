import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { isSet } from '../openai/given.ts'
import type { Shape } from '../openai/shape.ts'
import { anything, boolean, list, nullable, object, record, tagged, text } from '../openai/shape.ts'
import { semantic } from '../openai/templates.ts'
import { gotten, type Walk } from '../openai/verify.ts'
import type { ChatRequest } from './request.ts'
import type { ChatRule } from './rules.ts'
import { TOOL_NAME } from './tool-calls.ts'

/** The limit of 2024; since lifted, by reports. */
const OLD_DESCRIPTION = 1024

const FUNCTION: Shape<ChatRule> = object(
  { name: TOOL_NAME },
  {
    description: text({ max: OLD_DESCRIPTION }, { long: 'tool-description-too-long' }),
    parameters: anything(),
    strict: nullable(boolean()),
  },
  { open: true, also: parametersAreObject },
)

/** A schema is an object whose type is object; an empty one stands for no parameters. */
function parametersAreObject(tool: unknown, { report, place }: Walk<ChatRule>): void {
  const parameters = valueAt(tool, 'parameters')
  if (parameters === undefined || isObjectSchema(parameters)) return
  const name = stringAt(tool, 'name') ?? ''
  const path = place.at('parameters')
  const message = `Invalid schema for function '${name}': ${schemaFault(parameters)}`
  report.raise('tool-parameters-invalid', { message, code: 'invalid_function_parameters', param: path, path })
}

function isObjectSchema(parameters: unknown): boolean {
  if (!isObject(parameters)) return false
  return valueAt(parameters, 'type') === 'object' || Object.keys(parameters).length === 0
}

/** The API prints null as `None`; the words for another type are reported from memory. */
function schemaFault(parameters: unknown): string {
  if (!isObject(parameters)) return `${parameters === null ? 'None' : gotten(parameters)} is not of type 'object'.`
  const type = stringAt(parameters, 'type') ?? 'None'
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`
}

/** The definitions; further keys of a function are the caller's. */
export const TOOLS: Shape<ChatRule> = list(
  {
    min: 1,
    max: 128,
    items: tagged({
      tag: 'type',
      rows: {
        function: object<ChatRule>({ type: text(), function: FUNCTION }, {}, { open: true }),
        custom: object<ChatRule>(
          {
            type: text(),
            custom: object({ name: TOOL_NAME }, { description: text(), format: record() }, { open: true }),
          },
          {},
          { open: true },
        ),
      },
      supported: ['function', 'custom'],
      missing: 'missing-parameter',
      invalid: 'invalid-value',
      blames: 'tag',
    }),
  },
  { empty: 'tools-empty', long: 'tools-too-many' },
)

/** Options that speak of tools, in a request that has none. */
export function toolOptions({ body, report }: ChatRequest): void {
  if (isSet(body, 'tools') || isSet(body, 'functions')) return
  if (isSet(body, 'tool_choice')) report.raise('tool-choice-without-tools', onlyWithTools('tool_choice'))
  if (isSet(body, 'parallel_tool_calls')) {
    report.raise('parallel-tool-calls-without-tools', onlyWithTools('parallel_tool_calls'))
  }
}

const onlyWithTools = (key: string) =>
  semantic(`Invalid value for '${key}': '${key}' is only allowed when 'tools' are specified.`, key, key)

/** gpt-5.4 and 5.5 refuse function tools with an effort; gpt-5.6 unless reasoning is switched off. */
export function toolsWithReasoning({ body, model, report }: ChatRequest): void {
  const effort = valueAt(body, 'reasoning_effort')
  if (model.refusesTools === undefined || effort === 'none' || !hasFunctions(body)) return
  if (model.refusesTools === 'effort' && (effort === undefined || effort === null)) return
  const name = stringAt(body, 'model') ?? ''
  const way =
    model.refusesTools === 'effort'
      ? 'Please use /v1/responses instead.'
      : "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
  const message = `Function tools with reasoning_effort are not supported for ${name} in /v1/chat/completions. ${way}`
  report.raise('function-tools-with-reasoning', semantic(message, 'reasoning_effort', 'reasoning_effort'))
}

function hasFunctions(body: unknown): boolean {
  const tools = valueAt(body, 'tools')
  return Array.isArray(tools) && tools.some((tool) => valueAt(tool, 'type') === 'function')
}
