import { stringAt, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'
import type { SourceRecord } from '../../read/reader.ts'
import { closingText } from './closing-text.ts'
import { RepairError } from './error.ts'
import { type LineFile, unanswered } from './line-file.ts'
import type { OpenCall } from './plan.ts'
import type { LineRepair } from './rewritten-lines.ts'

/** Whether a file is the journal of a resident child, and not a session. */
export const isJournal = ({ lines: { records } }: LineFile): boolean =>
  records.some(({ value }) => {
    const type = stringAt(value, 'type') ?? ''
    return valueAt(value, 'version') === 1 && JOURNAL.some((begin) => type.startsWith(begin))
  })

const JOURNAL = ['child.', 'turn.', 'message.', 'tool.']

/** As zut itself does when its host starts again: open calls get a result, and the turn that was queued or ran is interrupted. */
export function journalRepair(file: LineFile, now: Date): LineRepair {
  const { records } = file.lines
  const time = now.toISOString()
  const made = new Set(
    records.flatMap(({ value }) => (stringAt(value, 'type') === 'tool.call' ? (stringAt(value, 'tool_id') ?? []) : [])),
  )
  const closed = unanswered(file)
  const args = argsOf(file)
  const results = closed.flatMap((call) => [
    // A result needs the record of its call, which the host may not have come to write.
    ...(made.has(call.id) ? [] : [callRecord(call, args, time)]),
    resultRecord(call, time),
  ])
  const turn = unfinishedTurn(records)
  const ended =
    turn === undefined ? [] : [{ version: 1, type: 'child.interrupted', time, ...turn, outcome: 'interrupted' }]
  return { closed, records: [...results, ...ended], dropped: falseRecoveries(file), skipsUnended: true }
}

function callRecord({ id, name }: OpenCall, args: ReadonlyMap<string, Json>, time: string): object {
  return { version: 1, type: 'tool.call', time, tool_id: id, tool_name: name, tool_args: args.get(id) ?? {} }
}

/** The arguments of each call by its id. */
function argsOf({ session }: LineFile): ReadonlyMap<string, Json> {
  const args = new Map<string, Json>()
  for (const message of session.messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.parts) if (part.type === 'tool-call') args.set(part.id, part.args)
  }
  return args
}

/** The result has the names of Go's fields: the program gives it none. */
function resultRecord(call: OpenCall, time: string): object {
  return {
    version: 1,
    type: 'tool.result',
    time,
    tool_id: call.id,
    tool_result: {
      Content: [{ text: closingText(call) }],
      IsError: true,
      ActivateTools: null,
      Details: null,
      Timing: null,
    },
  }
}

interface Turn {
  readonly turn_id?: string
}

const ENDS: ReadonlySet<string> = new Set(['turn.finished', 'child.interrupted', 'child.failed'])

/** The turn after a record, given the one before it. */
function turnAfter(value: unknown, before: Turn | undefined): Turn | undefined {
  const type = stringAt(value, 'type') ?? ''
  if (ENDS.has(type)) return undefined
  if (type === 'child.accepted') return named(stringAt(valueAt(value, 'spec'), 'initial_turn_id'))
  if (type === 'turn.accepted' || type === 'turn.started') return named(stringAt(value, 'turn_id'))
  return before
}

const named = (turn: string | undefined): Turn => (turn === undefined ? {} : { turn_id: turn })

function unfinishedTurn(records: readonly SourceRecord[]): Turn | undefined {
  let turn: Turn | undefined
  for (const { value } of records) turn = turnAfter(value, turn)
  return turn
}

/** What zut itself writes in the place of a result. */
const RESTART = 'tool interrupted by resident host restart'

interface Result {
  readonly line: number
  readonly index: number
  readonly isMadeUp: boolean
  readonly turn: string | undefined
}

/**
 * The lines of results that were made up for calls whose real result followed after all, with nothing between but the records of
 * the same interruption. What is broader than that may be a call that was run twice, and is not decided here.
 * @throws {RepairError} for further results of a call that are not so.
 */
function falseRecoveries({ lines: { records } }: LineFile): ReadonlySet<number> {
  const results = resultsByCall(records)
  const stretches = stretchesOf(records, results)
  const dropped = new Set<number>()
  for (const [id, [first, second, ...more]] of results) {
    if (first === undefined || second === undefined) continue
    const isUndone = more.length === 0 && first.isMadeUp && !second.isMadeUp
    if (!isUndone || !isOneInterruption(first, second, stretches))
      throw new RepairError('ambiguous', `line ${second.line} is a further result of the call ${JSON.stringify(id)}`)
    dropped.add(first.line)
  }
  return dropped
}

function resultsByCall(records: readonly SourceRecord[]): ReadonlyMap<string, readonly Result[]> {
  const results = new Map<string, Result[]>()
  let turn: Turn | undefined
  for (const [index, { value, line }] of records.entries()) {
    turn = turnAfter(value, turn)
    const id = stringAt(value, 'type') === 'tool.result' ? stringAt(value, 'tool_id') : undefined
    if (id === undefined) continue
    const result = { line, index, isMadeUp: isMadeUp(valueAt(value, 'tool_result')), turn: turn?.turn_id }
    const known = results.get(id)
    if (known === undefined) results.set(id, [result])
    else known.push(result)
  }
  return results
}

function isMadeUp(result: unknown): boolean {
  const content = valueAt(result, 'Content')
  const text = Array.isArray(content) && content.length === 1 ? stringAt(content[0], 'text') : undefined
  return valueAt(result, 'IsError') === true && text !== undefined && MADE_UP.has(text)
}

const MADE_UP: ReadonlySet<string> = new Set([
  RESTART,
  closingText({ id: '', name: '' }),
  closingText({ id: '', name: '', dispatched: false }),
])

interface Stretch {
  /** Of the first record. */
  readonly start: number
  readonly turn: string | undefined
}

/** For each record the stretch up to it that is of one interruption; empty, and behind it, where the record is of none. */
function stretchesOf(
  records: readonly SourceRecord[],
  results: ReadonlyMap<string, readonly Result[]>,
): readonly Stretch[] {
  let before: Turn | undefined
  let start = 0
  return records.map(({ value }, index) => {
    const found = interruptionOf(value, results)
    if (found === undefined) start = index + 1
    else if (before !== undefined && before.turn_id !== found.turn_id) start = index
    before = found
    return { start, turn: found?.turn_id }
  })
}

/** The turn whose interruption a record is of: the record of it, or a result that it made up, or one that undid that. */
function interruptionOf(value: unknown, results: ReadonlyMap<string, readonly Result[]>): Turn | undefined {
  const type = stringAt(value, 'type')
  if (type === 'child.interrupted') return named(stringAt(value, 'turn_id'))
  const [first] = type === 'tool.result' ? (results.get(stringAt(value, 'tool_id') ?? '') ?? []) : []
  return first?.isMadeUp === true ? named(first.turn) : undefined
}

/** Whether nothing stands between two results but what is of the interruption of the first one. */
function isOneInterruption(first: Result, second: Result, stretches: readonly Stretch[]): boolean {
  if (second.index === first.index + 1) return true
  const between = stretches[second.index - 1]
  return between !== undefined && between.start <= first.index + 1 && between.turn === first.turn
}
