import type { JsonObject } from '../model/json.ts'
import type { Json } from '../model/session.ts'
import type { IdShape } from './ids.ts'
import { argumentsText, CALL_ID, isCustomTool } from './openai-call.ts'
import type { ReplyCall } from './reply.ts'
import type { Exchange } from './vendor.ts'

const MESSAGE_ID: IdShape = { prefix: 'msg_', digits: 48 }
const REASONING_ID: IdShape = { prefix: 'rs_', digits: 48 }
const FUNCTION_CALL_ID: IdShape = { prefix: 'fc_', digits: 48 }
const CUSTOM_CALL_ID: IdShape = { prefix: 'ctc_', digits: 48 }
/** No real encrypted reasoning, but one of its alphabet. */
const ENCRYPTED: IdShape = { prefix: 'gAAAAABtb2NrIHJlYXNvbmluZyBudW1iZXI', digits: 16 }

/** The output items of an answer. */
export function outputOf(exchange: Exchange): readonly JsonObject[] {
  const { answer } = exchange
  return [
    ...(answer.reasoning === '' ? [] : [reasoningItem(exchange)]),
    ...(answer.text === '' ? [] : [messageItem(exchange)]),
    ...answer.toolCalls.map((call) => callItem(call, exchange)),
  ]
}

function reasoningItem({ answer, body, ids, text }: Exchange): JsonObject {
  return {
    id: ids.next(REASONING_ID, text),
    type: 'reasoning',
    content: [],
    summary: [{ type: 'summary_text', text: answer.reasoning }],
    ...(wantsEncrypted(body.include) ? { encrypted_content: ids.next(ENCRYPTED, text) } : {}),
  }
}

function wantsEncrypted(include: Json | undefined): boolean {
  return Array.isArray(include) && include.includes('reasoning.encrypted_content')
}

function messageItem({ answer, ids, text: request }: Exchange): JsonObject {
  const { text, stop } = answer
  const part =
    stop === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', annotations: [], logprobs: [], text }
  return {
    id: ids.next(MESSAGE_ID, request),
    type: 'message',
    status: statusOf(stop),
    content: [part],
    role: 'assistant',
  }
}

function callItem({ id, name, args }: ReplyCall, { answer, body, ids, text }: Exchange): JsonObject {
  const call_id = id ?? ids.next(CALL_ID, text)
  return isCustomTool(body.tools, name)
    ? { id: ids.next(CUSTOM_CALL_ID, text), type: 'custom_tool_call', call_id, input: argumentsText(args), name }
    : {
        id: ids.next(FUNCTION_CALL_ID, text),
        type: 'function_call',
        status: statusOf(answer.stop),
        arguments: argumentsText(args),
        call_id,
        name,
      }
}

function statusOf(stop: Exchange['answer']['stop']): string {
  return stop === 'length' || stop === 'filtered' || stop === 'error' ? 'incomplete' : 'completed'
}
