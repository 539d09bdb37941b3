import { type Fields, isObject } from '../../model/json.ts'

/** What places a record in the conversation, whatever it says. */
export interface Bearing {
  readonly hasResults: boolean
  /** A user record that holds results and nothing else. */
  readonly onlyResults: boolean
  /** Of an assistant record: which API message it is a line of. */
  readonly key: string
  /** Not from or for the API. */
  readonly screenOnly: boolean
}

export const NO_BEARING: Bearing = { hasResults: false, onlyResults: false, key: '', screenOnly: false }

export function userBearing(record: Fields): Bearing {
  const content = messageOf(record)?.content
  const hasResults = Array.isArray(content) && content.some(isResult)
  const isShown = record.isVisibleInTranscriptOnly === true && record.isCompactSummary !== true
  return {
    hasResults,
    onlyResults: hasResults && content.every(isResult),
    key: '',
    screenOnly: record.isVirtual === true || isShown,
  }
}

export function assistantBearing(record: Fields): Bearing {
  const message = messageOf(record)
  // Texts that the tool shows as if the model had said them.
  const isShown = message?.model === '<synthetic>' || record.isApiErrorMessage === true || record.isVirtual === true
  const hasResults = Array.isArray(message?.content) && message.content.some(isResult)
  return { hasResults, onlyResults: false, key: keyOf(record, message), screenOnly: isShown }
}

export function messageOf({ message }: Fields): Fields | undefined {
  return isObject(message) ? message : undefined
}

/** The blocks of `message.content`, a text as one block; undefined when there is neither. */
export function contentOf(record: Fields): readonly unknown[] | undefined {
  return blocksOf(messageOf(record)?.content)
}

/**
 * Lines of one API message share its id. Copies that lost it still share the id of the request; a line with neither is a message
 * of its own.
 */
function keyOf(record: Fields, message: Fields | undefined): string {
  const id = message?.id
  if (typeof id === 'string' && id !== '') return id
  const request = record.requestId
  return typeof request === 'string' && request !== '' ? `request ${request}` : `record ${String(record.uuid)}`
}

export function blocksOf(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : undefined
}

export type ResultBlock = Fields & { readonly type: 'tool_result' }

export function isResult(block: unknown): block is ResultBlock {
  return isObject(block) && block.type === 'tool_result'
}

/** The id that a result or a call names, '' where none is stored. */
export function idAt(block: Fields, key: 'id' | 'tool_use_id'): string {
  const id = block[key]
  return typeof id === 'string' ? id : ''
}
