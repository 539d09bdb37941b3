import { own } from '../../model/own.ts'
import type { Rule, Run } from './run.ts'
import { type Block, placeOf, type Turn } from './survey.ts'

/** The result blocks of calls that the API runs, and the block that each of them answers. */
const ANSWERS: { readonly [type: string]: 'server_tool_use' | 'mcp_tool_use' } = {
  web_search_tool_result: 'server_tool_use',
  web_fetch_tool_result: 'server_tool_use',
  code_execution_tool_result: 'server_tool_use',
  bash_code_execution_tool_result: 'server_tool_use',
  text_editor_code_execution_tool_result: 'server_tool_use',
  tool_search_tool_result: 'server_tool_use',
  advisor_tool_result: 'server_tool_use',
  mcp_tool_result: 'mcp_tool_use',
}

/** Calls of the API's own tools since the last user turn that said something new. */
interface Open {
  readonly waiting: Map<string, Block>
  readonly answered: Set<string>
  /** Ids of server calls from within which a client call was made. */
  readonly callers: Set<unknown>
}

/**
 * A call of the API's own tools has its result in the same turn, or behind the client's results that it waits for. It may
 * stay open at the end of the request, which resumes it, and before a user turn of nothing but results.
 */
const serverPairs: Rule = {
  ids: [
    'anthropic/server-tool-unpaired',
    'anthropic/ptc-results-only',
    'anthropic/tool-search-result-required',
    'anthropic/server-tool-result-orphan',
    'anthropic/mcp-blocks-beta',
  ],
  check: (run) => {
    const open: Open = { waiting: new Map(), answered: new Set(), callers: new Set() }
    for (const turn of run.survey.turns) {
      if (turn.role === 'assistant') openCalls(turn, open, run)
      else if (!holdsOnlyResults(turn)) {
        for (const [id, use] of open.waiting) tellUnpaired(id, use, open, run)
        forget(open)
      }
    }
  },
}

/** One that is empty is left alone: most histories never hold such a call. */
function forget(open: Open): void {
  if (open.waiting.size > 0) open.waiting.clear()
  if (open.answered.size > 0) open.answered.clear()
  if (open.callers.size > 0) open.callers.clear()
}

function openCalls(turn: Turn, open: Open, run: Run): void {
  for (const item of turn.items) for (const block of item.blocks) openCall(block, open, run)
}

function openCall(block: Block, open: Open, run: Run): void {
  if (block.type === 'server_tool_use' || block.type === 'mcp_tool_use') {
    const id = block.value.id
    if (typeof id === 'string') open.waiting.set(id, block)
    return
  }
  if (block.type === 'tool_use') {
    const caller = block.value.caller
    if (typeof caller === 'object' && caller !== null) open.callers.add(own(caller as Block['value'], 'tool_id'))
    return
  }
  const use = own(ANSWERS, block.type)
  const id = block.value.tool_use_id
  if (use === undefined || typeof id !== 'string') return
  if (open.waiting.get(id)?.type !== use && !open.answered.has(id)) tellOrphan(id, block, use, run)
  open.waiting.delete(id)
  open.answered.add(id)
}

function tellOrphan(id: string, block: Block, use: string, run: Run): void {
  const path = placeOf(block)
  const rule = use === 'mcp_tool_use' ? 'anthropic/mcp-blocks-beta' : 'anthropic/server-tool-result-orphan'
  const message = `${path}: unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${id}. Each \`${block.type}\` block must have a corresponding \`${use}\` block before it.`
  run.report(rule, message, path)
}

const holdsOnlyResults = (turn: Turn): boolean =>
  turn.items.every((item) => !item.text && item.blocks.every(({ type }) => type === 'tool_result'))

/** Words for hosted MCP calls are not known. */
function tellUnpaired(id: string, use: Block, open: Open, run: Run): void {
  const name = use.value.name
  if (typeof name !== 'string' || use.type !== 'server_tool_use') return
  const result = name.startsWith('tool_search_tool_') ? 'tool_search' : name
  const words = `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${result}_tool_result\` block`
  const path = `messages.${use.message}`
  if (name === 'code_execution' && open.callers.has(id)) run.report('anthropic/ptc-results-only', words, path)
  else if (result !== name) run.report('anthropic/tool-search-result-required', words, path)
  else run.report('anthropic/server-tool-unpaired', `${path}: ${words}`, path)
}

/** Whether the last turn waits for a call that the API runs: such a request resumes it. */
export function resumesServerCall(run: Run): boolean {
  const last = run.survey.turns.at(-1)
  if (last?.role !== 'assistant') return false
  const waiting = new Set<unknown>()
  for (const item of last.items) {
    for (const { type, value } of item.blocks) {
      if (type === 'server_tool_use' || type === 'mcp_tool_use') waiting.add(value.id)
      else if (Object.hasOwn(ANSWERS, type)) waiting.delete(value.tool_use_id)
    }
  }
  return waiting.size > 0
}

export const SERVER_TOOLS: readonly Rule[] = [serverPairs]
