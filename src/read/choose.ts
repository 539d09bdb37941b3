import { ReadError } from '../model/error.ts'
import { checkOptions, LIMIT, type OptionRules, oneOf, TEXT } from '../model/options.ts'
import type { FormatId } from '../model/session.ts'
import { SAMPLE } from './evidence.ts'
import { detectInMemory, readInMemory } from './in-memory.ts'
import type { Reader, ReadOptions, ReadResult, Source } from './reader.ts'
import { isText, readSource } from './source.ts'

export type { Branch, Reader, ReadOptions, ReadResult, Source } from './reader.ts'

/** The format of the reader that fits best, or undefined when none does or the source cannot be read at all. */
export function detectWith(readers: readonly Reader[], source: string | Uint8Array | object): FormatId | undefined {
  const detect = (input: unknown): FormatId | undefined =>
    chosen(readers, readSource(input as object, {}, SAMPLE))?.reader.format
  try {
    return isText(source) ? detect(source) : detectInMemory(source, detect)
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

/**
 * Reads a source with one of these readers, for programs that carry no more readers than they need.
 * @throws {ReadError} when nothing can be read, with the format, line and path where they are known.
 * @throws {TypeError} for options of wrong types.
 */
export function readWith(
  readers: readonly Reader[],
  source: string | Uint8Array | object,
  options: ReadOptions = {},
): ReadResult {
  checkReadOptions(options)
  const read = (input: unknown): ReadResult => readGiven(readers, input as object, options)
  return isText(source) ? read(source) : readInMemory(source, read)
}

function readGiven(readers: readonly Reader[], input: object, options: ReadOptions): ReadResult {
  const choice = chosen(readers, readSource(input, options), options.format)
  if (choice === undefined) throw new ReadError(notChosen(options.format), { format: options.format })
  const { reader, form } = choice
  if (options.leaf !== undefined && reader.hasBranches !== true)
    throw new ReadError(`the format has no branches, none ends with ${JSON.stringify(options.leaf)}`, {
      format: reader.format,
    })
  const result = reader.read(form, options)
  if (choice.isNamedOnly && result.session.messages.length === 0)
    throw new ReadError('nothing of this format was found', { format: reader.format })
  return {
    ...result,
    format: reader.format,
    changes: form.changes.length === 0 ? result.changes : [...form.changes, ...result.changes],
  }
}

const OPTIONS: OptionRules = {
  format: TEXT,
  dialect: TEXT,
  leaf: TEXT,
  history: oneOf('active', 'full', 'portable'),
  maxBytes: LIMIT,
  maxLineBytes: LIMIT,
}

function checkReadOptions(options: unknown): void {
  checkOptions(options, OPTIONS)
}

interface Choice {
  readonly reader: Reader
  /** The source as that reader wants it. */
  readonly form: Source
  /** The caller named the format; the source does not look like it. */
  readonly isNamedOnly?: boolean
}

/** Asks all readers, since a first record alone fools: every format's first record may be missing or of another tool. */
function chosen(readers: readonly Reader[], source: Source, format?: FormatId): Choice | undefined {
  const asked = format === undefined ? readers : readers.filter((reader) => reader.format === format)
  for (const form of forms(source)) {
    const best = surest(asked, headOf(form))
    if (best !== undefined) return { reader: best, form }
  }
  const named = format === undefined ? undefined : asked[0]
  return named === undefined ? undefined : { reader: named, form: source, isNamedOnly: true }
}

/** What readers are asked about: of a large source each look at a record costs. */
function headOf(form: Source): Source {
  return form.records === undefined ? form : { ...form, records: form.records.slice(0, SAMPLE) }
}

function surest(asked: readonly Reader[], form: Source): Reader | undefined {
  let best: Reader | undefined
  let score = 0
  for (const reader of asked) {
    const found = reader.detect(form)
    if (found <= score) continue
    best = reader
    score = found
  }
  return best
}

/** What one value may be besides: JSON lines of a single record, or JSON lines that the caller has parsed. */
function* forms(source: Source): Generator<Source> {
  yield source
  const { value, changes } = source
  if (source.records !== undefined || typeof value !== 'object' || value === null) return
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  // A list may have holes.
  yield { records: Array.from(values, (record, index) => ({ line: index + 1, value: record })), changes }
}

function notChosen(format: FormatId | undefined): string {
  return format === undefined ? 'no known format fits the source' : 'there is no reader of this format'
}
