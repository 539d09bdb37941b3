import { isObject, type JsonObject, stringAt } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'

const FOUND = ['type', 'url', 'title'] as const

/**
 * The blocks of a web search that the Anthropic API ran: of its tools the only one whose blocks can be made again from what
 * the SDK keeps. Undefined for any other call.
 */
export function searchBlocks(call: OpenCall, output: unknown): JsonObject | undefined {
  if (call.name !== 'web_search' || !/^srvtoolu_[a-zA-Z0-9_]+$/.test(call.id) || !isObject(call.args)) return undefined
  if (!Array.isArray(output) || !output.every(isFound)) return undefined
  const content = output.map(
    (found): Json => ({
      ...Object.fromEntries(FOUND.map((key) => [key, found[key] as Json])),
      encrypted_content: found.encryptedContent as string,
      page_age: stringAt(found, 'pageAge') ?? null,
    }),
  )
  return {
    use: { type: 'server_tool_use', id: call.id, name: 'web_search', input: call.args },
    result: { type: 'web_search_tool_result', tool_use_id: call.id, content },
  }
}

const isFound = (found: unknown): found is { readonly [key: string]: unknown } =>
  isObject(found) &&
  found.type === 'web_search_result' &&
  typeof found.url === 'string' &&
  typeof found.title === 'string' &&
  typeof found.encryptedContent === 'string'
