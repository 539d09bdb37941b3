import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'

/** The parts of a message; before there were parts, its content was one text. */
export function partsOf(message: Fields): readonly unknown[] {
  const { parts, content } = message
  if (Array.isArray(parts) && (parts.length > 0 || typeof content !== 'string')) return parts
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content
  return [parts, content].filter((stored) => stored !== undefined && stored !== null)
}

/** Files that version 4 has beside the content. */
export function attachmentsOf(message: Fields): readonly unknown[] {
  const list = valueAt(message, 'experimental_attachments')
  if (!Array.isArray(list)) return []
  return list.map((file) => (isObject(file) ? { ...file, type: 'file', mediaType: file.contentType } : file))
}

/** The parts of an answer in the order in which they came. */
export function assistantParts(message: Fields): readonly unknown[] {
  const { parts } = message
  const isOlder = Array.isArray(parts)
    ? parts.length === 0 && Array.isArray(message.toolInvocations)
    : parts === undefined || parts === null
  if (isOlder) return olderParts(message)
  return partsOf(message).flatMap((part) => (stringAt(part, 'type') === 'reasoning' ? reasoningBlocks(part) : [part]))
}

/** Version 4 has signed pieces of a reasoning among its details, beside the whole text. */
function reasoningBlocks(part: unknown): readonly unknown[] {
  const details = valueAt(part, 'details')
  if (!Array.isArray(details) || details.length === 0) return [part]
  return details.map((detail) =>
    stringAt(detail, 'type') === 'redacted'
      ? { type: 'redacted-reasoning', data: valueAt(detail, 'data') }
      : { type: 'reasoning', text: valueAt(detail, 'text'), signature: valueAt(detail, 'signature') },
  )
}

/**
 * Without parts nothing says where the text stood. The SDK itself puts it behind the calls, as the answer to their results; where
 * calls are still open it can only have come before them.
 */
function olderParts(message: Fields): readonly unknown[] {
  const stored = valueAt(message, 'toolInvocations')
  const invocations: readonly unknown[] = Array.isArray(stored) ? stored : []
  const calls = invocations.map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation }))
  const reasoning = stringAt(message, 'reasoning')
  const isOpen = invocations.some((invocation) => stringAt(invocation, 'state') !== 'result')
  const said = partsOf({ content: message.content })
  return [
    ...(reasoning === undefined || reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning }]),
    ...(isOpen ? [...said, ...calls] : [...calls, ...said]),
  ]
}
