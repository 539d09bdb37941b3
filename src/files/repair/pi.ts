import { isObject, stringAt } from '../../model/json.ts'
import { type Entry, pathTo } from '../../read/entry-tree.ts'
import { blocksOf } from '../../read/pi/content.ts'
import { sortRecords } from '../../read/pi/records.ts'
import { activeWindow, type Window } from '../../read/pi/window.ts'
import { closingText } from './closing-text.ts'
import { RepairError } from './error.ts'
import { appending, type LineFile, lineFile } from './line-file.ts'
import { madeHex } from './made-id.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/**
 * A result is an entry behind the leaf. Only the calls of the answer that ends the conversation are closed: pi itself puts
 * a result behind every earlier one when it sends a history, and takes an answer that failed or was aborted away with its
 * calls, so that a further result at the end would be one that no call has.
 */
export function pi(stored: StoredFile, now: Date): Plan {
  const file = lineFile(stored)
  const records = sortRecords(file.source, file.format)
  const path = pathTo(records.leaf, records.entries, true)
  const trailing = trailingCalls(activeWindow(path.entries))
  const closed = known(trailing, file.open)
  const isLinked = typeof records.header.version === 'number' && records.header.version > 1
  const leaf = records.leaf?.id
  // Behind an entry that nothing can name, a closer would begin a conversation of its own.
  if (closed.length === 0 || (isLinked && leaf === undefined)) return appending(file, [], [], file.open)
  const chain = new Chain(leaf, isLinked, (id) => records.byId.has(id), now)
  const closers = closed.map((call) => chain.entry(call.id, { type: 'message', message: closer(call, now) }))
  const notes = file.format === 'oino' ? [chain.entry('repair', repairNote(file, closed))] : []
  const isClosed = new Set(closed)
  const left = file.open.filter((call) => !isClosed.has(call))
  return appending(file, closed, [...closers, ...notes], left)
}

/** Sessions of oino: those in pi's form. */
export function oino(stored: StoredFile, now: Date): Plan {
  const { lines } = lineFile(stored)
  if (lines.records.some(({ value }) => isObject(value) && (value.record === 'header' || value.record === 'entry')))
    throw new RepairError('unsupported', "oino's files of `record` lines name their last entry in the first line")
  return pi(stored, now)
}

interface Call {
  readonly id: string
  readonly name: string
}

/** The calls of the last answer without a result; none when something that the model sees came later. */
function trailingCalls({ entries, edits }: Window): readonly Call[] {
  const answered = new Set<string>()
  for (const entry of entries.toReversed()) {
    const edit = entry.id === undefined ? undefined : edits.get(entry.id)
    const kind = edit === null ? 'silent' : kindOf(entry)
    if (kind === 'spoken') return []
    const { message } = entry.record
    if (kind === 'result') answered.add(stringAt(message, 'toolCallId') ?? '')
    if (kind !== 'answer' || !isObject(message)) continue
    if (message.stopReason === 'error' || message.stopReason === 'aborted') return []
    return callsIn(edit ?? message.content).filter(({ id }) => !answered.has(id))
  }
  return []
}

type Kind = 'answer' | 'result' | 'spoken' | 'silent'

/** Roles of messages. System messages wait until the calls are closed, and unknown ones are dropped. */
const ROLES: ReadonlyMap<unknown, Kind> = new Map([
  ['assistant', 'answer'],
  ['toolResult', 'result'],
  ['user', 'spoken'],
  ['custom', 'spoken'],
  ['hookMessage', 'spoken'],
  ['bashExecution', 'spoken'],
  ['branchSummary', 'spoken'],
  ['compactionSummary', 'spoken'],
])

const SPOKEN: ReadonlySet<string> = new Set(['custom_message', 'compaction', 'branch_summary'])

function kindOf({ type, record }: Entry): Kind {
  if (SPOKEN.has(type)) return type === 'branch_summary' && record.summary === '' ? 'silent' : 'spoken'
  if (type !== 'message' || !isObject(record.message)) return 'silent'
  const kind = ROLES.get(record.message.role) ?? 'silent'
  return record.message.role === 'bashExecution' && record.message.excludeFromContext === true ? 'silent' : kind
}

function callsIn(content: unknown): readonly Call[] {
  return (blocksOf(content) ?? []).flatMap((block) => {
    const [id, name] = [stringAt(block, 'id'), stringAt(block, 'name')]
    const isCall = isObject(block) && block.type === 'toolCall'
    return isCall && id !== undefined && id !== '' && name !== undefined ? [{ id, name }] : []
  })
}

/** Whether a call was started is known to the reader, where the file says it. */
function known(calls: readonly Call[], open: readonly OpenCall[]): readonly OpenCall[] {
  const byId = new Map(open.map((call) => [call.id, call] as const))
  // A result is that of all calls of its id.
  const ids = new Set(calls.map(({ id }) => id))
  return [...ids].flatMap((id) => byId.get(id) ?? [])
}

/** Entries that follow one another. The first version links nothing. */
class Chain {
  #parent: string | undefined
  readonly #isLinked: boolean
  readonly #isTaken: (id: string) => boolean
  readonly #made = new Set<string>()
  readonly #now: Date

  constructor(leaf: string | undefined, isLinked: boolean, isTaken: (id: string) => boolean, now: Date) {
    this.#parent = leaf
    this.#isLinked = isLinked
    this.#isTaken = isTaken
    this.#now = now
  }

  entry(name: string, { type, ...rest }: { readonly type: string; readonly [key: string]: unknown }): object {
    const timestamp = this.#now.toISOString()
    if (!this.#isLinked) return { type, timestamp, ...rest }
    const parentId = this.#parent
    const id = this.#freeId(name)
    this.#parent = id
    return { type, id, parentId, timestamp, ...rest }
  }

  #freeId(name: string): string {
    for (let number = 0; ; number++) {
      const id = madeHex('pi', this.#parent ?? '', name, number).slice(0, 8)
      if (this.#isTaken(id) || this.#made.has(id)) continue
      this.#made.add(id)
      return id
    }
  }
}

function closer(call: OpenCall, now: Date): object {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: closingText(call) }],
    isError: true,
    timestamp: now.getTime(),
  }
}

/** What oino notes when it closes calls itself, beside the conversation. */
function repairNote({ lines: { tail } }: LineFile, closed: readonly OpenCall[]) {
  const calls = closed.map(({ id, name, dispatched }) => ({
    toolCallId: id,
    toolName: name,
    ...(dispatched === undefined ? {} : { dispatched }),
  }))
  return { type: 'custom', customType: 'oino.repair', data: { closed: calls, tornTail: tail.state === 'torn' } }
}
