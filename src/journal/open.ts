import { randomUUID } from 'node:crypto'
import { isObject } from '../model/json.ts'
import { checkOptions, LIMIT, type OptionRule, type OptionRules, oneOf, TEXT } from '../model/options.ts'
import type { Session } from '../model/session.ts'
import type { Ledger } from '../read/journal/ledger.ts'
import type { JournalEntry } from '../read/journal/record.ts'
import { JournalError } from './error.ts'
import { type Journal, journalOf, withReasoning } from './journal.ts'
import { Opening } from './opening.ts'
import { Recorder, type RecorderSettings, timeAt } from './recorder.ts'
import { type Resolve, recovery } from './recover.ts'
import type { JournalStore } from './store.ts'
import { fileStore } from './stores/file.ts'

/** How a journal is opened, and how it is written from then on. Nothing of this is stored: it is given anew at each opening. */
export interface JournalOptions {
  /**
   * `record` (default): a write resolves when it is durable. `turn`: within a turn it resolves when the system has it,
   * which survives a crash of the process but not of the machine; it is durable with the end of the turn, and before
   * any tool that does more than read is dispatched.
   */
  readonly sync?: 'record' | 'turn' | undefined
  /** A name for people, told to those who find the journal held. */
  readonly owner?: string | undefined
  /**
   * Asked once for each call that an earlier process left open, before it is closed: whoever ran it may know the result.
   * Not asked for calls that wait for approval and never started.
   */
  readonly resolve?: Resolve | undefined
  /** What a new journal begins with; not looked at when there are records already. */
  readonly start?: Partial<Session> | undefined
  /**
   * Bytes of a record, as its line of JSON in UTF-8. A longer one is refused as `too-large`, and so is a stored one when the
   * journal is opened: a journal that was written with more than the default is opened again with as much. Default 64 MiB,
   * which is read in any case.
   */
  readonly maxRecordBytes?: number | undefined
  /** `drop` keeps reasoning out of the store; some models want it back behind their calls. Default `keep`. */
  readonly reasoning?: 'keep' | 'drop' | undefined
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

const FUNCTION: OptionRule = { wanted: 'a function', fits: (value) => typeof value === 'function' }

const isStart = (value: unknown): boolean =>
  isObject(value) && (value.messages === undefined || Array.isArray(value.messages))

const OPTIONS: OptionRules = {
  sync: oneOf('record', 'turn'),
  owner: TEXT,
  resolve: FUNCTION,
  start: { wanted: 'an object, with a list of messages or none', fits: isStart },
  maxRecordBytes: LIMIT,
  reasoning: oneOf('keep', 'drop'),
  now: FUNCTION,
}

/** 64 MiB. */
const MAX_RECORD_BYTES = 64 * 1024 ** 2

/**
 * Opens a journal to go on with, by the path of its file or in a store. Takes its lease, reads it, and records what an
 * earlier process left undone: a torn end is skipped, open calls are closed as interrupted, so are turns. Nothing is run
 * again. When nothing was left undone, nothing is written.
 * @throws {LockedError} when another process holds it, or may; then nothing was read.
 * @throws {JournalError} `corrupt` when it is damaged, `io` when the store fails: then it must not be used. `too-large` when
 * it holds a record over `maxRecordBytes`. When a new journal cannot begin with `start`; then nothing was written.
 * @throws {TypeError} for options of wrong types.
 */
export async function openJournal(store: string | JournalStore, options: JournalOptions = {}): Promise<Journal> {
  checkOptions(options, OPTIONS)
  const from = typeof store === 'string' ? fileStore(store) : store
  if (typeof (from as JournalStore | null | undefined)?.open !== 'function')
    throw new TypeError('A journal is opened by the path of its file, or in a store such as postgresStore makes.')
  const settings = settingsOf(options)
  const maxLineBytes = Math.max(settings.maxRecordBytes, MAX_RECORD_BYTES)
  const open = await from.open(options.owner, maxLineBytes)
  let recorder: Recorder | undefined
  try {
    const opening = new Opening(maxLineBytes)
    await open.read((line) => opening.take(line))
    const torn = opening.finish()
    if (torn !== undefined) open.endTorn()
    const messages = startOf(opening.ledger, options)
    const { opened, entries } = from.repairs ? await recovery(opening, torn, options.resolve) : NOTHING
    recorder = new Recorder(open, opening, settings)
    await recorder.recordAll(entries)
    await (opening.ledger.hasHead ? recorder.recordAll(messages) : recorder.begin(messages))
    return journalOf(recorder, opened, options.reasoning ?? 'keep')
  } catch (error) {
    await (recorder ?? open).close().catch(() => {})
    throw error
  }
}

const NOTHING = { opened: { closedCalls: [], interruptedTurns: [], resolvedCalls: [] }, entries: [] }

function settingsOf(options: JournalOptions): RecorderSettings {
  const now = options.now ?? Date.now
  const { version: _version, messages: _messages, ...head } = options.start ?? {}
  return {
    syncs: options.sync ?? 'record',
    maxRecordBytes: options.maxRecordBytes ?? MAX_RECORD_BYTES,
    head: { id: randomUUID(), createdAt: timeAt(now), ...head },
    now,
  }
}

/** The messages of the start that are not recorded yet: all in a new journal, some where a crash cut their import off. */
function startOf({ hasHead, awaited }: Ledger, { start, reasoning }: JournalOptions): JournalEntry[] {
  const messages = start?.messages ?? []
  const missing = hasHead ? awaited : messages.length
  if (missing > messages.length) {
    throw new JournalError('conflict', 'a crash cut the import of this journal off: give the same start again')
  }
  return messages
    .slice(messages.length - missing)
    .map((message) => ({ type: 'message', message: withReasoning(message, reasoning ?? 'keep') }))
}
