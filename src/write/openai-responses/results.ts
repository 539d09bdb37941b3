import { isObject } from '../../model/json.ts'
import type { ToolCallEntry } from '../../model/session.ts'
import type { OpenAIResponsesOptions } from '../../rules/options.ts'
import { reportOutcome } from '../closing.ts'
import { outcomeOf } from '../texts.ts'
import type { Output, Repaired } from '../writer.ts'
import { OUTPUT_CONTENT } from './content.ts'
import { ownPair } from './own-tools.ts'
import type { FunctionCallOutput, InputContent, InputItem } from './wire.ts'

/** Where the outputs of a message's calls go. */
interface Results {
  readonly from: Repaired
  readonly output: Output<InputItem>
  readonly options: OpenAIResponsesOptions
}

export function writeResult(call: ToolCallEntry, position: number, results: Results): void {
  const { from, output } = results
  const item = ownPair(call)?.output ?? plainOutput(call, position, results)
  output.trace(item, from, position, call.id)
  output.add(item, from)
}

function plainOutput(call: ToolCallEntry, position: number, { from, output, options }: Results): InputItem {
  reportOutcome(call, from, position, output, false)
  const told = outcomeOf(call, options.texts, false).output
  const content =
    typeof told === 'string' ? told : told.map((part) => OUTPUT_CONTENT[part.type](part as never) as InputContent)
  const type = (
    call.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  ) as FunctionCallOutput['type']
  const slot = call.state.extra?.['openai-responses']
  const written = content.length === 0 ? '' : content
  if (!isObject(slot) || 'item' in slot) return { type, call_id: call.id, output: written }
  return { type, ...fieldsOf(slot, call), call_id: call.id, output: written }
}

/** The output of a custom tool has no status. */
function fieldsOf(slot: { readonly [key: string]: unknown }, call: ToolCallEntry): object {
  if (call.kind !== 'custom') return slot
  const { status: _, ...rest } = slot
  return rest
}
