import { own } from '../../model/own.ts'
import type { Report } from '../report.ts'
import { others } from '../slots.ts'
import type { Block } from './media.ts'

const fields = (...names: readonly string[]): ReadonlySet<string> => new Set(['type', 'cache_control', ...names])

/** What is read of each kind of block that does not stay raw. */
const READ: { readonly [type: string]: ReadonlySet<string> } = {
  text: fields('text', 'citations'),
  image: fields('source', 'transformations'),
  document: fields('source', 'citations', 'context', 'title'),
  thinking: fields('thinking', 'signature'),
  redacted_thinking: fields('data'),
  tool_use: fields('id', 'name', 'input', 'caller', 'toolset_name'),
  tool_result: fields('tool_use_id', 'content', 'is_error', 'toolset_name'),
}

/** The API refuses further fields, so they are not kept. */
export function reportFurtherFields(block: Block, report: Report): void {
  const read = own(READ, block.type)
  const further = read === undefined ? undefined : others(block, read)
  if (further !== undefined) report('extra-left-out', { before: further })
}

/** Of messages, those of responses included: what only answers have is no conversation. */
const OF_MESSAGES = new Set([
  'role',
  'content',
  'id',
  'type',
  'model',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
  'container',
  'context_management',
  'diagnostics',
  'input_transformations',
  'output_config',
  'clear_at',
])

export function reportFurtherMessageFields(message: Block, report: Report): void {
  const further = others(message, OF_MESSAGES)
  if (further !== undefined) report('extra-left-out', { before: further })
}
