import type { FormatId } from '../../../../src/model/session.ts'
import type { Plan } from '../plan.ts'
import { anthropic } from './anthropic.ts'
import { claudeCodeLines, LINE_DAMAGES } from './claude-code.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export { LONGEST } from './claude-code.ts'

export type RawFormat = Extract<FormatId, 'anthropic' | 'openai-chat' | 'openai-responses' | 'claude-code'>

export const RAW_FORMATS: readonly RawFormat[] = ['anthropic', 'openai-chat', 'openai-responses', 'claude-code']

const RENDER: { readonly [F in RawFormat]: (plan: Plan, lines: number) => object | string } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'claude-code': (plan, lines) => LINE_DAMAGES[lines % LINE_DAMAGES.length]!(claudeCodeLines(plan)).join('\n'),
}

/** The raw source. `lines`: which damage its lines have, where it has lines; 0: none. */
export function rendered(format: RawFormat, plan: Plan, lines = 0): object | string {
  return RENDER[format](plan, lines)
}
