import type { Part, ToolCallEntry, ToolDefinition } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { type Report, replaceParts, type Step } from './step.ts'
import { type Shaper, shaper } from './unused.ts'

const UNNAMED = 'unknown_tool'

/** One map for the whole request: a name is changed in calls and definitions alike, and two names never become one. */
export interface NameBook {
  /** Whether the name is known to stay as it is. */
  keeps(name: string): boolean
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
  const called = shaper(rules.names)
  const defined = shaper(rules.definedNames)
  const mapped = (name: string, shape: Shaper): string => {
    const known = map.get(name)
    if (known !== undefined) return known
    const fits = shape.fits(name) && !taken.has(name)
    const made = fits ? name : shape.unused(name || UNNAMED, name, (text) => taken.has(text))
    map.set(name, made)
    taken.add(made)
    return made
  }
  return {
    keeps: (name) => map.get(name) === name,
    nameOf: (name) => mapped(name, called),
    define: (name) => mapped(name, defined),
    used,
    use: (name) => used.add(name),
  }
}

function isClientCall(part: Part): part is ToolCallEntry {
  return part.type === 'tool-call' && part.executor !== 'provider'
}

/** Tool names in calls: characters, length, emptiness. */
export function names(book: NameBook): Step {
  return {
    defect: 'tool names that the API refuses',
    start() {
      // Runs of calls of one tool are common.
      let last: string | undefined
      return {
        suspects: { 'tool-call': (part) => !book.keeps(part.name) },
        mend(draft, _scene, report) {
          replaceParts(draft, (part, place) => {
            if (!isClientCall(part)) return part
            const name = book.nameOf(part.name)
            if (name === part.name) return part
            report.add('name-changed', place, part.id, { before: part.name, after: name })
            return { ...part, name }
          })
        },
        commit({ role, parts }) {
          if (role !== 'assistant') return
          for (const part of parts) {
            if (!isClientCall(part) || part.name === last) continue
            last = part.name
            book.use(last)
          }
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
