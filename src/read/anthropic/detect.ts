import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import { evidence, GUESS, LIKELY, MIXED, SAMPLE, type Sign, SURE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import type { Block } from './media.ts'

/**
 * Sure where blocks, `system` or `input_schema` are this API's own. Plain texts are left to `openai-chat`, the more common
 * form, unless the model says otherwise.
 */
export function detect(source: Source): number {
  const value = soleValue(source)
  const body = bodyOf(source, ['messages']) ?? (isObject(value) ? { fields: {}, list: [{ value }] } : undefined)
  if (body === undefined) return 0
  const found = evidence(body.list, messageSign)
  const fields = fieldsSign(body)
  if (fields === 'foreign') return 0
  if (found.own > 0 || fields === 'own') return found.foreign > found.own ? MIXED : SURE
  if (found.foreign > 0 || found.shared === 0) return 0
  return stringAt(body.fields, 'model')?.startsWith('claude') === true ? LIKELY + GUESS / 2 : GUESS / 2
}

const ROLES = new Set(['user', 'assistant', 'system'])

function messageSign(message: unknown): Sign {
  if (!isObject(message)) return 'none'
  const role = stringAt(message, 'role')
  if (role === undefined) return 'none'
  if (!ROLES.has(role) || Object.hasOwn(message, 'tool_calls')) return 'foreign'
  if (message.type === 'message' && Object.hasOwn(message, 'stop_reason')) return 'own'
  const content = valueAt(message, 'content')
  if (typeof content === 'string') return 'shared'
  return Array.isArray(content) ? contentSign(content) : 'none'
}

function contentSign(content: readonly unknown[]): Sign {
  const signs = new Set(content.slice(0, SAMPLE).map(blockSign))
  return (['own', 'foreign', 'shared'] as const).find((sign) => signs.has(sign)) ?? 'none'
}

const hasSource = (block: Block): Sign => (isObject(block.source) ? 'own' : 'foreign')
const always = (): Sign => 'own'

const BLOCKS: { readonly [type: string]: (block: Block) => Sign } = {
  text: (block) => (Object.hasOwn(block, 'cache_control') ? 'own' : 'shared'),
  image: hasSource,
  document: hasSource,
  tool_use: always,
  tool_result: (block) => (stringAt(block, 'tool_use_id') === undefined ? 'none' : 'own'),
  thinking: (block) => (typeof block.thinking === 'string' ? 'own' : 'foreign'),
  redacted_thinking: always,
  search_result: always,
  container_upload: always,
  server_tool_use: always,
  mcp_tool_use: always,
  web_search_tool_result: always,
  compaction: always,
}

function blockSign(block: unknown): Sign {
  if (!isObject(block)) return 'none'
  return own(BLOCKS, block.type)?.(block) ?? (typeof block.type === 'string' ? 'foreign' : 'none')
}

function fieldsSign({ fields }: Body): Sign {
  const tools = valueAt(fields, 'tools')
  const first = Array.isArray(tools) ? tools.find(isObject) : undefined
  if (first !== undefined && Object.hasOwn(first, 'function')) return 'foreign'
  if (first !== undefined && Object.hasOwn(first, 'input_schema')) return 'own'
  if (Object.hasOwn(fields, 'anthropic_version')) return 'own'
  const system = valueAt(fields, 'system')
  return typeof system === 'string' || Array.isArray(system) ? 'own' : 'none'
}
