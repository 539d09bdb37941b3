import type { Violation } from '../check/rule.ts'
import type { ApiId, AssistantMessage, Json, Usage } from '../model/session.ts'

/** A call of the scripted answer. */
export interface ReplyCall {
  readonly name: string
  /** A string is sent as it is, which also scripts arguments that are no JSON and the input of custom tools. */
  readonly args: Json
  /** Default: an id of the vendor's shape that does not occur in the request. */
  readonly id?: string | undefined
}

/** What the model says. A string is `{ text }`. */
export interface ReplyTurn {
  readonly text?: string | undefined
  /** Chat completions carry it as `reasoning_content`, the key that its compatible servers use. */
  readonly reasoning?: string | undefined
  readonly toolCalls?: readonly ReplyCall[] | undefined
  /**
   * Default `tool-calls` with calls, else `end`. `aborted`: the connection breaks before the end of the stream, or before
   * a plain answer. `error`: the vendor's own failure, in mid-stream or instead of a plain answer.
   */
  readonly stop?: AssistantMessage['stop']
  /** Replaces the counts made up of the lengths of the texts. */
  readonly usage?: Usage | undefined
}

/** An answer by status, such as 429, 500 or 529. */
export interface ReplyStatus {
  readonly status: number
  /** Absent: the vendor's own error body for that status. */
  readonly body?: Json | undefined
  /** Such as `{ 'retry-after': '0' }`. */
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** The connection fails before any answer. */
export interface ReplyDrop {
  readonly drop: true
}

export type Reply = string | ReplyTurn | ReplyStatus | ReplyDrop

/** Makes the answer when the request has come. */
export type ReplyMaker = (request: MockRequest) => Reply | Promise<Reply>

/** One request that a handler took. */
export interface MockRequest {
  readonly api: ApiId
  readonly url: string
  /** A snapshot of what came over the wire; the text itself when it is no JSON. */
  readonly body: Json
  /** Whether the answer was asked for as a stream. */
  readonly streamed: boolean
  /** Empty when the request is accepted; the first one is what the API answers. */
  readonly violations: readonly Violation[]
}

/** A turn with its defaults filled in. */
export interface Answer {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ReplyCall[]
  readonly stop: NonNullable<AssistantMessage['stop']>
  readonly usage: Usage
}

export const DEFAULT_REPLY: Reply = 'OK'

export function answerOf(reply: string | ReplyTurn): Answer {
  const turn = typeof reply === 'string' ? { text: reply } : reply
  const toolCalls = turn.toolCalls ?? []
  return {
    text: turn.text ?? '',
    reasoning: turn.reasoning ?? '',
    toolCalls,
    stop: turn.stop ?? (toolCalls.length > 0 ? 'tool-calls' : 'end'),
    usage: turn.usage ?? {},
  }
}
