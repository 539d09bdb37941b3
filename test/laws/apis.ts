import type fc from 'fast-check'
import { checkAnthropic } from '../../src/check/anthropic/index.ts'
import { checkOpenAIChat } from '../../src/check/openai-chat/index.ts'
import { checkOpenAIResponses } from '../../src/check/openai-responses/index.ts'
import type { CheckOptions, Violation } from '../../src/check/rule.ts'
import type { Session } from '../../src/model/session.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { convert, type OptionsOf, type WritableApi } from '../../src/write/index.ts'
import type { Written } from '../../src/write/thread.ts'
import { anthropicTarget, chatTarget, responsesTarget, type Target } from './arbitrary/target.ts'

/** What a law needs to know of an API: how to write it, check it and read what was written. */
export interface Api {
  readonly id: WritableApi
  readonly target: fc.Arbitrary<Target<WriteOptions>>
  readonly check: (body: unknown, options: CheckOptions) => readonly Violation[]
  /** The key of the list of wire elements. */
  readonly list: 'messages' | 'input'
}

export const APIS: readonly Api[] = [
  { id: 'anthropic', target: anthropicTarget, check: checkAnthropic, list: 'messages' },
  { id: 'openai-chat', target: chatTarget, check: checkOpenAIChat, list: 'messages' },
  { id: 'openai-responses', target: responsesTarget, check: checkOpenAIResponses, list: 'input' },
]

export type Wire = { readonly [key: string]: unknown }
export type Request = { readonly [key: string]: unknown }

export function write(api: Api, session: Session, options: WriteOptions): Written<Request> {
  const written = convert(session, api.id, options as OptionsOf<WritableApi>)
  return written as unknown as Written<Request>
}

export function wiresOf(api: Api, request: Request): readonly Wire[] {
  return request[api.list] as readonly Wire[]
}

/** Whether the request ends with what a model answers: a user turn, results, an instruction. Then it must be taken as it is. */
export function awaitsAnswer(api: Api, request: Request): boolean {
  const last = wiresOf(api, request).at(-1)
  if (last === undefined) return false
  if (typeof last.role === 'string') return last.role !== 'assistant'
  return typeof last.type === 'string' && last.type.endsWith('_output')
}

export function violationsOf(
  api: Api,
  request: Request,
  target: Target<WriteOptions>,
  level: 'live' | 'strict' = 'strict',
): readonly Violation[] {
  return api.check({ ...target.beside, ...request }, { level, platform: target.platform })
}
