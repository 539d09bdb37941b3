import { isObject } from '../../model/json.ts'
import { automaticCacheControl } from './cache-control.ts'
import type { Area, Rule, RuleId, Run } from './run.ts'
import { messagesSchema } from './schema-messages.ts'
import { systemPrompt } from './schema-system.ts'
import * as shapes from './shape.ts'
import { THINKING_IDS, thinkingConfig } from './thinking-config.ts'
import { TOOL_CHOICE_SCHEMA, toolChoice } from './tool-choice.ts'
import { checkTools, TOOL_IDS } from './tools.ts'
import * as words from './words.ts'

const TYPE: RuleId = 'anthropic/top-level-type'
const NULL: RuleId = 'anthropic/null-is-not-omission'

const AREA: Area = { required: TYPE, string: TYPE, type: TYPE, extra: 'anthropic/top-level-extra-keys' }

interface Parameter {
  readonly key: string
  readonly ids: readonly RuleId[]
  /** `null` counts as left out. */
  readonly nullable?: true
  /** What null is told to be. */
  readonly words: string
  readonly is: (value: unknown) => boolean
  /** The rule to name for another type. */
  readonly wrong?: RuleId
  readonly check?: shapes.Check
}

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isString = (value: unknown): boolean => typeof value === 'string'

/** One parameter as a rule. An absent one has nothing to say; those that must be there have rules of their own. */
function parameter(row: Parameter): Rule {
  return { ids: [...row.ids, TYPE, NULL], check: (run) => checkParameter(row, run) }
}

function checkParameter(row: Parameter, run: Run): void {
  const value = run.body[row.key]
  if (value === undefined || (value === null && row.nullable)) return
  const before = run.area
  run.area = AREA
  run.path.enter(row.key)
  if (value === null) run.fault(NULL, row.words)
  else if (!row.is(value)) run.fault(row.wrong ?? TYPE, row.words)
  else row.check?.(value, run)
  run.path.leave()
  run.area = before
}

const model: Rule = {
  ids: ['anthropic/model-required'],
  check: (run) => {
    const value = run.body.model
    const rule = 'anthropic/model-required'
    if (value === undefined) {
      // The clients of Bedrock and Vertex move the model into the URL.
      if (run.platform === 'anthropic') run.report(rule, `model: ${words.REQUIRED}`, 'model')
    } else if (typeof value !== 'string') run.report(rule, `model: ${words.NOT_STRING}`, 'model')
    else if (value === '') run.report(rule, `model: ${words.tooShort(1)}`, 'model')
  },
}

const maxTokens: Rule = {
  ids: ['anthropic/max-tokens'],
  check: (run) => {
    const words = maxTokensWords(run.body.max_tokens)
    if (words !== undefined) run.report('anthropic/max-tokens', `max_tokens: ${words}`, 'max_tokens')
  },
}

function maxTokensWords(value: unknown): string | undefined {
  if (value === undefined) return words.REQUIRED
  if (!Number.isInteger(value)) return words.NOT_INTEGER
  return Number(value) < 0 ? 'must be greater than or equal to 0' : undefined
}

const temperature: shapes.Check = (value, run) => {
  const number = Number(value)
  if (number < 0 || number > 1) run.fault('anthropic/temperature-range', 'range: 0..1')
}

const METADATA = shapes.shape({ user_id: { check: shapes.string, nullable: true } })

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']
const FORMAT = shapes.unionOf(
  { json_schema: shapes.shape({ schema: { check: shapes.object(), required: true } }) },
  TYPE,
)
const OUTPUT_CONFIG = shapes.shape({
  effort: { check: shapes.oneOf(EFFORTS), nullable: true },
  format: { check: FORMAT, nullable: true },
  task_budget: { check: shapes.object(), nullable: true },
})

const isContainer = (value: unknown): boolean => isString(value) || isObject(value)
const TIERS = ['auto', 'standard_only']

const GA_KEYS = new Set([
  'model',
  'messages',
  'max_tokens',
  'cache_control',
  'container',
  'diagnostics',
  'inference_geo',
  'metadata',
  'output_config',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
  // The client moves these two into headers.
  'user_profile_id',
  'workspace_id',
])

/** Keys that need a beta, by a part of its name. */
const BETA_KEYS = new Map([
  ['context_management', 'context-management'],
  ['mcp_servers', 'mcp-client'],
  ['compaction', 'compact-'],
  ['thread', 'thread'],
  ['fallbacks', 'fallback'],
  ['fallback_credit_token', 'fallback'],
  ['billing_policy', 'billing'],
  ['output_format', 'structured-outputs'],
])

const PLATFORM_KEYS = {
  anthropic: new Set<string>(),
  bedrock: new Set(['anthropic_version', 'anthropic_beta']),
  vertex: new Set(['anthropic_version', 'anthropic_beta']),
}

