import { isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { expectedTags, refusedTag } from './block-tags.ts'
import { CACHE_CONTROL } from './cache-control.ts'
import type { RuleId } from './run.ts'
import { DOCUMENT, IMAGE, SEARCH_RESULT, TEXT } from './schema-content.ts'
import { SERVER_RESULTS } from './schema-server.ts'
import { errorHoldsOnlyText, toolResultContent } from './schema-tool-result.ts'
import * as shapes from './shape.ts'
import * as words from './words.ts'

const ID = /^[a-zA-Z0-9_-]+$/
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/
const MAX_ID = 64

/** No longest id was ever seen on the API itself; Converse and several servers stop at 64. */
const shortId: shapes.Check = (value, run) => {
  if (run.strict && typeof value === 'string' && value.length > MAX_ID) {
    run.fault('anthropic/tool-use-id-length', words.tooLong(MAX_ID))
  }
}

const ON_PLATFORMS = { bedrock: 'anthropic/bedrock-unsupported', vertex: 'anthropic/vertex-unsupported' } as const
const TOOLSET_NAME: shapes.Field = { check: shapes.string, nullable: true, unknownOn: ON_PLATFORMS }

const CALLERS = {
  direct: shapes.shape({}),
  code_execution_20250825: shapes.shape({ tool_id: { check: shapes.string, required: true } }),
  code_execution_20260120: shapes.shape({ tool_id: { check: shapes.string, required: true } }),
}
const USE_CALLER: RuleId = 'anthropic/tool-use-caller'
const CALLER: shapes.Field = {
  check: shapes.unionOf(CALLERS, USE_CALLER, Object.keys(CALLERS)),
  unknownOn: { bedrock: USE_CALLER, vertex: USE_CALLER },
}

const SERVER_TOOLS = [
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
]

const serverToolName: shapes.Check = (value, run) => {
  if (value === 'advisor' && run.hasBeta('advisor')) return
  shapes.oneOf(SERVER_TOOLS, 'anthropic/server-tool-name')(value, run)
}

const USED_ID: shapes.Field = { check: shapes.matching(SERVER_ID, 'anthropic/server-tool-id-pattern'), required: true }

/** A result of one of the API's own tools. */
const serverResult = (type: string, caller = false): shapes.Shape =>
  shapes.shape({
    content: { check: SERVER_RESULTS[type] ?? shapes.anything, required: true },
    tool_use_id: USED_ID,
    cache_control: CACHE_CONTROL,
    ...(caller ? { caller: CALLER } : {}),
  })

const COMPACTION = shapes.shape({
  cache_control: CACHE_CONTROL,
  content: { check: shapes.string, nullable: true },
  encrypted_content: { check: shapes.string, nullable: true },
  signature: { check: shapes.string, nullable: true },
  tool_changes: { check: shapes.listOf(shapes.object()), nullable: true },
})

/** Answers of other converters put citations here; the key has a rule of its own. */
const uncitedCompaction: shapes.Shape = {
  ...COMPACTION,
  names: new Set([...COMPACTION.names, 'citations']),
  also: (value, run) => {
    if (isObject(value) && value.citations !== undefined) {
      run.faultAt('citations', 'anthropic/compaction-fields', words.EXTRA)
    }
  },
}

/** Thinking is signed as it stands, so it has no place for a marker. */
const unmarked = (fields: { readonly [name: string]: shapes.Field }): shapes.Shape =>
  shapes.shape({
    ...fields,
    cache_control: { check: (_value, run) => run.fault('anthropic/thinking-cache-control', words.EXTRA) },
  })

const SIGNATURE: RuleId = 'anthropic/thinking-signature-required'

/** Every block of a message: what it must hold and what it may hold. */
const BLOCKS: { readonly [type: string]: shapes.Shape } = {
  text: TEXT,
  image: IMAGE,
  document: DOCUMENT,
  search_result: SEARCH_RESULT,
  thinking: unmarked({
    signature: { check: shapes.stringWith(SIGNATURE), required: SIGNATURE },
    thinking: { check: shapes.string, required: 'anthropic/thinking-text-required' },
  }),
  redacted_thinking: unmarked({ data: { check: shapes.string, required: 'anthropic/redacted-data-required' } }),
  tool_use: shapes.shape({
    id: { check: shapes.matching(ID, 'anthropic/tool-use-id-pattern', shortId), required: true },
    input: {
      check: shapes.object('anthropic/tool-use-input-object'),
      required: 'anthropic/tool-use-input-required',
    },
    name: { check: shapes.lengthBetween(1, 200, 'anthropic/tool-use-name-length'), required: true },
    cache_control: CACHE_CONTROL,
    caller: CALLER,
    toolset_name: TOOLSET_NAME,
  }),
  tool_result: shapes.shape(
    {
      tool_use_id: { check: shapes.matching(ID, 'anthropic/tool-result-id-pattern', shortId), required: true },
      cache_control: CACHE_CONTROL,
      content: { check: toolResultContent },
      is_error: { check: shapes.boolean('anthropic/is-error-type') },
      toolset_name: TOOLSET_NAME,
    },
    errorHoldsOnlyText,
  ),
  server_tool_use: shapes.shape({
    id: USED_ID,
    input: { check: shapes.object('anthropic/server-tool-input'), required: true },
    name: { check: serverToolName, required: true },
    cache_control: CACHE_CONTROL,
    caller: CALLER,
  }),
  web_search_tool_result: serverResult('web_search_tool_result', true),
  web_fetch_tool_result: serverResult('web_fetch_tool_result', true),
  code_execution_tool_result: serverResult('code_execution_tool_result'),
  bash_code_execution_tool_result: serverResult('bash_code_execution_tool_result'),
  text_editor_code_execution_tool_result: serverResult('text_editor_code_execution_tool_result'),
  tool_search_tool_result: serverResult('tool_search_tool_result'),
  advisor_tool_result: serverResult('advisor_tool_result'),
  container_upload: shapes.shape({ file_id: { check: shapes.string, required: true }, cache_control: CACHE_CONTROL }),
  mcp_tool_use: shapes.shape({
    id: { check: shapes.string, required: true },
    input: { check: shapes.object(), required: true },
    name: { check: shapes.string, required: true },
    server_name: { check: shapes.string, required: true },
    cache_control: CACHE_CONTROL,
  }),
  mcp_tool_result: shapes.shape({
    tool_use_id: { check: shapes.string, required: true },
    cache_control: CACHE_CONTROL,
    content: { check: toolResultContent },
    is_error: { check: shapes.boolean('anthropic/is-error-type') },
  }),
  mcp_tool_listing: shapes.shape({
    mcp_server_name: { check: shapes.string, required: true },
    tools: { check: shapes.listOf(shapes.object()), required: true },
  }),
  compaction: uncitedCompaction,
  fallback: shapes.shape({
    from: { check: shapes.object(), required: true },
    to: { check: shapes.object(), required: true },
    trigger: { check: shapes.anything },
  }),
  tool_addition: shapes.shape({ tool: { check: shapes.object(), required: true }, cache_control: CACHE_CONTROL }),
  tool_removal: shapes.shape({ tool: { check: shapes.object(), required: true }, cache_control: CACHE_CONTROL }),
}

/** The path of the run stands at the block's index. */
export const checkBlock: shapes.Check = (value, run) => {
  if (!isObject(value)) return run.fault('anthropic/block-object', words.NOT_OBJECT)
  const type = value.type
  if (type === undefined) return run.faultAt('type', 'anthropic/block-object', words.REQUIRED)
  const found = own(BLOCKS, type)
  const refused = found === undefined ? 'anthropic/block-type-unknown' : refusedTag(String(type), run)
  if (found === undefined || refused !== undefined) {
    return run.fault(refused ?? 'anthropic/block-type-unknown', words.unexpectedTag(type, expectedTags(run)))
  }
  run.path.enter(String(type))
  shapes.checkShape(value, found, run)
  run.path.leave()
}
