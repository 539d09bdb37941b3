import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import {
  isCallState,
  isCount,
  isListOf,
  isMessage,
  isSessionHead,
  isText,
  isUsage,
  isUserPart,
  isValue,
  may,
  mayFlag,
  mayText,
  oneOf,
  type Test,
} from './model-guards.ts'
import { JOURNAL_VERSION, type JournalEntry, type JournalRecord } from './record.ts'

const isWhole: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const mayWhole = may(isWhole)
const isStage = oneOf('accepted', 'started', 'completed', 'failed', 'interrupted')

const mayContext = may((value) => isObject(value) && isCount(value.used) && isCount(value.max))
const mayRange = may((value) => isObject(value) && isWhole(value.offset) && isWhole(value.length))
const isClosedCall: Test = (value) =>
  isObject(value) && isText(value.id) && isWhole(value.call) && mayFlag(value.dispatched)

/** By kind: a kind that is added without its guard does not compile. */
const ENTRIES: { readonly [K in JournalEntry['type']]: (record: Fields) => boolean } = {
  session: (record) => isSessionHead(record.session) && mayWhole(record.start),
  message: (record) => isMessage(record.message) && mayFlag(record.joins),
  dispatch: ({ call }) =>
    isObject(call) && isText(call.id) && isText(call.name) && isValue(call.args) && mayFlag(call.readOnly),
  settle: (record) =>
    isText(record.callId) && mayText(record.name) && mayWhole(record.call) && isCallState(record.state),
  turn: (record) => isText(record.id) && isStage(record.stage),
  usage: (record) => isUsage(record.usage) && mayContext(record.context),
  compaction: (record) => isListOf(record.parts, isUserPart) && isWhole(record.keep),
  rewind: (record) => isWhole(record.keep),
  repair: (record) => mayRange(record.torn) && isListOf(record.closed, isClosedCall) && isListOf(record.turns, isText),
}

/** Whether a parsed line claims to be of a journal, of any version. */
export function isOfJournal(value: unknown): value is Fields {
  return isObject(value) && Number.isInteger(value.journal) && isText(value.type) && isWhole(value.seq)
}

export function isRecord(value: unknown): value is JournalRecord {
  return isEntry(value) && value.journal === JOURNAL_VERSION && isWhole(value.seq) && isText(value.at)
}

/** What a record holds beside its stamp. */
export function isEntry(value: unknown): value is JournalEntry & Fields {
  return isObject(value) && own(ENTRIES, value.type)?.(value) === true
}

export function isKnownKind(value: Fields): boolean {
  return own(ENTRIES, value.type) !== undefined
}
