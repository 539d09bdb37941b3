import type { ToolCallState, ToolOutput } from '../../model/session.ts'

/** What a text of a user message says about a call, where the result is not a block of its own. */
export interface ResultText {
  readonly name: string
  /** What stands behind the heading; undefined when the call was not run at all. */
  readonly told: string | undefined
}

const MARK = '] Result:'
const NOT_RUN = '] was not executed'

/** `[read_file for 'a.ts'] Result:\n…`, or `Tool [read_file] was not executed …`. What stands in the brackets may hold anything. */
export function resultText(text: string): ResultText | undefined {
  if (text.startsWith('Tool [')) {
    const end = text.indexOf(']')
    return text.startsWith(NOT_RUN, end) ? { name: text.slice(6, end), told: undefined } : undefined
  }
  if (!text.startsWith('[')) return undefined
  const name = nameAt(text, 1)
  const mark = name === undefined ? -1 : text.indexOf(MARK, name.length + 1)
  return name === undefined || mark < 0 ? undefined : { name, told: text.slice(mark + MARK.length).trim() }
}

/** The name that stands at a place, before a bracket or `for`. */
export function nameAt(text: string, start: number): string | undefined {
  let end = start
  while (isNameUnit(text.charCodeAt(end))) end++
  return end > start && (text[end] === ']' || text.startsWith(' for ', end)) ? text.slice(start, end) : undefined
}

/** `a-z A-Z 0-9 _ - .`, as names of tools are. */
function isNameUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122) || unit === 95 || unit === 45 || unit === 46
  )
}

/** How the texts begin by which the tool says that the user refused a call. */
const DENIED = ['The user denied this operation', 'The user denied and provided feedback', 'The user rejected']
const FAILED = 'The tool execution failed with the following error'

/** There is no flag: what is not said to have failed is taken for completed. */
export function stateOfText(told: string | undefined, output: ToolOutput): ToolCallState {
  if (told === undefined || told.startsWith(FAILED)) return { status: 'failed', error: output }
  if (isDenied(told)) return { status: 'failed', error: output, denied: true }
  return { status: 'completed', result: output }
}

export const isDenied = (told: string): boolean => DENIED.some((begin) => told.startsWith(begin))

/** What these tools write for a call whose outcome they do not know, so that the history is valid. */
const CLOSERS: readonly string[] = [
  '[migration] Tool result missing in legacy conversation history.',
  'Tool execution was interrupted before a result was produced.',
  'Task was interrupted before this tool call could be completed.',
  'Tool execution was interrupted before completion.',
  'Context condensation triggered. Tool execution deferred.',
]

export const isCloser = (told: string): boolean => CLOSERS.some((begin) => told.startsWith(begin))
