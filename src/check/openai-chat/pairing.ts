import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { emptyString, type Fault, semantic } from '../openai/templates.ts'
import type { ChatRequest } from './request.ts'

/** The open turn: an assistant message with calls, and the tool messages that directly follow it. */
interface Turn {
  /** Index of the assistant message; -1 when no turn is open. */
  caller: number
  /** Each call id, with the index of the message that answered it or -1. */
  readonly answers: Map<string, number>
  /** Indices of tool messages of the turn that name another id. */
  readonly unmatched: number[]
}

/** Phase 5: the semantic validator, over the whole list in order. */
export function pairing(request: ChatRequest): void {
  const { messages, report } = request
  const turn: Turn = { caller: -1, answers: new Map(), unmatched: [] }
  const used = report.strict ? new Map<string, number>() : undefined
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (!isObject(message)) continue
    const role = stringAt(message, 'role')
    contentGiven(message, role, index, request)
    if (role === 'tool') {
      answer(message, index, turn, request)
      continue
    }
    endTurn(turn, index, request)
    if (role === 'assistant') openTurn(message, index, turn, used, request)
  }
  endTurn(turn, undefined, request)
}

/** What an assistant message may say instead of content. */
const INSTEAD = ['function_call', 'audio', 'refusal'] as const

/** Content may be null or left out beside calls and the like (recorded), and nowhere else. */
function contentGiven(message: Fields, role: string | undefined, index: number, request: ChatRequest): void {
  const content = valueAt(message, 'content')
  if (content === '') contentNotEmpty(message, index, request)
  if (content !== undefined && content !== null) return
  if (role === 'assistant' && (holdsCalls(message) || INSTEAD.some((key) => isGiven(message, key)))) return
  if (role === 'function' && content === null) return
  const fault = semantic(
    "Invalid value for 'content': expected a string, got null.",
    `messages.[${index}].content`,
    `messages[${index}].content`,
  )
  request.report.raise('content-null', fault)
}

/** No text of OpenAI exists, since it takes an empty text: in the words of its validator for other strings. */
function contentNotEmpty(message: Fields, index: number, { report }: ChatRequest): void {
  if (!report.strict || holdsCalls(message) || INSTEAD.some((key) => isGiven(message, key))) return
  report.raise('content-empty-string', emptyString(`messages[${index}].content`))
}

function isGiven(message: Fields, key: string): boolean {
  return valueAt(message, key) !== undefined && valueAt(message, key) !== null
}

function holdsCalls(message: Fields): boolean {
  const calls = valueAt(message, 'tool_calls')
  return Array.isArray(calls) && calls.length > 0
}

function openTurn(
  message: Fields,
  index: number,
  turn: Turn,
  used: Map<string, number> | undefined,
  request: ChatRequest,
): void {
  const calls = valueAt(message, 'tool_calls')
  if (!Array.isArray(calls) || calls.length === 0) return
  turn.caller = index
  for (const call of calls) {
    const id = stringAt(call, 'id')
    if (id === undefined) continue
    if (turn.answers.has(id)) request.report.raise('tool-message-duplicate', duplicate(id, index, index))
    else {
      turn.answers.set(id, -1)
      reused(id, index, used, request)
    }
  }
}

/** No text of OpenAI exists, since it takes the id again: in its words for the second use in one turn. */
function reused(id: string, index: number, used: Map<string, number> | undefined, { report }: ChatRequest): void {
  if (used === undefined) return
  const earlier = used.get(id)
  if (earlier !== undefined) report.raise('tool-call-id-reused', duplicate(id, earlier, index))
  used.set(id, index)
}

function duplicate(id: string, first: number, second: number): Fault {
  return semantic(
    `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${first}] and messages[${second}].`,
    `messages.[${second}].tool_call_id`,
    `messages[${second}].tool_call_id`,
  )
}

function answer(message: Fields, index: number, turn: Turn, { report }: ChatRequest): void {
  const id = valueAt(message, 'tool_call_id')
  if (id === undefined || id === null) report.raise('tool-message-call-id-missing', callIdMissing(index))
  if (turn.caller < 0) report.raise('tool-message-orphan', orphan(index))
  if (turn.caller < 0 || typeof id !== 'string') return
  const answered = turn.answers.get(id)
  if (answered === -1) turn.answers.set(id, index)
  else if (answered !== undefined) report.raise('tool-message-duplicate', duplicate(id, answered, index))
  else turn.unmatched.push(index)
}

function callIdMissing(index: number): Fault {
  return semantic(
    "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    `messages.[${index}].tool_call_id`,
    `messages[${index}].tool_call_id`,
  )
}

/** The API's own spelling. */
function orphan(index: number): Fault {
  return semantic(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${index}].role`,
    `messages[${index}].role`,
  )
}

function hasUnanswered(turn: Turn): boolean {
  for (const answered of turn.answers.values()) if (answered < 0) return true
  return false
}

/**
 * `next`: the index of the message that ends the turn, undefined at the end of the list. A result that names another id is
 * told by the call it leaves unanswered, else as one without a call.
 */
function endTurn(turn: Turn, next: number | undefined, { report }: ChatRequest): void {
  if (turn.caller < 0) return
  if (hasUnanswered(turn)) {
    const rule = turn.unmatched.length > 0 ? 'tool-message-id-unmatched' : 'tool-message-missing'
    report.raise(rule, unanswered(turn, next))
  } else {
    for (const index of turn.unmatched) report.raise('tool-message-id-unmatched', orphan(index))
  }
  turn.caller = -1
  turn.unmatched.length = 0
  turn.answers.clear()
}

/** The param is the message that stands where an answer was due; at the end of the list it is the list. */
function unanswered(turn: Turn, next: number | undefined): Fault {
  const ids = [...turn.answers].filter(([, answered]) => answered < 0).map(([id]) => id)
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`
  if (next === undefined) return semantic(message, 'messages', `messages[${turn.caller}].tool_calls`)
  return semantic(message, `messages.[${next}].role`, `messages[${next}].role`)
}
