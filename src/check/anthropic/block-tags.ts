import { own } from '../../model/own.ts'
import type { RuleId, Run } from './run.ts'

/** The blocks that need no beta, in the order in which the API lists them. */
const GA_TAGS: readonly string[] = [
  'bash_code_execution_tool_result',
  'code_execution_tool_result',
  'container_upload',
  'document',
  'image',
  'redacted_thinking',
  'search_result',
  'server_tool_use',
  'text',
  'text_editor_code_execution_tool_result',
  'thinking',
  'tool_result',
  'tool_search_tool_result',
  'tool_use',
  'web_fetch_tool_result',
  'web_search_tool_result',
]

interface Beta {
  /** A part of the name of the beta. */
  readonly beta: string
  readonly rule: RuleId
}

const BETA_TAGS: { readonly [tag: string]: Beta } = {
  advisor_tool_result: { beta: 'advisor', rule: 'anthropic/advisor-beta' },
  compaction: { beta: 'compact-', rule: 'anthropic/compaction-beta' },
  fallback: { beta: 'fallback', rule: 'anthropic/fallback-block-beta' },
  mcp_tool_listing: { beta: 'mcp-client', rule: 'anthropic/mcp-blocks-beta' },
  mcp_tool_result: { beta: 'mcp-client', rule: 'anthropic/mcp-blocks-beta' },
  mcp_tool_use: { beta: 'mcp-client', rule: 'anthropic/mcp-blocks-beta' },
  tool_addition: { beta: 'mid-conversation-tool-changes', rule: 'anthropic/system-output-config-beta' },
  tool_removal: { beta: 'mid-conversation-tool-changes', rule: 'anthropic/system-output-config-beta' },
}

const EXECUTION = [
  'advisor_tool_result',
  'bash_code_execution_tool_result',
  'code_execution_tool_result',
  'container_upload',
  'fallback',
  'mcp_tool_listing',
  'mcp_tool_result',
  'mcp_tool_use',
  'text_editor_code_execution_tool_result',
  'web_fetch_tool_result',
]

/** Blocks of what a platform does not run: Bedrock has no server tools at all, Vertex only web and tool search. */
const MISSING = {
  anthropic: new Set<string>(),
  bedrock: new Set([...EXECUTION, 'server_tool_use', 'tool_search_tool_result', 'web_search_tool_result']),
  vertex: new Set(EXECUTION),
}

/** The rule by which a known block type is refused in this request. */
export function refusedTag(tag: string, run: Run): RuleId | undefined {
  if (run.platform !== 'anthropic' && MISSING[run.platform].has(tag)) return `anthropic/${run.platform}-unsupported`
  const beta = run.knowsBetas ? own(BETA_TAGS, tag) : undefined
  return beta !== undefined && !run.hasBeta(beta.beta) ? beta.rule : undefined
}

/** What the API would list as expected. */
export function expectedTags(run: Run): readonly string[] {
  const betas = run.knowsBetas ? Object.keys(BETA_TAGS).filter((tag) => run.hasBeta(BETA_TAGS[tag]?.beta ?? '')) : []
  return [...GA_TAGS, ...betas].filter((tag) => !MISSING[run.platform].has(tag)).sort()
}
