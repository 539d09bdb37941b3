import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import type { StoredMessage } from './stored.ts'

/** Versions before July 2025 stored one file for each message, with the AI SDK's own parts and all else in `metadata`. */
export function isFirstGeneration(message: Row): boolean {
  if (message.info !== undefined || !Array.isArray(message.parts) || typeof message.role !== 'string') return false
  return isObject(message.metadata) || message.parts.some((part) => stringAt(part, 'type') === 'tool-invocation')
}

/** The message in the form of later versions, as the program itself took it over. */
export function upgraded(message: Row, report: Report): StoredMessage {
  const { metadata } = message
  const assistant = valueAt(metadata, 'assistant')
  const info: Row = {
    ...(isObject(assistant) ? assistant : {}),
    id: message.id,
    role: message.role,
    time: valueAt(metadata, 'time'),
    ...(isObject(valueAt(metadata, 'error')) ? { error: valueAt(metadata, 'error') } : {}),
  }
  const parts: Row[] = []
  for (const part of message.parts as readonly unknown[]) {
    const later = isObject(part) ? laterPart(part, metadata) : undefined
    if (later === undefined) report('part-invalid', { before: part })
    else parts.push(later)
  }
  return { id: stringAt(message, 'id') ?? '', info, parts }
}

function laterPart(part: Row, metadata: unknown): Row | undefined {
  if (typeof part.type !== 'string') return undefined
  if (part.type !== 'tool-invocation') return part
  const invocation = valueAt(part, 'toolInvocation')
  if (!isObject(invocation)) return undefined
  const { toolCallId, toolName } = invocation
  const about = typeof toolCallId === 'string' ? valueAt(valueAt(metadata, 'tool'), toolCallId) : undefined
  return { type: 'tool', tool: toolName, callID: toolCallId, state: stateOf(invocation, about) }
}

const STATUSES: { readonly [state: string]: string } = {
  'partial-call': 'pending',
  call: 'running',
  result: 'completed',
}

/** A tool that failed has its error text as the result, and is marked beside it. */
function stateOf({ state, args, result }: Row, about: unknown): Row {
  const status = own(STATUSES, state) ?? 'running'
  if (status === 'completed' && valueAt(about, 'error') === true) {
    return { status: 'error', input: args, error: stringAt(about, 'message') ?? result }
  }
  return { status, input: args, ...(result === undefined ? {} : { output: result }), time: valueAt(about, 'time') }
}
