/** Seconds since 1970 stay below this until the year 5138, milliseconds have been above it since 1973. */
const MILLISECONDS_FROM = 1e11

/** What SQLite's `CURRENT_TIMESTAMP` writes: UTC without saying so. */
const SQL_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?$/

/** ISO 8601 of a stored time: seconds or milliseconds since 1970, SQL text, or ISO text. Undefined when it is none. */
export function isoTime(stored: unknown): string | undefined {
  if (typeof stored === 'number') return iso(stored > 0 && stored < MILLISECONDS_FROM ? stored * 1000 : stored)
  if (typeof stored !== 'string' || stored.length > 40) return undefined
  return iso(Date.parse(SQL_TIME.test(stored) ? `${stored.replace(' ', 'T')}Z` : stored))
}

/** Zero and less is what a time that was never set is given. */
function iso(milliseconds: number): string | undefined {
  if (!(milliseconds > 0)) return undefined
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** To be spread into a message. */
export function timeAt(stored: unknown): { readonly at?: string } {
  const at = isoTime(stored)
  return at === undefined ? {} : { at }
}
