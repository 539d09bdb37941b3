import type { Change, FormatId } from './session.ts'

const READ_ERROR = Symbol.for('provider-history.ReadError')
const CONVERT_ERROR = Symbol.for('provider-history.ConvertError')

/** Not enumerable, so that it is neither printed nor compared. */
function mark(error: Error, symbol: symbol): void {
  Object.defineProperty(error, symbol, { value: true })
}

const marked = (error: unknown, mark: symbol): boolean =>
  typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[mark] === true

export interface ReadErrorPlace {
  readonly format?: FormatId | undefined
  /** 1-based line of the stored file. */
  readonly line?: number | undefined
  /** Path of the offending value, such as `messages[3].parts[0].type`. */
  readonly path?: string | undefined
}

/** The source cannot be read at all. Test with `ReadError.is`, which also knows errors of another copy of this package. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly format?: FormatId
  readonly line?: number
  readonly path?: string

  constructor(reason: string, place: ReadErrorPlace = {}) {
    super(describe(reason, place))
    mark(this, READ_ERROR)
    if (place.format !== undefined) this.format = place.format
    if (place.line !== undefined) this.line = place.line
    if (place.path !== undefined) this.path = place.path
  }

  static is(error: unknown): error is ReadError {
    return marked(error, READ_ERROR)
  }
}

/** A conversion would lose content and `onLoss` is `throw`. Test with `ConvertError.is`. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError'
  readonly changes: readonly Change[]

  constructor(message: string, changes: readonly Change[]) {
    super(message)
    mark(this, CONVERT_ERROR)
    this.changes = changes
  }

  static is(error: unknown): error is ConvertError {
    return marked(error, CONVERT_ERROR)
  }
}

function describe(reason: string, place: ReadErrorPlace): string {
  const where = [
    place.format,
    place.line === undefined ? undefined : `line ${place.line}`,
    place.path === '' ? undefined : place.path,
  ].filter((part) => part !== undefined)
  return where.length === 0 ? reason : `${where.join(', ')}: ${reason}`
}
