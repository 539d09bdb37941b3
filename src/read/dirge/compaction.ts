import { type Fields, isObject, stringAt } from '../../model/json.ts'

export interface Compaction {
  readonly summary: string
  /** How many of the stored messages the summary stands for. */
  readonly replaced: number
  /** Those of all compactions, the last one's included. */
  readonly summaries: readonly string[]
  /** Whether the first of them is the summary itself, which later versions store as a message too. */
  readonly summaryStored: boolean
}

/** Only the last compaction counts; its index may point behind the last message. */
export function lastCompaction(session: Fields, messages: readonly unknown[]): Compaction | undefined {
  const compactions = Array.isArray(session.compactions) ? session.compactions : []
  const last = compactions.findLast((entry) => stringAt(entry, 'summary') !== undefined)
  if (!isObject(last)) return undefined
  const summary = stringAt(last, 'summary') ?? ''
  const index = typeof last.first_kept_index === 'number' ? Math.trunc(last.first_kept_index) : 0
  const first = messages[0]
  const summaryStored = stringAt(first, 'role') === 'system' && stringAt(first, 'content') === summary
  const summaries = compactions.flatMap((entry) => stringAt(entry, 'summary') ?? [])
  return { summary, summaries, replaced: Math.min(Math.max(index, 0), messages.length) || 0, summaryStored }
}

/** The words with which the program itself sends a summary. */
export const summaryText = (summary: string): string => `[Previous conversation summary]\n${summary}`
