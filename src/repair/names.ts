import type { Part, ToolCallEntry, ToolDefinition } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { type Report, replaceParts, type Step } from './step.ts'
import { fits, unused } from './unused.ts'

const UNNAMED = 'unknown_tool'

/** One map for the whole request: a name is changed in calls and definitions alike, and two names never become one. */
export interface NameBook {
  /** The name as the API takes it. */
  nameOf(name: string): string
  define(name: string): string
  /** Names of the calls so far, as written, in the order of their first use. */
  readonly used: ReadonlySet<string>
  use(name: string): void
}

export function nameBook(rules: Rules): NameBook {
  const map = new Map<string, string>()
  const taken = new Set<string>()
  const used = new Set<string>()
  const map_ = (name: string, rule: Rules['names']): string => {
    const known = map.get(name)
    if (known !== undefined) return known
    const made =
      fits(name, rule) && !taken.has(name) ? name : unused(name || UNNAMED, name, rule, (text) => taken.has(text))
    map.set(name, made)
    taken.add(made)
    return made
  }
  return {
    nameOf: (name) => map_(name, rules.names),
    define: (name) => map_(name, rules.definedNames),
    used,
    use: (name) => used.add(name),
  }
}

/** Tool names in calls: characters, length, emptiness. */
export function names(book: NameBook): Step {
  return {
    defect: 'tool names that the API refuses',
    start() {
      const bad = (part: Part): boolean => {
        if (part.type !== 'tool-call' || part.executor === 'provider') return false
        const name = book.nameOf(part.name)
        book.use(name)
        return name !== part.name
      }
      return {
        suspect: (parts) => parts.filter(bad).length > 0,
        mend(draft, _turn, report) {
          replaceParts(draft, (part, place) => {
            if (!bad(part)) return part
            const call = part as ToolCallEntry
            const name = book.nameOf(call.name)
            report.add('name-changed', place, call.id, { before: call.name, after: name })
            return { ...call, name }
          })
        },
      }
    },
  }
}

/** The same names in definitions; of two definitions of one name the first stays. */
export function nameDefinitions(
  tools: readonly ToolDefinition[],
  book: NameBook,
  report: Report,
): readonly ToolDefinition[] {
  const seen = new Set<string>()
  return tools.flatMap((tool) => {
    if (seen.has(tool.name)) {
      report.add('extra-left-out', undefined, undefined, {
        message: 'A second definition of one tool name was left out.',
        before: tool.name,
      })
      return []
    }
    seen.add(tool.name)
    const name = book.define(tool.name)
    if (name === tool.name) return [tool]
    report.add('name-changed', undefined, undefined, { before: tool.name, after: name })
    return [{ ...tool, name }]
  })
}
