import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { bodyOf, soleValue } from '../body.ts'
import { evidence, LIKELY, MIXED, SAMPLE, type Sign, SURE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import type { Item } from './media.ts'

/** Sure where items have types of this API; a body with `input` is taken for one unless its items say otherwise. */
export function detect(source: Source): number {
  const value = soleValue(source)
  if (isObject(value) && (Object.hasOwn(value, 'messages') || Object.hasOwn(value, 'choices'))) return 0
  if (stringAt(value, 'input') !== undefined) return bodyScore(value)
  const body = bodyOf(source, ['input', 'output']) ?? (isObject(value) ? { fields: {}, list: [{ value }] } : undefined)
  if (body === undefined) return 0
  const found = evidence(body.list, itemSign)
  if (found.own > 0) return found.foreign > found.own ? MIXED : SURE
  const isBody = Object.hasOwn(body.fields, 'input') || stringAt(body.fields, 'object') === 'response'
  return isBody && found.foreign === 0 ? bodyScore(body.fields) : 0
}

/** Requests of other endpoints have an `input` too; these parameters are this one's. */
const PARAMETERS = [
  'instructions',
  'max_output_tokens',
  'previous_response_id',
  'conversation',
  'store',
  'include',
  'reasoning',
  'text',
  'output',
  'tools',
]

function bodyScore(body: unknown): number {
  if (!isObject(body)) return 0
  return PARAMETERS.some((key) => Object.hasOwn(body, key)) ? SURE : stringAt(body, 'model') === undefined ? 0 : LIKELY
}

const ITEM_TYPES = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'computer_call',
  'computer_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'item_reference',
  'additional_tools',
])

const PART_TYPES = new Set(['input_text', 'output_text', 'input_image', 'input_file'])

function itemSign(item: unknown): Sign {
  if (!isObject(item)) return 'none'
  const type = stringAt(item, 'type')
  if (type !== undefined && ITEM_TYPES.has(type)) return 'own'
  if (type === 'reasoning') return Array.isArray(item.summary) ? 'own' : 'foreign'
  if (type === 'compaction') return stringAt(item, 'encrypted_content') === undefined ? 'foreign' : 'own'
  if (type !== undefined && type !== 'message') return 'foreign'
  return messageSign(item, type)
}

function messageSign(item: Item, type: string | undefined): Sign {
  if (stringAt(item, 'role') === undefined || Object.hasOwn(item, 'stop_reason')) return 'foreign'
  const content = valueAt(item, 'content')
  if (!Array.isArray(content)) return type === 'message' && typeof content === 'string' ? 'own' : 'shared'
  const types = content.slice(0, SAMPLE).map((part) => stringAt(part, 'type') ?? '')
  if (types.some((partType) => PART_TYPES.has(partType))) return 'own'
  // A chat message has refusals too, but no type.
  if (type === 'message' && types.includes('refusal')) return 'own'
  return content.length === 0 ? 'shared' : 'foreign'
}
