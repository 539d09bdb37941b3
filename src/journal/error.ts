const JOURNAL_ERROR = Symbol.for('provider-history.JournalError')
const LOCKED_ERROR = Symbol.for('provider-history.LockedError')

/**
 * `invalid`: what was handed in is no record. `conflict`: it contradicts what is recorded, such as a second result of a
 * call. `too-large`: the record is over `maxRecordBytes`. After these three the journal goes on. Where a journal is opened or
 * followed, `too-large` is told of a stored record, with its line: nothing is wrong with it, and a larger `maxRecordBytes`
 * reads it.
 * `corrupt`: what is stored is damaged beyond a torn end. `io`: the store failed. `lease-lost`: another owner took over.
 * `closed`: the journal was closed. After these nothing more is written.
 */
export type JournalErrorCode = 'invalid' | 'conflict' | 'too-large' | 'corrupt' | 'io' | 'lease-lost' | 'closed'

/** Where a journal is damaged, and what was behind an error. */
export interface JournalErrorDetail {
  /** 1-based line of the file, or number of the row. */
  readonly line?: number | undefined
  /** Of the line in the file, in bytes. */
  readonly offset?: number | undefined
  readonly cause?: unknown
}

/** A record was refused, or the journal cannot be used. Test with `JournalError.is`. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  readonly code: JournalErrorCode
  readonly line?: number
  readonly offset?: number

  constructor(code: JournalErrorCode, reason: string, { line, offset, cause }: JournalErrorDetail = {}) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, cause === undefined ? undefined : { cause })
    mark(this, JOURNAL_ERROR)
    this.code = code
    if (line !== undefined) this.line = line
    if (offset !== undefined) this.offset = offset
  }

  static is(error: unknown): error is JournalError {
    return isMarked(error, JOURNAL_ERROR)
  }
}

/** Who holds a journal. */
export interface LeaseHolder {
  /** '' when it cannot be read. */
  readonly host: string
  /** 0 when it cannot be read. */
  readonly pid: number
  /** ISO 8601, of the holder's clock; '' when it cannot be read. */
  readonly since: string
  /** What the holder calls itself. */
  readonly name?: string | undefined
}

/**
 * Another process holds the journal, or may hold it: nothing was read, nothing repaired. Of a process on another host, or in
 * another container, nobody can tell here whether it still runs: who knows that it does not removes the file of the lock.
 * Test with `LockedError.is`.
 */
export class LockedError extends Error {
  override readonly name = 'LockedError'
  readonly owner: LeaseHolder

  constructor(what: string, owner: LeaseHolder) {
    super(`${what} is held by ${told(owner)}`)
    mark(this, LOCKED_ERROR)
    this.owner = owner
  }

  static is(error: unknown): error is LockedError {
    return isMarked(error, LOCKED_ERROR)
  }
}

function told({ host, pid, since, name }: LeaseHolder): string {
  if (host === '') return 'an owner that cannot be read'
  const who = name === undefined ? `process ${pid}` : `${name} (process ${pid})`
  return `${who} on ${host} since ${since}`
}

/** Not enumerable, so that it is neither printed nor compared. */
function mark(error: Error, symbol: symbol): void {
  Object.defineProperty(error, symbol, { value: true })
}

const isMarked = (error: unknown, symbol: symbol): boolean =>
  typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[symbol] === true

/** The error itself when it is one of ours, else one that says that the store failed. */
export function storeError(error: unknown, what: string): Error {
  if (JournalError.is(error) || LockedError.is(error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new JournalError('io', `${what} (${code ?? message})`, { cause: error })
}
