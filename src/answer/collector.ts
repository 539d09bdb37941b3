import { preview } from '../model/json.ts'
import { own } from '../model/own.ts'
import { type AnswerOptions, checkAnswerOptions } from './options.ts'
import { anthropicStream } from './stream/anthropic.ts'
import { openaiChatStream } from './stream/openai-chat.ts'
import { openaiResponsesStream } from './stream/openai-responses.ts'
import type { AnswerStream } from './stream/stream.ts'

/** The APIs whose streams can be collected. */
export type CollectableApi = 'anthropic' | 'openai-chat' | 'openai-responses'

const STREAMS: { readonly [api in CollectableApi]: (options: AnswerOptions) => AnswerStream } = {
  anthropic: anthropicStream,
  'openai-chat': openaiChatStream,
  'openai-responses': openaiResponsesStream,
}

/** Collects one answer. */
export type Collector = AnswerStream

/**
 * Collects the events of a streamed answer, as the SDKs give them: the events of the Messages API, the chunks of Chat
 * Completions, the events of the Responses API.
 *
 * `message()` may be asked at any time. Once the stream has ended it is what `fromAnthropic`, `fromOpenAIChat` or
 * `fromOpenAIResponses` make of the plain answer. Before, it is what had come, as if nothing more ever did: `stop` is
 * `aborted`, or `error` after an error event; a call that is whole is pending, one that was still coming is interrupted,
 * not dispatched, with the text of its arguments; thinking that was not signed yet has no signature.
 * @throws {TypeError} for an API that it does not know, and for options of wrong types.
 */
export function collector(api: CollectableApi, options: AnswerOptions = {}): Collector {
  const open = own(STREAMS, api)
  if (open === undefined)
    throw new TypeError(`No collector for ${preview(api)}; there are ${Object.keys(STREAMS).join(', ')}`)
  checkAnswerOptions(options)
  return open(options)
}
