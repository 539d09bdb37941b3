import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { fromOpenAIChat } from '../openai-chat.ts'
import type { AnswerOptions } from '../options.ts'
import { type ChatCalls, chatCalls } from './chat-calls.ts'
import { addContent, addDetails, type Content, saidContent } from './chat-content.ts'
import { asStopped } from './stopped.ts'
import { type AnswerStream, append, type Draft } from './stream.ts'

interface Coming {
  /** `id`, `model` and `usage` of the completion. */
  readonly head: Draft
  /** The message, but its content and calls. */
  readonly message: Draft
  content: Content | undefined
  readonly details: Draft[]
  readonly calls: ChatCalls
  finish: string | undefined
  hasFailed: boolean
}

/** Chunks of Chat Completions and of the servers that speak it. Of several choices the first one is collected. */
export function openaiChatStream(options: AnswerOptions): AnswerStream {
  const coming: Coming = {
    head: {},
    message: {},
    content: undefined,
    details: [],
    calls: chatCalls(),
    finish: undefined,
    hasFailed: false,
  }
  return {
    push: (chunk) => takeChunk(coming, chunk),
    message() {
      const { head, finish, hasFailed, calls } = coming
      const choice = { index: 0, message: messageOf(coming), finish_reason: finish ?? null }
      const message = fromOpenAIChat({ ...head, choices: [choice] }, options)
      if (finish !== undefined && !hasFailed) return message
      // The last call is whole once the next one begins, or the choice is finished.
      const isWhole = (call: number): boolean => finish !== undefined || call < calls.count() - 1
      return asStopped(message, isWhole, hasFailed ? 'error' : 'aborted')
    },
  }
}

function takeChunk(coming: Coming, chunk: object): void {
  for (const key of ['id', 'model']) {
    const value = stringAt(chunk, key)
    // The first chunk of some servers names neither.
    if (value !== undefined && value !== '') coming.head[key] ??= value
  }
  const usage = valueAt(chunk, 'usage')
  if (isObject(usage)) coming.head.usage = usage
  if (isObject(valueAt(chunk, 'error'))) coming.hasFailed = true
  const choices = valueAt(chunk, 'choices')
  if (!Array.isArray(choices)) return
  for (const choice of choices) {
    if (!isObject(choice) || (valueAt(choice, 'index') ?? 0) !== 0) continue
    takeDelta(coming, valueAt(choice, 'delta'))
    coming.finish = stringAt(choice, 'finish_reason') ?? coming.finish
  }
}

/** Texts that come in pieces. */
const TEXTS = ['refusal', 'reasoning_content', 'reasoning']

function takeDelta(coming: Coming, delta: unknown): void {
  if (!isObject(delta)) return
  for (const key of TEXTS) append(coming.message, key, valueAt(delta, key))
  coming.content = addContent(coming.content, valueAt(delta, 'content'))
  addDetails(coming.details, valueAt(delta, 'reasoning_details'))
  coming.calls.add(delta)
  const audio = valueAt(delta, 'audio')
  if (!isObject(audio)) return
  const before = coming.message.audio
  const whole: Draft = isObject(before) ? { ...before } : {}
  whole.id ??= valueAt(audio, 'id')
  append(whole, 'transcript', valueAt(audio, 'transcript'))
  coming.message.audio = whole
}

function messageOf({ message, content, details, calls }: Coming): Draft {
  const fields = {
    ...message,
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...calls.fields(),
  }
  return { role: 'assistant', ...fields, content: saidContent(content, Object.keys(fields).length > 0) }
}
