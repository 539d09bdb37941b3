const REPAIR_ERROR = Symbol.for('provider-history.RepairError')

/**
 * Why a file was not repaired.
 *
 * - `link`, `irregular`: it is a symbolic link, or no regular file, or has further names (hard links) that a replacement would lose.
 * - `recent`: it was changed in the last 10 seconds, so that its tool may still run.
 * - `changed`: it was changed between reading and writing.
 * - `busy`: another process holds the database, or it cannot be told whether one does.
 * - `unsupported`: files of this format, or of this version of it, are not repaired.
 * - `ambiguous`: what stands in it allows more than one repair.
 * - `io`: the system refused a read, a write or a sync.
 */
export type RepairRefusal = 'link' | 'irregular' | 'recent' | 'changed' | 'busy' | 'unsupported' | 'ambiguous' | 'io'

/** The file was not repaired, and is as it was, but where the message says otherwise. Test with `RepairError.is`, which also knows errors of another copy of this package. */
export class RepairError extends Error {
  override readonly name = 'RepairError'
  readonly reason: RepairRefusal

  constructor(reason: RepairRefusal, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.defineProperty(this, REPAIR_ERROR, { value: true })
    this.reason = reason
  }

  static is(error: unknown): error is RepairError {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[REPAIR_ERROR] === true
  }
}

/** An error of the system in words; errors that are in words already are left as they are. */
export function ioError(error: unknown, what: string): RepairError {
  if (RepairError.is(error)) return error
  const { code, message, path } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new RepairError('io', `${path}: there is no such file`, { cause: error })
  return new RepairError('io', `${what} (${code ?? message})`, { cause: error })
}

/** The same error, with the file that it is about, where there are several. */
export const about = (path: readonly string[], { reason, message, cause }: RepairError): RepairError =>
  new RepairError(reason, `${path.join('/')}: ${message}`, { cause })
