import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import type { UserMessage } from '../../model/session.ts'

/**
 * User messages that Codex itself wrote for the model, by how they begin and end; they begin no turn.
 * @see https://github.com/openai/codex/tree/main/codex-rs/core/src/context
 */
const FRAGMENTS: readonly { readonly open: string; readonly close: string }[] = [
  { open: '# agents.md instructions', close: '</instructions>' },
  { open: '<user_instructions>', close: '</user_instructions>' },
  { open: '<environment_context>', close: '</environment_context>' },
  { open: '<skill>', close: '</skill>' },
  { open: '<user_shell_command>', close: '</user_shell_command>' },
  { open: '<turn_aborted>', close: '</turn_aborted>' },
  { open: '<subagent_notification>', close: '</subagent_notification>' },
  { open: '<hook_prompt', close: '</hook_prompt>' },
  { open: '<recommended_plugins>', close: '</recommended_plugins>' },
]

/** How a summary begins that Codex itself asked a model for. */
const SUMMARY = 'Another language model started to solve this problem and produced a summary'

/** The kind of a user message item. */
export function kindOf(item: Fields): UserMessage['kind'] {
  const texts = textsOf(item)
  if (texts[0]?.startsWith(SUMMARY) === true) return 'summary'
  return texts.some(isFragment) ? 'injected' : undefined
}

export function textsOf(item: Fields): readonly string[] {
  const content = valueAt(item, 'content')
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.map((part) => stringAt(part, 'text')).filter((text) => text !== undefined)
}

function isFragment(text: string): boolean {
  const trimmed = text.trim()
  // No other text is looked at any further.
  if (!trimmed.startsWith('<') && !trimmed.startsWith('#')) return false
  return FRAGMENTS.some(
    ({ open, close }) =>
      trimmed.slice(0, open.length).toLowerCase() === open && trimmed.slice(-close.length).toLowerCase() === close,
  )
}

/** Where the first context says that the session ran: the session itself did not say it before September 2025. */
export function folderIn(item: Fields): string | undefined {
  const text = textsOf(item).find((found) => found.trimStart().toLowerCase().startsWith('<environment_context>'))
  return text === undefined ? undefined : (between(text, '<cwd>', '</cwd>') ?? between(text, FOLDER_IS, '\n'))
}

const FOLDER_IS = 'Current working directory: '

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before)
  const end = start < 0 ? -1 : text.indexOf(after, start + before.length)
  return end < 0 ? undefined : text.slice(start + before.length, end).trim() || undefined
}
