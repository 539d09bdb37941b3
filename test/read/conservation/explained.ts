import { CHANGES, type ChangeCode } from '../../../src/model/change.ts'
import type { Change } from '../../../src/model/session.ts'
import type { Reader, ReadOptions } from '../../../src/read/reader.ts'
import { readSource } from '../../../src/read/source.ts'
import { jsonl, type Line } from '../hostile.ts'
import { survived, type Told } from '../stored.ts'
import { tokensIn } from './mutants.ts'
import { everyPlace, isNeverSent } from './never-sent.ts'

/** A change at a line that says that all of the record there was left out. */
const WHOLE_RECORD: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'line-unreadable',
  'record-unknown',
  'record-invalid',
  'message-left-out',
  'orphan-result',
  'duplicate-result',
  'session-left-out',
])

export interface Found {
  readonly tokens: readonly string[]
  /** Changes that claim more than happened. */
  readonly overstated: readonly Change[]
  /** Nothing was read. */
  readonly isRefused: boolean
}

const NOTHING: Found = { tokens: [], overstated: [], isRefused: true }

/** The tokens of a source that its reading neither gives nor tells of. */
export function unexplained(reader: Reader, value: unknown, isLines: boolean, history: 'active' | 'full'): Found {
  const text = isLines ? jsonl(value as readonly Line[]) : JSON.stringify(value)
  const told = read(reader, text, { history })
  if (told === undefined) return NOTHING
  let missing = tokensIn(text)
  for (const reading of readings(reader, text, told, history)) {
    missing = missing.filter((token) => !isExplained(token, { value, isLines, told: reading, given: given(reading) }))
    if (missing.length === 0) break
  }
  missing = missing.filter((token) => !isNeverSent(reader.format, value, token))
  return { tokens: missing, overstated: overstated(text, told), isRefused: false }
}

/** The reading, and what it leaves to others: its branches, and, of a compaction, the other half of the history. */
function* readings(reader: Reader, text: string, told: Told, history: 'active' | 'full'): Generator<Told> {
  yield told
  const modes: ('active' | 'full')[] = [history]
  if (told.changes.some(({ code }) => code === 'compaction-applied' || code === 'message-left-out'))
    modes.push(history === 'active' ? 'full' : 'active')
  for (const mode of modes) {
    const main = mode === history ? told : read(reader, text, { history: mode })
    if (main === undefined) continue
    yield main
    for (const { leaf } of main.branches) {
      const other = read(reader, text, { history: mode, leaf })
      if (other === undefined) continue
      yield other
      if (mode === 'active' && other.changes.some(({ code }) => code === 'compaction-applied'))
        yield* whole(reader, text, leaf)
    }
  }
}

function* whole(reader: Reader, text: string, leaf: string): Generator<Told> {
  const other = read(reader, text, { history: 'full', leaf })
  if (other !== undefined) yield other
}

interface Reading {
  readonly value: unknown
  readonly isLines: boolean
  readonly told: Told
  readonly given: string
}

const given = (told: Told): string => JSON.stringify(told)

function isExplained(token: string, reading: Reading): boolean {
  const { value, isLines, told } = reading
  if (reading.given.includes(token)) return true
  return (isLines && isLineTold(token, value as Line[], told)) || isNamedWhole(token, value, told)
}

export function read(reader: Reader, text: string, options: ReadOptions): Told | undefined {
  const told = survived(reader, text, options)
  return told === undefined ? undefined : { ...told, changes: [...readSource(text).changes, ...told.changes] }
}

/** It says of records before it that the user took them back. */
const isTakenBack = ({ code, message, at }: Change): boolean =>
  code === 'message-left-out' && at.line !== undefined && message.includes('took back')

/** Turns may be long; to rewind to a message of these sessions is to go back a few lines. */
const isJustBefore = (line: number, { at, message }: Change): boolean =>
  line < at.line! && (message.includes('turns') || line > at.line! - 6)

function isLineTold(token: string, lines: readonly Line[], told: Told): boolean {
  return lines.every((line, index) => {
    if (JSON.stringify(line)?.includes(token) !== true) return true
    return told.changes.some((change) =>
      isTakenBack(change)
        ? isJustBefore(index + 1, change)
        : change.at.line === index + 1 && WHOLE_RECORD.has(change.code),
    )
  })
}

/** A change that names the unknown kind or field of what holds the token, or begins to print what holds it. */
function isNamedWhole(token: string, value: unknown, told: Told): boolean {
  const { changes } = told
  const kinds = new Set<string>()
  const begun: string[] = []
  for (const { code, before } of changes) {
    if (before === undefined || !LEFT_OUT.has(code)) continue
    if (before.endsWith('…')) begun.push(before.slice(0, -1))
    else kinds.add(before)
  }
  const isNamed = (kind: unknown): boolean => kind !== '' && kinds.has(typeof kind === 'string' ? kind : print(kind))
  const isEmpty = (held: Line): boolean =>
    kinds.has('') &&
    [held, held.info].some((one) => isFields(one) && ['type', 'role', 'kind'].some((key) => (one as Line)[key] === ''))
  const isBegun = (text: string): boolean => begun.some((begin) => text.startsWith(begin))
  const isOther = otherSession(told)
  return everyPlace(value, token, (chain, key, text) => {
    if (kinds.has(`field ${key}`) || isBegun(text)) return true
    return chain.some(({ key: name, value: held }) => {
      if (kinds.has(`field ${name}`) || isOther(held, name) || isEmpty(held)) return true
      const fields = Object.values(held)
      // A message may have its kind one level down.
      if (fields.some((field) => isNamed(field) || (isFields(field) && Object.values(field).some(isNamed)))) return true
      if (begun.length === 0) return false
      const printed = JSON.stringify(held)
      return isBegun(printed) || (!Array.isArray(held) && begun.some((begin) => isShown(begin, printed)))
    })
  })
}

/** A preview of the same record that shows another token of it. */
function isShown(begin: string, printed: string): boolean {
  const shown = tokensIn(begin)
  return shown.length > 0 && shown.every((token) => printed.includes(token))
}

const print = (value: unknown): string => JSON.stringify(value) ?? ''
const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rows of sessions that the source may hold besides, and the agents behind the first. */
function otherSession({ session, changes }: Told): (held: Line, key: string) => boolean {
  const told = changes.find(({ code }) => code === 'session-left-out')
  const isOfAgents = told?.before?.endsWith('other agents') === true
  return (held, key) => {
    if (told === undefined) return false
    if (key === 'sessions') return told.before?.endsWith('other sessions') === true
    if (isOfAgents) return /^[1-9]/.test(key) && held.tool_call_id === undefined
    return held.session_id !== undefined && held.session_id !== session.id
  }
}

/** Changes that say of a token that it was left out although the session has it, and it stands in the source once. */
function overstated(text: string, { session, changes }: Told): readonly Change[] {
  const given = JSON.stringify(session)
  return changes.filter(({ code, before, message }) => {
    // Those with words of their own say what of the record is missing.
    if (before === undefined || !LEFT_OUT.has(code) || message !== CHANGES[code].meaning) return false
    return tokensIn(before).some((token) => given.includes(token) && text.split(token).length === 2)
  })
}

const LEFT_OUT: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  ...WHOLE_RECORD,
  'part-invalid',
  'part-left-out',
  'extra-left-out',
])
