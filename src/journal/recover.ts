import type { ToolCallEntry, ToolCallState } from '../model/session.ts'
import type { JournalCall } from '../read/journal/calls.ts'
import type { ByteRange, ClosedCall, JournalEntry, SettleEntry } from '../read/journal/record.ts'
import type { Opening } from './opening.ts'

/** What opening a journal had to repair. */
export interface Opened {
  /** What a crash left of records: these bytes are skipped from now on. */
  readonly tornTail?: ByteRange | undefined
  /** Calls that nobody went on with. `dispatched` is false only where it is known that they never started. */
  readonly closedCalls: readonly { readonly id: string; readonly dispatched: boolean }[]
  /** Turns that were waiting or running. */
  readonly interruptedTurns: readonly string[]
  /** Calls whose outcome `resolve` told. */
  readonly resolvedCalls: readonly string[]
}

export interface Recovery {
  readonly opened: Opened
  /** To be appended in this order, at once; empty when nothing was left undone. */
  readonly entries: readonly JournalEntry[]
}

/** Tells the outcome of a call that the journal does not know; undefined when it is not known either. */
export type Resolve = (call: ToolCallEntry) => Promise<ToolCallState | undefined>

/** So many calls in one repair record: however many were open, no record is over any limit. */
const CLOSED_AT_ONCE = 1000

/**
 * What must be recorded so that nothing is left open by a process that is gone. A repair record closes what it names, so that a
 * crash while it is written leaves nothing half done. Nothing is run again.
 */
export async function recovery(opening: Opening, torn: ByteRange | undefined, resolve?: Resolve): Promise<Recovery> {
  const { ledger, transcript } = opening
  let active: ReadonlySet<number> | undefined
  const isActive = (message: number): boolean => {
    active ??= new Set(transcript.path.active())
    return active.has(message)
  }
  const closed: ClosedCall[] = []
  const settled: SettleEntry[] = []
  for (const call of ledger.calls.forsaken(isActive)) {
    const state = await resolve?.(entryOf(call))
    const { id, name } = call.call
    if (state === undefined) closed.push(closedCall(call, ledger.calls.wasDispatched(call)))
    else settled.push({ type: 'settle', callId: id, name, call: call.number, state })
  }
  const turns = ledger.turns.unfinished()
  return {
    opened: {
      ...(torn === undefined ? {} : { tornTail: torn }),
      closedCalls: closed.map(({ id, dispatched }) => ({ id, dispatched: dispatched !== false })),
      interruptedTurns: turns,
      resolvedCalls: settled.map(({ callId }) => callId),
    },
    entries: [...repairs(torn, closed, turns), ...settled],
  }
}

function entryOf({ call, state }: JournalCall): ToolCallEntry {
  return { ...(call as ToolCallEntry), state: state ?? { status: 'interrupted' } }
}

function closedCall({ number, call: { id } }: JournalCall, dispatched: boolean | undefined): ClosedCall {
  return dispatched === undefined ? { id, call: number } : { id, call: number, dispatched }
}

/** One record, but for thousands of calls. The torn end is named first: what follows stands behind it. */
function repairs(torn: ByteRange | undefined, closed: readonly ClosedCall[], turns: readonly string[]): JournalEntry[] {
  if (torn === undefined && closed.length === 0 && turns.length === 0) return []
  const entries: JournalEntry[] = []
  for (let start = 0; start === 0 || start < closed.length; start += CLOSED_AT_ONCE) {
    entries.push({
      type: 'repair',
      ...(start === 0 && torn !== undefined ? { torn } : {}),
      closed: closed.slice(start, start + CLOSED_AT_ONCE),
      turns: start === 0 ? turns : [],
    })
  }
  return entries
}
