import { isObject } from '../../model/json.ts'

export type JsonRecord = { readonly [key: string]: unknown }

/** What is read of a user or assistant record, once. */
export interface Said {
  readonly message: JsonRecord | undefined
  /** The blocks of `message.content`, a text as one block; undefined when there is neither. */
  readonly content: readonly unknown[] | undefined
  /** A user record that holds results and nothing else. */
  readonly onlyResults: boolean
  /** Of an assistant record: which API message it is a line of. */
  readonly key: string
  /** Not from or for the API. */
  readonly screenOnly: boolean
}

export const NOT_SAID: Said = { message: undefined, content: undefined, onlyResults: false, key: '', screenOnly: false }

export function userSaid(record: JsonRecord): Said {
  const message = isObject(record.message) ? record.message : undefined
  const content = blocksOf(message?.content)
  return {
    message,
    content,
    onlyResults: content !== undefined && content.length > 0 && content.every(isResult),
    key: '',
    screenOnly:
      record.isVirtual === true || (record.isVisibleInTranscriptOnly === true && record.isCompactSummary !== true),
  }
}

export function assistantSaid(record: JsonRecord): Said {
  const message = isObject(record.message) ? record.message : undefined
  return {
    message,
    content: blocksOf(message?.content),
    onlyResults: false,
    key: keyOf(record, message),
    // Texts that the tool shows as if the model had said them.
    screenOnly: message?.model === '<synthetic>' || record.isApiErrorMessage === true || record.isVirtual === true,
  }
}

/**
 * Lines of one API message share its id. Copies that lost it still share the id of the request; a line with neither is a message
 * of its own.
 */
function keyOf(record: JsonRecord, message: JsonRecord | undefined): string {
  const id = message?.id
  if (typeof id === 'string' && id !== '') return id
  const request = record.requestId
  return typeof request === 'string' && request !== '' ? `request ${request}` : `record ${String(record.uuid)}`
}

export function blocksOf(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : undefined
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
