import { valueAt } from '../../model/json.ts'
import type { StoredMessage } from './stored.ts'

/** Behind the three letters and the `_`: milliseconds times 4096 plus a counter, modulo 2 to the 48th, in hexadecimal. */
const ID = /^[a-z]{3}_([0-9a-f]{12})/

const WRAP = 2 ** 48
const PER_MILLISECOND = 4096

/**
 * The moment that an id was made, in milliseconds: of all that it may stand for, since the counter wraps around every 795
 * days, the one nearest to a moment that is known. Undefined for an id of another form.
 */
export function momentOf(id: string, near: number): number | undefined {
  const hex = ID.exec(id)?.[1]
  if (hex === undefined) return undefined
  const count = Number.parseInt(hex, 16)
  const wraps = Math.round((near * PER_MILLISECOND - count) / WRAP)
  return (count + wraps * WRAP) / PER_MILLISECOND
}

/** The program compares the time first and the id only of one time. What has no time stays behind its neighbour. */
export function byTime(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  let last = 0
  let sorted = true
  const keyed = messages.map((message) => {
    const created = valueAt(message.info.time, 'created') ?? message.created
    const time = typeof created === 'number' && Number.isFinite(created) ? created : last
    if (time < last) sorted = false
    last = time
    return { message, time }
  })
  if (!sorted) keyed.sort((a, b) => a.time - b.time)
  return sorted ? messages : keyed.map(({ message }) => message)
}
