import { shortHash } from '../model/hash.ts'
import type { Part, ToolCallEntry } from '../model/session.ts'
import type { IdRule } from '../rules/rules.ts'
import { replaceParts, type Step } from './step.ts'
import { fits, unused } from './unused.ts'

/**
 * Call ids that are empty, foreign in shape, or used twice. A made-up id derives from the id, the name and how often that
 * id occurred earlier, never from anything later, so that what was written once stays as it was.
 */
export const ids: Step = {
  defect: 'call ids that the API refuses',
  start(rules) {
    const book = idBook(rules.callIds)
    return {
      suspect(parts, _message, turn) {
        if (!turn.joins) book.nextMessage()
        let suspect = false
        // The ids of a message are taken together, so that an earlier call of it never takes the id of a later one.
        for (const part of parts) if (isClientCall(part) && !book.take(part)) suspect = true
        return suspect
      },
      mend(draft, _turn, report) {
        replaceParts(draft, (part, place) => {
          if (!isClientCall(part)) return part
          const id = book.idOf(part)
          if (id === part.id) return part
          report.add(part.id === '' ? 'id-made' : 'id-renamed', place, part.id, { before: part.id, after: id })
          return { ...part, id }
        })
      },
    }
  },
}

function isClientCall(part: Part): part is ToolCallEntry {
  return part.type === 'tool-call' && part.executor !== 'provider'
}

interface IdBook {
  nextMessage(): void
  /** Takes the call's own id if it is fit and free; else the call must be given one. */
  take(call: ToolCallEntry): boolean
  idOf(call: ToolCallEntry): string
}

function idBook(rule: IdRule): IdBook {
  const taken = new Set<string>()
  const uses = new Map<string, number>()
  // Valid ids become known to be so only once.
  const fit = new Set<string>()
  let own = new Set<ToolCallEntry>()
  return {
    nextMessage() {
      if (own.size > 0) own = new Set()
      if (rule.unique === 'message') taken.clear()
    },
    take(call) {
      if (taken.has(call.id) || !(fit.has(call.id) || fits(call.id, rule))) return false
      fit.add(call.id)
      taken.add(call.id)
      own.add(call)
      return true
    },
    idOf(call) {
      if (own.has(call)) return call.id
      const key = call.id === '' ? `\n${call.name}` : call.id
      const use = (uses.get(key) ?? 0) + 1
      uses.set(key, use)
      const seed = `${call.id}\n${call.name}\n${use}`
      const wanted = call.id === '' ? `call_${shortHash(seed)}` : call.id
      const id = unused(wanted, seed, rule, (text) => taken.has(text))
      taken.add(id)
      return id
    },
  }
}
