import { setTimeout as pause } from 'node:timers/promises'
import { JournalError } from '../error.ts'

/** Nothing came back in time. The connection may be dead without a word, as behind a router that forgot it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Classes and codes of PostgreSQL that say nothing of what was asked: a connection that is gone, a server that goes down or
 * comes up, one with too many clients, a standby that is about to take over, a transaction that may be tried again.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(?:08|57|40001|40P01|53300|25006)/

/** `SQLSTATE` has five characters and a digit among them; `EPIPE` has none. */
const SQLSTATE = /^(?=.*[0-9])[0-9A-Z]{5}$/

/** Whether the same may go well over another connection. What the server refused for a reason of its own does not. */
export function isPassing(error: unknown): boolean {
  if (JournalError.is(error) || error instanceof TypeError) return false
  const code = sqlStateOf(error)
  return code === '' || PASSING.test(code)
}

/** '' when the error is not of the server. */
export function sqlStateOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' && SQLSTATE.test(code) ? code : ''
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1000

/** Tries again while what fails may pass, for so many milliseconds, at once and then with growing pauses. */
export async function persisting<T>(work: () => Promise<T>, ms: number): Promise<T> {
  const end = performance.now() + ms
  for (let wait = 0; ; wait = Math.min(wait * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + wait > end) throw error
    }
    await pause(wait)
  }
}

/** @throws {NoAnswer} after so many milliseconds. */
export async function answered<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`the database did not answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
