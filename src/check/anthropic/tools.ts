import { type Fields, isObject } from '../../model/json.ts'
import { CACHE_CONTROL } from './cache-control.ts'
import { jsonSchemaFault } from './json-schema.ts'
import type { Area, Rule, RuleId, Run } from './run.ts'
import * as shapes from './shape.ts'
import * as words from './words.ts'

const NAME: RuleId = 'anthropic/tool-def-name'
const SCHEMA: RuleId = 'anthropic/tool-schema-type'
const EXTRA: RuleId = 'anthropic/tool-def-extra'

const AREA: Area = {
  required: 'anthropic/tool-def-field',
  string: 'anthropic/tool-def-field',
  type: 'anthropic/tool-def-field',
  extra: EXTRA,
}

const LIVE_NAME = /^[a-zA-Z0-9_-]{1,128}$/
/** The documented pattern, and that of older deployments. */
const STRICT_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const name: shapes.Check = (value, run) => {
  if (typeof value !== 'string') return run.fault(NAME, words.NOT_STRING)
  if (LIVE_NAME.test(value)) {
    if (run.strict && !STRICT_NAME.test(value)) run.fault(NAME, words.notMatching(STRICT_NAME))
  } else if (value.length > 128) run.fault(NAME, words.tooLong(128))
  else run.fault(NAME, words.notMatching(LIVE_NAME))
}

const INVALID_SCHEMA =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.'

const inputSchema: shapes.Check = (value, run) => {
  if (!isObject(value)) return run.fault(SCHEMA, 'Input does not match the expected shape.')
  if (value.type === undefined) run.faultAt('type', SCHEMA, words.REQUIRED)
  else if (value.type !== 'object') run.faultAt('type', SCHEMA, words.notOneOf(['object']))
  else if (jsonSchemaFault(value)) run.fault(SCHEMA, INVALID_SCHEMA)
}

/** Keys that came late, and that Bedrock and Vertex refuse. */
const LATE = { bedrock: EXTRA, vertex: EXTRA } as const

const CUSTOM = shapes.shape({
  input_schema: { check: inputSchema, required: SCHEMA },
  name: { check: name, required: NAME },
  allowed_callers: { check: shapes.listOf(shapes.string), unknownOn: LATE },
  cache_control: CACHE_CONTROL,
  defer_loading: { check: shapes.boolean(), unknownOn: LATE },
  description: { check: shapes.string },
  eager_input_streaming: { check: shapes.boolean(), nullable: true, unknownOn: LATE },
  input_examples: { check: shapes.listOf(shapes.object()), unknownOn: LATE },
  strict: { check: shapes.boolean(), unknownOn: LATE },
})

/** The API's own tools; their further keys are not looked at. */
const TYPES: readonly string[] = [
  'bash_20250124',
  'browser_toolset_20260801',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_toolset_20260801',
  'custom',
  'memory_20250818',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex_20251119',
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
  'web_search_20250305',
  'web_search_20260209',
  'web_search_20260318',
]

/** A tool of the API's own: a dated type that may be newer than this table, or the toolset of a server. */
const OWN_TYPE = /^(?:mcp_toolset|[a-z_0-9]{1,60}_20\d{6})$/
const UNDATED = new Set(['tool_search_tool_bm25', 'tool_search_tool_regex'])

/** What Bedrock and Vertex do not run. */
const MISSING = {
  anthropic: /^$/,
  bedrock: /^(?:code_execution|web_|mcp_|advisor|browser_toolset|computer_toolset)/,
  vertex: /^(?:code_execution|web_fetch|mcp_|advisor|browser_toolset|computer_toolset)/,
}

const checkTool: shapes.Check = (tool, run) => {
  if (!isObject(tool)) return run.fault(AREA.type, words.NOT_OBJECT)
  const type = tool.type ?? 'custom'
  if (type === 'custom') return checkTyped('custom', tool, CUSTOM, run)
  const known = typeof type === 'string' && (TYPES.includes(type) || OWN_TYPE.test(type) || UNDATED.has(type))
  if (!known) return run.fault('anthropic/tool-type-unknown', words.unexpectedTag(type, TYPES))
  const missing = MISSING[run.platform]
  if (run.platform !== 'anthropic' && missing.test(type)) {
    const tags = TYPES.filter((each) => !missing.test(each))
    return run.fault(`anthropic/${run.platform}-unsupported`, words.unexpectedTag(type, tags))
  }
  run.path.enter(type)
  const marker = tool.cache_control
  if (isObject(marker)) {
    run.path.enter('cache_control')
    CACHE_CONTROL.check(marker, run)
    run.path.leave()
  }
  run.path.leave()
}

function checkTyped(type: string, tool: Fields, found: shapes.Shape, run: Run): void {
  run.path.enter(type)
  shapes.checkShape(tool, found, run)
  run.path.leave()
}

/** The definitions, one by one. */
export function checkTools(tools: readonly unknown[], run: Run): void {
  const before = run.area
  run.area = AREA
  shapes.eachOf(tools, checkTool, run)
  run.area = before
}

export const TOOL_IDS: readonly RuleId[] = [NAME, SCHEMA, EXTRA, AREA.required, 'anthropic/tool-type-unknown']

/** The definitions that are objects. */
export function definitions(run: Run): readonly Fields[] {
  const tools = run.body.tools
  return Array.isArray(tools) ? tools.filter(isObject) : []
}

/** Undefined where toolsets bring names that do not stand in the request. */
export function toolNames(run: Run): ReadonlySet<unknown> | undefined {
  const names = new Set<unknown>()
  for (const tool of definitions(run)) {
    if (typeof tool.name !== 'string') return undefined
    names.add(tool.name)
  }
  return names
}

const namesUnique: Rule = {
  ids: ['anthropic/tool-names-unique'],
  check: (run) => {
    const seen = new Set<unknown>()
    for (const [index, tool] of definitions(run).entries()) {
      const found = tool.name
      if (typeof found !== 'string') continue
      if (seen.has(found)) {
        run.report('anthropic/tool-names-unique', 'tools: Tool names must be unique.', `tools.${index}`)
      }
      seen.add(found)
    }
  },
}

const notAllDeferred: Rule = {
  ids: ['anthropic/all-tools-deferred'],
  check: (run) => {
    const tools = definitions(run)
    if (tools.length === 0 || !tools.every((tool) => tool.defer_loading === true)) return
    const message = 'At least one tool must have defer_loading=false. All tools cannot be deferred.'
    run.report('anthropic/all-tools-deferred', message, 'tools')
  },
}

/** Refused in 2024, and on Bedrock to this day; the first-party API is reported to take a history without tools now. */
const defined: Rule = {
  ids: ['anthropic/tools-must-be-defined'],
  check: (run) => {
    if (!run.strict && run.platform !== 'bedrock') return
    if (definitions(run).length > 0) return
    const item = run.survey.items.find((each) =>
      each.blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
    )
    if (item === undefined) return
    const message = 'Requests which include `tool_use` or `tool_result` blocks must define tools.'
    run.report('anthropic/tools-must-be-defined', message, 'tools')
  },
}

/** What holds between definitions. */
export const TOOL_RULES: readonly Rule[] = [namesUnique, notAllDeferred]
/** What holds between definitions and the history. */
export const TOOLS_DEFINED: readonly Rule[] = [defined]
