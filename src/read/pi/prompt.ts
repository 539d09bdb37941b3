import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { TextPart, ToolDefinition } from '../../model/session.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'
import { others, slot } from '../slots.ts'

/** The system prompt and the tools, which system messages change bit by bit. */
export class Prompt {
  readonly #texts: string[] = []
  readonly #sections = new Map<string, string>()
  readonly #tools = new Map<string, ToolDefinition>()

  /** Takes a message into the prompt. */
  apply(message: Fields, report: Report): void {
    const text = contentText(message.content)
    if (text !== '') this.#texts.push(text)
    for (const [name, value] of sectionsOf(message)) {
      if (value === null) this.#sections.delete(name)
      else this.#sections.set(name, value)
    }
    this.applyTools(message, report)
  }

  applyTools(message: Fields, report: Report): void {
    for (const tool of listAt(message, 'toolsRemoved')) this.#tools.delete(stringAt(tool, 'name') ?? '')
    for (const stored of listAt(message, 'toolsAdded')) {
      const tool = toolOf(stored, report)
      if (tool !== undefined) this.#tools.set(tool.name, tool)
    }
  }

  get instructions(): readonly TextPart[] {
    const text = [...this.#texts, ...this.#sections.values()].filter((part) => part !== '').join('\n\n')
    return text === '' ? [] : [{ type: 'text', text }]
  }

  get tools(): readonly ToolDefinition[] {
    return [...this.#tools.values()]
  }
}

/** What a system message in mid-conversation says, in pi's own words. */
export function updateText(message: Fields): string {
  const text = contentText(message.content)
  const changes = sectionsOf(message).map(([name, value]) =>
    value === null
      ? `Removed system prompt section "${name}".`
      : `Updated system prompt section "${name}":\n\n${value}`,
  )
  return [...(text === '' ? [] : [text]), ...changes].join('\n\n')
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (typeof block === 'string' ? block : stringAt(block, 'text')))
    .filter((text) => text !== undefined)
    .join('\n')
}

function sectionsOf(message: Fields): readonly [string, string | null][] {
  if (!isObject(message.sections)) return []
  return Object.entries(message.sections).filter(isSection)
}

const isSection = (entry: [string, unknown]): entry is [string, string | null] =>
  entry[1] === null || typeof entry[1] === 'string'

const listAt = (message: Fields, key: string): readonly unknown[] => {
  const list = message[key]
  return Array.isArray(list) ? list : []
}

const KNOWN = new Set(['name', 'description', 'parameters'])

function toolOf(stored: unknown, report: Report): ToolDefinition | undefined {
  const name = stringAt(stored, 'name')
  if (name === undefined || !isObject(stored)) {
    report('part-invalid', { before: stored })
    return undefined
  }
  const description = stringAt(stored, 'description')
  const { parameters } = stored
  const rest = others(stored, KNOWN)
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined || parameters === null ? {} : { parameters: bounded(parameters, report) }),
    ...(rest === undefined ? {} : slot('pi', bounded(rest, report) as typeof rest)),
  }
}
