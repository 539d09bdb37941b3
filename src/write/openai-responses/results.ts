import { isObject } from '../../model/json.ts'
import type { ToolCallEntry } from '../../model/session.ts'
import type { OpenAIResponsesOptions } from '../../rules/options.ts'
import { reportOutcome } from '../closing.ts'
import { outcomeOf } from '../texts.ts'
import type { Output, Repaired } from '../writer.ts'
import { OUTPUT_CONTENT } from './content.ts'
import { ownPair } from './own-tools.ts'
import type { FunctionCallOutput, InputContent, InputItem } from './wire.ts'

export function writeResult(
  call: ToolCallEntry,
  from: Repaired,
  position: number,
  output: Output<InputItem>,
  options: OpenAIResponsesOptions,
): InputItem {
  const item = ownPair(call)?.output ?? plainOutput(call, from, position, output, options)
  output.trace(item, from, position, call.id)
  return item
}

function plainOutput(
  call: ToolCallEntry,
  from: Repaired,
  position: number,
  output: Output<InputItem>,
  options: OpenAIResponsesOptions,
): InputItem {
  reportOutcome(call, from, position, output, false)
  const told = outcomeOf(call, options.texts ?? {}, false).output
  const slot = call.state.extra?.['openai-responses']
  const type = (
    call.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  ) as FunctionCallOutput['type']
  const fields = isObject(slot) && !('item' in slot) ? fieldsOf(slot, call) : {}
  const content =
    typeof told === 'string' ? told : told.map((part) => OUTPUT_CONTENT[part.type](part as never) as InputContent)
  return { type, ...fields, call_id: call.id, output: content.length === 0 ? '' : content }
}

/** The output of a custom tool has no status. */
function fieldsOf(slot: { readonly [key: string]: unknown }, call: ToolCallEntry): object {
  if (call.kind !== 'custom') return slot
  const { status: _, ...rest } = slot
  return rest
}
