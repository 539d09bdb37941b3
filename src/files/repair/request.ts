import { check } from '../../check/index.ts'
import type { Violation } from '../../check/rule.ts'
import { isObject, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { AssistantMessage, FormatId, Session } from '../../model/session.ts'
import { convert, WRITABLE_APIS, type WritableApi } from '../../write/index.ts'
import type { OpenCall } from './plan.ts'

/** A request that goes on with a session, and what its API says to it. */
export interface SentRequest {
  readonly api: WritableApi
  readonly model: string
  readonly request: object
  /** The first one is what the API would answer; none: it takes the request. */
  readonly violations: readonly Violation[]
}

/** The API that a tool speaks, where it speaks one. */
const APIS: { readonly [format in FormatId]?: WritableApi } = {
  'claude-code': 'anthropic',
  cline: 'anthropic',
  codex: 'openai-responses',
}

/** Stands for sessions that name no model of the API. */
const MODELS: { readonly [api in WritableApi]: string } = {
  anthropic: 'claude-sonnet-4-5',
  'openai-chat': 'gpt-5',
  'openai-responses': 'gpt-5',
}

/**
 * The request with which a tool goes on: the calls that are open in its file have no result in it. `asSent`: the request
 * itself, where it is known.
 */
export function sentRequest(
  session: Session,
  format: FormatId,
  open: readonly OpenCall[],
  asSent?: object,
): SentRequest {
  const last = session.messages.findLast((message): message is AssistantMessage => message.role === 'assistant')
  const api = own(APIS, format) ?? WRITABLE_APIS.find((known) => known === last?.by?.api) ?? 'anthropic'
  const isOwn = last?.by?.api === undefined || last.by.api === api
  const model = (isOwn ? last?.by?.model : undefined) ?? MODELS[api]
  const sent = asSent ?? written(session, api, model, open)
  const violations = check(api, { model, ...(api === 'anthropic' ? { max_tokens: 1024 } : {}), ...sent })
  return { api, model, request: sent, violations }
}

function written(session: Session, api: WritableApi, model: string, open: readonly OpenCall[]): object {
  const options = { model, level: 'live' } as const
  if (open.length === 0) return convert<WritableApi>(session, api, options).request
  const marked = withMarks(session, new Set(open.map(({ id }) => id)))
  return withoutMarked(convert<WritableApi>(marked, api, options).request)
}

/** In the reason of an interruption, from where it comes into the closing text. */
const MARK = '\u{f8ff}open\u{f8ff}'

function withMarks(session: Session, open: ReadonlySet<string>): Session {
  const messages = session.messages.map((message) => {
    if (message.role !== 'assistant') return message
    const parts = message.parts.map((part) =>
      part.type === 'tool-call' && part.state.status === 'interrupted' && open.has(part.id)
        ? { ...part, state: { ...part.state, reason: MARK } }
        : part,
    )
    return { ...message, parts }
  })
  return { ...session, messages }
}

const LISTS = ['messages', 'input'] as const

/** A request without the results that bear the mark, as blocks of a message or as messages or items of their own. */
function withoutMarked(request: object): object {
  const copy: { [key: string]: unknown } = { ...request }
  for (const key of LISTS) {
    const list = copy[key]
    if (Array.isArray(list)) copy[key] = list.flatMap((item: unknown) => unmarked(item))
  }
  return copy
}

function unmarked(item: unknown): readonly unknown[] {
  const content = valueAt(item, 'content')
  if (isMarked(isResult(item) ? (valueAt(item, 'output') ?? content) : undefined)) return []
  if (!isObject(item) || !Array.isArray(content)) return [item]
  const kept = content.filter((block: unknown) => !(isResult(block) && isMarked(valueAt(block, 'content'))))
  if (kept.length === content.length) return [item]
  return kept.length === 0 ? [] : [{ ...item, content: kept }]
}

const RESULTS: ReadonlySet<unknown> = new Set(['tool_result', 'function_call_output', 'custom_tool_call_output'])

function isResult(value: unknown): boolean {
  const type = valueAt(value, 'type')
  return RESULTS.has(type) || String(type).endsWith('_output') || valueAt(value, 'role') === 'tool'
}

function isMarked(content: unknown): boolean {
  if (typeof content === 'string') return content.includes(MARK)
  return Array.isArray(content) && content.some((block) => String(valueAt(block, 'text')).includes(MARK))
}
