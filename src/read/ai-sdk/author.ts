import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Author, Usage } from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import type { StoredPart } from '../assemble.ts'
import { type UsageTable, usageFrom } from '../usage.ts'

/** The SDK stores no model; chats commonly have it in the metadata of their answers. */
export function authorOf(message: Fields, parts: readonly StoredPart[]): Author | undefined {
  const metadata = valueAt(message, 'metadata')
  const model = [metadata, message].flatMap((from) => [stringAt(from, 'model'), stringAt(from, 'modelId')])
  const provider = stringAt(metadata, 'provider')
  return agentAuthor(
    provider,
    model.find((name) => name !== undefined && name !== ''),
    parts,
  )
}

const USAGE: UsageTable = {
  inputTokens: ['inputTokens'],
  outputTokens: ['outputTokens'],
  cacheReadTokens: ['cachedInputTokens'],
  reasoningTokens: ['reasoningTokens'],
}

export function usageOf(message: Fields): Usage | undefined {
  const metadata = valueAt(message, 'metadata')
  const usage = valueAt(metadata, 'usage') ?? valueAt(metadata, 'totalUsage')
  return isObject(usage) ? usageFrom('ai-sdk', usage, USAGE) : undefined
}
