import { stringAt } from '../../model/json.ts'
import type { Report } from '../report.ts'
import type { Stored } from './envelope.ts'

/** Stands for all messages so far. */
const ALL = '__remove_all__'

/** Carries out the messages that remove others, as a graph does when it takes them up. */
export function withoutRemoved(stored: readonly Stored[], report: Report): readonly Stored[] {
  if (!stored.some(({ kind }) => kind === 'remove')) return stored
  const from = stored.findLastIndex(({ kind, fields }) => kind === 'remove' && stringAt(fields, 'id') === ALL) + 1
  const lastPlace = new Map<string, number>()
  for (const [index, { kind, fields }] of stored.entries()) {
    const id = stringAt(fields, 'id')
    if (kind === 'remove' && id !== undefined) lastPlace.set(id, index)
  }
  const kept = stored.filter(({ kind, fields }, index) => {
    const removed = lastPlace.get(stringAt(fields, 'id') ?? '')
    return kind !== 'remove' && index >= from && (removed === undefined || removed < index)
  })
  report('message-left-out', { message: REMOVED, before: `${stored.length - kept.length} messages` })
  return kept
}

const REMOVED = 'Messages that were removed later were left out.'
