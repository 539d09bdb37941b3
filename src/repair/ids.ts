import { shortHash } from '../model/hash.ts'
import type { Part, ToolCallEntry } from '../model/session.ts'
import type { IdRule } from '../rules/rules.ts'
import { replaceParts, type Step } from './step.ts'
import { shaper } from './unused.ts'

/**
 * Call ids that are empty, foreign in shape, or used twice. A made-up id derives from the id, the name and how often that
 * id occurred earlier, never from anything later, so that what was written once stays as it was.
 */
export const ids: Step = {
  defect: 'call ids that the API refuses',
  start(rules) {
    const book = idBook(rules.callIds)
    // Ids of the message under test; most messages have one at most.
    let first: string | undefined
    const others = new Set<string>()
    return {
      begin(scene) {
        if (!scene.joins) book.nextMessage()
        first = undefined
        if (others.size > 0) others.clear()
      },
      suspects: {
        'tool-call'({ id }) {
          if (!book.fits(id)) return true
          if (first === undefined) first = id
          else if (id === first || others.has(id)) return true
          else others.add(id)
          return false
        },
      },
      mend(draft, _scene, report) {
        // The ids of a message that can stay are taken first, so that no made-up id is one of them.
        const kept = book.keep(draft.parts.filter(isClientCall))
        replaceParts(draft, (part, place) => {
          if (!isClientCall(part) || kept.has(part)) return part
          const id = book.make(part)
          report.add(part.id === '' ? 'id-made' : 'id-renamed', place, part.id, { before: part.id, after: id })
          return { ...part, id }
        })
      },
      commit({ role, parts }) {
        if (role !== 'assistant') return
        for (const part of parts) if (isClientCall(part)) book.take(part.id)
      },
    }
  },
}

function isClientCall(part: Part): part is ToolCallEntry {
  return part.type === 'tool-call' && part.executor !== 'provider'
}

interface IdBook {
  nextMessage(): void
  fits(id: string): boolean
  take(id: string): void
  /** Takes the ids that can stay; gives their calls. */
  keep(calls: readonly ToolCallEntry[]): ReadonlySet<ToolCallEntry>
  make(call: ToolCallEntry): string
}

function idBook(rule: IdRule): IdBook {
  const taken = new Set<string>()
  const uses = new Map<string, number>()
  const shape = shaper(rule)
  const isTaken = (id: string): boolean => taken.has(id)
  const free = (id: string): boolean => !taken.has(id) && shape.fits(id)
  return {
    nextMessage() {
      if (rule.unique === 'message' && taken.size > 0) taken.clear()
    },
    fits: free,
    take: (id) => void taken.add(id),
    keep(calls) {
      const kept = new Set<ToolCallEntry>()
      for (const call of calls) {
        if (!free(call.id)) continue
        taken.add(call.id)
        kept.add(call)
      }
      return kept
    },
    make(call) {
      const key = call.id === '' ? `\n${call.name}` : call.id
      const use = (uses.get(key) ?? 0) + 1
      uses.set(key, use)
      const seed = `${call.id}\n${call.name}\n${use}`
      const wanted = call.id === '' ? `call_${shortHash(seed)}` : call.id
      const id = shape.unused(wanted, seed, isTaken)
      taken.add(id)
      return id
    },
  }
}
