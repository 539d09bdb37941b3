import { ReadError } from '../../model/error.ts'
import type { Change, Message, Session } from '../../model/session.ts'
import { branchesOf, withoutNode } from '../branches.ts'
import type { Branch, Reader, ReadOptions, ReadResult, Source, SourceRecord } from '../reader.ts'
import { reporter } from '../report.ts'
import { Impossible } from './calls.ts'
import { detect } from './detect.ts'
import { closedState, Ledger } from './ledger.ts'
import { JOURNAL_VERSION, type JournalRecord } from './record.ts'
import { isKnownKind, isOfJournal, isRecord } from './record-guard.ts'
import { Transcript } from './transcript.ts'
import { isRepairOfEnd, unacknowledgedIn } from './unacknowledged.ts'

/**
 * Journals of this library. Where opening one to go on refuses what is damaged, reading reports it and goes on. No
 * process is asked whether it still runs: open calls are interrupted, but those that wait for approval.
 */
export const reader: Reader = { format: 'journal', hasBranches: true, detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const records = source.records ?? [{ value: source.value, line: 1 }]
  const reading = new Reading()
  for (const { value, line } of records) {
    // Rare: what was taken already turns out to have been left out since.
    if (reading.goesBack(value)) return readAgain(records, options)
    reading.take(value, line)
  }
  return reading.result(options)
}

function readAgain(records: readonly SourceRecord[], options: ReadOptions): Omit<ReadResult, 'format'> {
  const unacknowledged = unacknowledgedIn(records)
  const reading = new Reading()
  records.forEach(({ value, line }, index) => {
    if (unacknowledged(value, index)) reading.leaveOut(value, line)
    else reading.take(value, line)
  })
  return reading.result(options)
}

class Reading {
  readonly #ledger = new Ledger()
  readonly #transcript = new Transcript()
  readonly #changes: Change[] = []
  #records = 0
  #line = 0
  readonly #report = reporter(
    (change) => this.#changes.push(change),
    () => ({ line: this.#line }),
  )

  take(value: unknown, line: number): void {
    this.#line = line
    if (isRecord(value)) this.#accept(value)
    else if (!isOfJournal(value)) this.#report('record-unknown', { before: value })
    else if (value.journal !== JOURNAL_VERSION) this.#report('record-unknown', { message: NEWER, before: value })
    else this.#report(isKnownKind(value) ? 'record-invalid' : 'record-unknown', { before: value })
  }

  /** A repair takes the numbers of records before it: they were there when the machine crashed, and not acknowledged. */
  goesBack(value: unknown): boolean {
    return isRepairOfEnd(value) && value.seq < this.#ledger.seq
  }

  leaveOut(value: unknown, line: number): void {
    this.#line = line
    this.#report('record-invalid', { message: UNACKNOWLEDGED, before: value })
  }

  result(options: ReadOptions): Omit<ReadResult, 'format'> {
    if (this.#records === 0) throw new ReadError('there is no record of a journal', { format: 'journal' })
    const { path } = this.#transcript
    const { leaf } = options
    if (leaf !== undefined && !path.take((slot) => this.#transcript.idOf(slot) === leaf)) {
      throw new ReadError(`there is no message with the id ${JSON.stringify(leaf)}`, { format: 'journal' })
    }
    const full = path.full()
    const slots = options.history === 'full' ? full : path.active()
    const branches = this.#branches()
    this.#compaction(full.length, slots)
    this.#interrupt(slots)
    return { session: this.#session(slots), changes: this.#changes, branches }
  }

  #accept(record: JournalRecord): void {
    if (record.seq !== this.#ledger.seq) this.#report('history-truncated', { message: LOST, before: record })
    this.#ledger.seq = record.seq
    try {
      this.#ledger.accept(record)(this.#transcript)
      this.#records++
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
      const isResult = record.type === 'settle' || record.type === 'dispatch'
      const code = isResult ? (error.isRepeated ? 'duplicate-result' : 'orphan-result') : 'record-invalid'
      this.#report(code, { message: `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`, before: record })
      this.#ledger.seq = record.seq + 1
    }
  }

  #compaction(full: number, slots: readonly number[]): void {
    const { path } = this.#transcript
    if (!path.isCompacted || slots.length === full) return
    const at = { message: 0 }
    const report = reporter(
      (change) => this.#changes.push(change),
      () => at,
    )
    report('compaction-applied', { before: `${full - slots.length + 1} messages` })
  }

  /** Nobody is known to go on with what is open. */
  #interrupt(slots: readonly number[]): void {
    const places = new Map(slots.map((slot, message) => [slot, message]))
    for (const draft of this.#ledger.calls.forsaken((slot) => places.has(slot))) {
      const dispatched = this.#ledger.calls.wasDispatched(draft)
      // As a repair would: its closers have places among the results.
      this.#transcript.settle(draft.message, draft.part, closedState(dispatched), true)
      const at = { message: places.get(draft.message) ?? 0, part: draft.part }
      const report = reporter(
        (change) => this.#changes.push(change),
        () => at,
      )
      report('call-unfinished', draft.call.id === '' ? {} : { callId: draft.call.id })
    }
  }

  #branches(): Branch[] {
    const { path } = this.#transcript
    const taken = new Set(path.full())
    const found = branchesOf({
      leaves: path.ends(),
      before: ({ parent }) => parent,
      isTaken: ({ slot }) => taken.has(slot),
      idOf: ({ slot }) => this.#transcript.idOf(slot),
      messageOf: (node) => node,
      textOf: ({ slot }) => textOf(this.#transcript.messageOf(slot)),
    })
    for (const { preview: before } of found) this.#report('branch-left-out', { before })
    return found.map(withoutNode)
  }

  #session(slots: readonly number[]): Session {
    const session = this.#transcript.session(slots)
    const turns = this.#transcript.turns()
    const { total, context } = this.#transcript.usageTotals()
    const told = {
      ...(turns.length === 0 ? {} : { turns }),
      ...(Object.keys(total).length === 0 ? {} : { usage: total }),
      ...(context === undefined ? {} : { context }),
    }
    const extra = Object.keys(told).length === 0 ? {} : { extra: { ...session.extra, journal: told } }
    const source = { format: 'journal', version: String(JOURNAL_VERSION) } as const
    return { ...session, source, ...extra } as Session
  }
}

const NEWER = 'A record of an unknown version of the journal was skipped.'
const UNACKNOWLEDGED = 'A record that was not acknowledged when the machine crashed was left out, as the repair says.'
const LOST = 'Records before this one are lost or repeated.'

function textOf(message: Message): string {
  const text = message.parts.find((part) => part.type === 'text')
  return text?.type === 'text' ? text.text : ''
}
