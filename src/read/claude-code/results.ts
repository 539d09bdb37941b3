import { isObject } from '../../model/json.ts'
import type { ToolCallState } from '../../model/session.ts'
import { resultState } from '../anthropic/output.ts'
import type { ResultBlock } from './messages.ts'

/**
 * What the tool writes for a call that it gave up: the result is not known, the text only makes the history valid. A result that
 * was written besides is the truth.
 */
const CLOSERS: ReadonlySet<string> = new Set([
  '[Tool result missing due to internal error]',
  '[Request interrupted by user for tool use]',
  '[Request interrupted by user]',
  'Interrupted by user',
])

const LONGEST = Math.max(...[...CLOSERS].map((text) => text.length))

/** How the texts begin by which the tool says that the user or a rule refused a call, so that it did not run. */
const DENIALS: readonly string[] = [
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action right now",
]

export function isCloser(block: ResultBlock): boolean {
  const text = firstText(block.content)
  // Looking a long text up would read all of it.
  return text !== undefined && text.length <= LONGEST && CLOSERS.has(text)
}

/** The outcome that a `tool_result` block tells: a call that the tool gave up is not done, even where no flag says so. */
export function stateOf(block: ResultBlock): ToolCallState {
  const state = resultState(isCloser(block) ? { ...block, is_error: true } : block)
  return state.status === 'failed' && isDenial(block) ? { ...state, denied: true } : state
}

function isDenial(block: ResultBlock): boolean {
  const text = firstText(block.content)
  return text !== undefined && DENIALS.some((begin) => text.startsWith(begin))
}

function firstText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return isObject(first) && typeof first.text === 'string' ? first.text : undefined
}
