import { type ChangeCode, type ChangeDetail, change } from '../model/change.ts'
import { sameJson } from '../model/json.ts'
import type { Change, Session, TextPart, ToolDefinition } from '../model/session.ts'
import { nameDefinitions } from '../repair/names.ts'
import { mendValue } from '../repair/strings.ts'
import type { WriteOptions } from '../rules/options.ts'
import type { Rules } from '../rules/rules.ts'
import type { Fold } from './fold.ts'
import { definable } from './tools.ts'

/** What stands before the messages: the system prompt and the tool definitions, as they will be written. */
export interface Prompt {
  readonly instructions: readonly TextPart[]
  readonly tools: readonly ToolDefinition[] | undefined
  readonly changes: readonly Change[]
  /** It is not what the model saw, so that nothing signed behind it holds. */
  readonly drifted: boolean
}

export function chosenInstructions(options: WriteOptions, stored: readonly TextPart[]): readonly TextPart[] {
  const { instructions = 'keep' } = options
  if (instructions === 'keep') return stored
  if (instructions === 'drop') return []
  return typeof instructions === 'string' ? [{ type: 'text', text: instructions }] : instructions
}

/** Whether the prompt is known, before a message is read, to differ from what the model saw. */
export function promptDrifts(options: WriteOptions, start: Session, rules: Rules): boolean {
  const stored = start.instructions ?? []
  if (!sameJson(texts(chosenInstructions(options, stored)), texts(stored))) return true
  const tools = options.tools ?? start.tools
  // Definitions would have to be made up.
  if (tools === undefined || definable(tools, rules).length === 0) return rules.wantsTools
  return options.tools !== undefined && !sameJson(options.tools, start.tools)
}

const texts = (parts: readonly TextPart[]): readonly string[] => parts.map((part) => part.text)

/** Repairs the prompt; definitions first, so that their names are taken before those of calls. */
export function writePrompt(
  fold: Fold<object, unknown, WriteOptions, unknown>,
  options: WriteOptions,
  start: Session,
  refusesNul: boolean,
): Omit<Prompt, 'drifted'> {
  const changes: Change[] = []
  const add = (code: ChangeCode, detail?: ChangeDetail): void => {
    changes.push(change(code, {}, detail))
  }
  const tools = (options.tools ?? start.tools)?.map((tool) => {
    const mended = mendValue(tool, refusesNul)
    if (mended !== tool) add('text-ill-formed', { before: tool.name })
    return mended
  })
  const named = tools && nameDefinitions(tools, fold.book, { add: (code, _part, _callId, detail) => add(code, detail) })
  const stored = start.instructions ?? []
  const chosen = chosenInstructions(options, stored)
  for (const part of stored) {
    if (chosen !== stored && !texts(chosen).includes(part.text)) add('instructions-replaced', { before: part.text })
  }
  const written = fold.repairAlone({ role: 'instruction', authority: 'system', parts: chosen }, (found) =>
    changes.push(found),
  )
  return { instructions: written.message.parts as readonly TextPart[], tools: named, changes }
}

/** Definitions made from the names of the history's calls, where the API wants some and none are known. */
export function stubs(names: ReadonlySet<string>): readonly ToolDefinition[] {
  return [...names].map((name) => ({
    name,
    description: 'Used earlier in this conversation; its definition was not stored.',
    parameters: { type: 'object', properties: {} },
  }))
}
