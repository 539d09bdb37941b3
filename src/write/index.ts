import { preview } from '../model/json.ts'
import type { Change, Session } from '../model/session.ts'
import type { AnthropicOptions, OpenAIChatOptions, OpenAIResponsesOptions, WriteOptions } from '../rules/options.ts'
import { type AnthropicRequest, writer as anthropic } from './anthropic/index.ts'
import { type OpenAIChatRequest, writer as openaiChat } from './openai-chat/index.ts'
import { type OpenAIResponsesRequest, writer as openaiResponses } from './openai-responses/index.ts'
import { Thread as ThreadFold, type ThreadOf, type Written } from './thread.ts'
import type { Writer } from './writer.ts'

interface Requests {
  anthropic: AnthropicRequest
  'openai-chat': OpenAIChatRequest
  'openai-responses': OpenAIResponsesRequest
}

interface Options {
  anthropic: AnthropicOptions
  'openai-chat': OpenAIChatOptions
  'openai-responses': OpenAIResponsesOptions
}

/** The APIs that can be written. */
export type WritableApi = keyof Requests
export type RequestOf<A extends WritableApi> = Requests[A]
export type OptionsOf<A extends WritableApi> = Options[A]
export type Thread<A extends WritableApi> = ThreadOf<RequestOf<A>>

const WRITERS: { readonly [A in WritableApi]: Writer<object, RequestOf<A>, OptionsOf<A>> } = {
  anthropic: anthropic as unknown as Writer<object, AnthropicRequest, AnthropicOptions>,
  'openai-chat': openaiChat as unknown as Writer<object, OpenAIChatRequest, OpenAIChatOptions>,
  'openai-responses': openaiResponses as unknown as Writer<object, OpenAIResponsesRequest, OpenAIResponsesOptions>,
}

export const WRITABLE_APIS: readonly WritableApi[] = Object.keys(WRITERS) as WritableApi[]

const EMPTY: Session = { version: 1, messages: [] }

function fold<A extends WritableApi>(
  api: A,
  options: OptionsOf<A>,
  start: Session,
): ThreadFold<object, RequestOf<A>, OptionsOf<A>, unknown> {
  if (typeof api !== 'string' || !Object.hasOwn(WRITERS, api))
    throw new RangeError(`No writer for the API ${preview(api)}; known: ${WRITABLE_APIS.join(', ')}`)
  return new ThreadFold(WRITERS[api] as Writer<object, RequestOf<A>, OptionsOf<A> & WriteOptions>, options, start)
}

/**
 * Writes a session as a history of that API, repaired so that the API accepts it.
 * @throws {RangeError} for an API that cannot be written.
 * @throws {ConvertError} with `onLoss: 'throw'`, when content would be lost.
 */
export function convert<A extends WritableApi>(
  session: Session,
  api: A,
  options?: OptionsOf<A>,
): Written<RequestOf<A>> {
  return fold(api, options ?? {}, session).request()
}

/** The repairs alone, for a caller who wants to save the repaired session. */
export function repairSession<A extends WritableApi>(
  session: Session,
  api: A,
  options?: OptionsOf<A>,
): { readonly session: Session; readonly changes: readonly Change[] } {
  return fold(api, options ?? {}, session).repaired()
}

/** A history that grows with a live loop: `push` messages, `settle` calls, take the `request` whenever the model is called. */
export function openThread<A extends WritableApi>(
  api: A,
  options?: OptionsOf<A> & { readonly start?: Session | undefined },
): Thread<A> {
  const { start, ...rest } = options ?? ({} as OptionsOf<A> & { readonly start?: Session })
  return fold(api, rest as OptionsOf<A>, start ?? EMPTY)
}
