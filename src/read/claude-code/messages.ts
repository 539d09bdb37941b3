import { isObject } from '../../model/json.ts'
import type { JsonRecord, Link } from './records.ts'

/** What stands in `message.content`: blocks, or a text as one block. Undefined when there is neither. */
export function contentOf(link: Link): readonly unknown[] | undefined {
  const message = link.record.message
  return isObject(message) ? blocksOf(message.content) : undefined
}

export function blocksOf(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : undefined
}

/**
 * Lines of one API message share its id. Copies that lost it still share the id of the request; a line with neither is a message
 * of its own.
 */
export function groupKey(link: Link): string {
  const message = link.record.message
  const id = isObject(message) ? message.id : undefined
  if (typeof id === 'string' && id !== '') return id
  const request = link.record.requestId
  return typeof request === 'string' && request !== '' ? `request ${request}` : `record ${link.uuid}`
}

export type ResultBlock = JsonRecord & { readonly type: 'tool_result' }

export function isResult(block: unknown): block is ResultBlock {
  return isObject(block) && block.type === 'tool_result'
}

/** The id that a result or a call names, '' where none is stored. */
export function idAt(block: JsonRecord, key: 'id' | 'tool_use_id'): string {
  const id = block[key]
  return typeof id === 'string' ? id : ''
}

/** A user record that holds results and nothing else. */
export function isOnlyResults(link: Link): boolean {
  if (link.type !== 'user') return false
  const content = contentOf(link)
  return content !== undefined && content.length > 0 && content.every(isResult)
}

/**
 * Not from or for the API: texts that the tool shows as if the model had said them (`<synthetic>`), messages of its screen alone.
 */
export function isForScreenOnly(link: Link): boolean {
  const { record } = link
  if (record.isVirtual === true) return true
  if (link.type === 'user') return record.isVisibleInTranscriptOnly === true && record.isCompactSummary !== true
  const message = record.message
  return record.isApiErrorMessage === true || (isObject(message) && message.model === '<synthetic>')
}
