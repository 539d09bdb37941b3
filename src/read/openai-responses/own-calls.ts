import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolCallState, ToolOutput } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import { slot } from '../slots.ts'
import { argsOf } from './calls.ts'
import { idAt, lines, toolOutput } from './content.ts'
import { type Item, imagePart } from './media.ts'

interface OwnCall {
  readonly name: string
  readonly args: (item: Item) => Pick<OpenCall, 'args' | 'argsText'>
}

/** Calls to the API's own tools that the client runs. */
const CALLS: { readonly [type: string]: OwnCall } = {
  shell_call: { name: 'shell', args: (item) => argsOf(valueAt(item, 'action')) },
  local_shell_call: { name: 'local_shell', args: (item) => argsOf(valueAt(item, 'action')) },
  apply_patch_call: { name: 'apply_patch', args: (item) => argsOf(valueAt(item, 'operation')) },
  computer_call: { name: 'computer', args: (item) => argsOf(valueAt(item, 'action') ?? valueAt(item, 'actions')) },
  tool_search_call: { name: 'tool_search', args: (item) => argsOf(valueAt(item, 'arguments')) },
}

/** Their outcomes as other APIs may be told them. */
const OUTPUTS: { readonly [type: string]: (item: Item) => ToolOutput } = {
  shell_call_output: (item) => shellText(valueAt(item, 'output')),
  local_shell_call_output: (item) => toolOutput(valueAt(item, 'output')),
  apply_patch_call_output: (item) => toolOutput(valueAt(item, 'output')),
  computer_call_output: (item) => {
    const image = imagePart((valueAt(item, 'output') ?? {}) as Item)
    return image === undefined ? '' : [image]
  },
  tool_search_output: (item) => toolNames(item),
}

/** Undefined when the item is no call of these. */
export function ownCall(item: Item): OpenCall | undefined {
  const call = own(CALLS, item.type)
  if (call === undefined) return undefined
  const id = idAt(item, 'call_id') || idAt(item, 'id')
  return {
    type: 'tool-call',
    id,
    name: call.name,
    ...call.args(item),
    ...slot('openai-responses', { item: item as Json }),
  }
}

/** Undefined when the item is no output of these. A function_call_output may stand in for one. */
export function ownState(item: Item): ToolCallState | undefined {
  const read = item.type === 'function_call_output' ? plainOutput : own(OUTPUTS, item.type)
  if (read === undefined) return undefined
  const kept = slot('openai-responses', { item: item as Json })
  const output = read(item)
  return stringAt(item, 'status') === 'failed'
    ? { status: 'failed', error: output, ...kept }
    : { status: 'completed', result: output, ...kept }
}

const plainOutput = (item: Item): ToolOutput => toolOutput(valueAt(item, 'output'))

/** The names of the tools that a search found, one a line. */
export function toolNames(item: Item): string {
  const tools = valueAt(item, 'tools')
  return Array.isArray(tools) ? lines(tools.map((tool) => stringAt(tool, 'name'))) : ''
}

function shellText(output: unknown): string {
  if (!Array.isArray(output)) return typeof output === 'string' ? output : ''
  return lines(
    output.flatMap((ran) => [stringAt(ran, 'stdout'), stringAt(ran, 'stderr'), ending(valueAt(ran, 'outcome'))]),
  )
}

function ending(outcome: unknown): string | undefined {
  if (stringAt(outcome, 'type') === 'timeout') return 'Timed out'
  const code = valueAt(outcome, 'exit_code')
  return typeof code === 'number' && code !== 0 ? `Exit code ${code}` : undefined
}