/** What a platform lacks; with the version in the body it is the form behind the client, where Vertex takes no model. */
const MISSING_KEYS = {
  anthropic: new Set<string>(),
  bedrock: new Set(['container', 'mcp_servers', 'fallbacks', 'fallback_credit_token']),
  vertex: new Set(['container', 'mcp_servers', 'fallbacks', 'fallback_credit_token']),
}

function unknownKey(key: string, run: Run): RuleId | undefined {
  if (run.platform === 'bedrock' && key === 'cache_control') return 'anthropic/cache-toplevel-bedrock'
  if (run.platform !== 'anthropic') {
    const wired = run.platform === 'vertex' && key === 'model' && run.body.anthropic_version !== undefined
    if (wired || MISSING_KEYS[run.platform].has(key)) return `anthropic/${run.platform}-unsupported`
  }
  if (GA_KEYS.has(key) || PLATFORM_KEYS[run.platform].has(key)) return undefined
  const beta = BETA_KEYS.get(key)
  return beta !== undefined && run.hasBeta(beta) ? undefined : 'anthropic/top-level-extra-keys'
}

const extraKeys: Rule = {
  ids: [
    'anthropic/top-level-extra-keys',
    'anthropic/cache-toplevel-bedrock',
    'anthropic/bedrock-unsupported',
    'anthropic/vertex-unsupported',
  ],
  check: (run) => {
    for (const key in run.body) {
      const rule = run.body[key] === undefined ? undefined : unknownKey(key, run)
      if (rule !== undefined) run.report(rule, `${key}: ${words.EXTRA}`, key)
    }
  },
}

/** A body of Bedrock or Vertex without model is the form behind the client, and must name the version. */
const version: Rule = {
  ids: ['anthropic/version-header'],
  check: (run) => {
    if (run.platform === 'anthropic') return
    if (run.body.model !== undefined || run.body.anthropic_version !== undefined) return
    run.report('anthropic/version-header', `anthropic_version: ${words.REQUIRED}`, 'anthropic_version')
  },
}

/** The parameters in the order in which the API was measured to look at them. */
export const SCHEMA: readonly Rule[] = [
  version,
  model,
  parameter({
    key: 'tool_choice',
    ids: [TOOL_CHOICE_SCHEMA],
    words: words.NOT_OBJECT,
    is: isObject,
    wrong: TOOL_CHOICE_SCHEMA,
    check: (value, run) => {
      run.area = { required: TOOL_CHOICE_SCHEMA, string: TYPE, type: TYPE, extra: AREA.extra }
      toolChoice(value, run)
    },
  }),
  parameter({
    key: 'tools',
    ids: TOOL_IDS,
    words: words.NOT_ARRAY,
    is: Array.isArray,
    check: (value, run) => checkTools(Array.isArray(value) ? value : [], run),
  }),
  messagesSchema,
  systemPrompt,
  parameter({ key: 'thinking', ids: THINKING_IDS, words: words.NOT_OBJECT, is: isObject, check: thinkingConfig }),
  parameter({
    key: 'output_config',
    ids: [],
    words: words.NOT_OBJECT,
    is: isObject,
    check: shapes.objectOf(OUTPUT_CONFIG),
  }),
  parameter({
    key: 'cache_control',
    ids: ['anthropic/cache-type', 'anthropic/cache-scope'],
    nullable: true,
    words: words.NOT_OBJECT,
    is: isObject,
    check: automaticCacheControl,
  }),
  maxTokens,
  parameter({
    key: 'metadata',
    ids: [],
    nullable: true,
    words: words.NOT_OBJECT,
    is: isObject,
    check: shapes.objectOf(METADATA),
  }),
  parameter({
    key: 'stop_sequences',
    ids: [],
    nullable: true,
    words: words.NOT_ARRAY,
    is: Array.isArray,
    check: shapes.listOf(shapes.string),
  }),
  parameter({
    key: 'temperature',
    ids: ['anthropic/temperature-range'],
    words: words.NOT_NUMBER,
    is: isNumber,
    check: temperature,
  }),
  parameter({
    key: 'service_tier',
    ids: [],
    words: words.notOneOf(TIERS),
    is: (value) => TIERS.includes(String(value)),
  }),
  parameter({ key: 'top_k', ids: [], words: words.NOT_INTEGER, is: Number.isInteger }),
  parameter({ key: 'top_p', ids: [], words: words.NOT_NUMBER, is: isNumber }),
  parameter({
    key: 'stream',
    ids: [],
    words: words.NOT_BOOLEAN,
    is: (value) => typeof value === 'boolean',
  }),
  parameter({ key: 'container', ids: [], nullable: true, words: words.NOT_STRING, is: isContainer }),
  parameter({ key: 'inference_geo', ids: [], nullable: true, words: words.NOT_STRING, is: isString }),
  extraKeys,
]
