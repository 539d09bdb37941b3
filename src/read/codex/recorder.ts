import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Usage } from '../../model/session.ts'
import type { Entry } from '../body.ts'
import type { Report } from '../report.ts'
import { folderIn } from './fragments.ts'
import { Log, StoredCompaction, StoredItem } from './log.ts'
import { type RolloutRecord, recognised } from './rollout.ts'

/** Sorts the records of a rollout into what its session is and what its history was. */
export class Recorder {
  readonly log: Log = new Log()
  /** How many records are of a kind that is known. */
  known = 0
  meta: Fields | undefined
  model: string | undefined
  folder: string | undefined
  readonly #report: Report
  readonly #unknown = new Set<string>()

  constructor(report: Report) {
    this.#report = report
  }

  take(entry: Entry): void {
    const record = recognised(entry)
    if (record === 'skip') this.known++
    else if (record === undefined) this.#odd(entry.value)
    else {
      const read = own(RECORDS, record.type)
      if (read === undefined) this.#unknownType(record.type)
      else {
        this.known++
        read(this, record, this.#report, entry)
      }
    }
  }

  item(item: Fields, entry: Entry): void {
    if (this.folder === undefined && item.role === 'user') this.folder = folderIn(item)
    this.log.push(new StoredItem(entry, this.model))
  }

  #odd(value: unknown): void {
    const type = stringAt(value, 'type')
    if (type === undefined || !isObject(value)) this.#report('record-invalid', { before: value })
    else if (Object.hasOwn(RECORDS, type)) this.#report('record-invalid', { before: value })
    else this.#unknownType(type)
  }

  #unknownType(type: string): void {
    if (this.#unknown.has(type)) return
    this.#unknown.add(type)
    this.#report('record-unknown', { before: type })
  }
}

type RecordReader = (to: Recorder, record: RolloutRecord, report: Report, entry: Entry) => void

const nothing: RecordReader = () => {}

const RECORDS: { readonly [type: string]: RecordReader } = {
  session_meta: meta,
  turn_context(to, { payload }) {
    to.model = stringAt(payload, 'model') || to.model
  },
  response_item: (to, { payload }, _, entry) => to.item(payload, entry),
  compacted,
  event_msg: (to, record, report, entry) => own(EVENTS, stringAt(record.payload, 'type'))?.(to, record, report, entry),
  inter_agent_communication: betweenAgents,
  inter_agent_communication_metadata: nothing,
  world_state: nothing,
  security_risk_score: nothing,
  token_usage_record: nothing,
}

/** Written again at each change of the title, and by forks with the parent's behind their own: the first one counts. */
function meta(to: Recorder, { payload }: RolloutRecord, report: Report): void {
  if (to.meta !== undefined) return
  to.meta = payload
  const base = valueAt(payload, 'history_base')
  if (isObject(base)) report('history-truncated', { message: ELSEWHERE, before: base })
}

const ELSEWHERE = 'The history begins in the file of another thread.'

function compacted(to: Recorder, { payload }: RolloutRecord, report: Report, entry: Entry): void {
  const stored = valueAt(payload, 'replacement_history')
  for (const item of Array.isArray(stored) ? stored : [])
    if (!isObject(item)) report('record-invalid', { before: item })
  to.log.push(new StoredCompaction(entry, to.model))
}

function betweenAgents(to: Recorder, { payload, line, at }: RolloutRecord): void {
  const { author, recipient, content } = payload
  const item = { type: 'agent_message', author, recipient, content: content === '' ? [] : content }
  to.log.push({ kind: 'item', item, line, at, model: to.model })
}

/** All other events repeat for the screen what items say. */
const EVENTS: { readonly [type: string]: RecordReader } = {
  thread_rolled_back(to, { payload }, report) {
    const turns = valueAt(payload, 'num_turns')
    const cut = typeof turns === 'number' && turns > 0 ? to.log.rollBack(turns) : 0
    if (cut > 0) report('message-left-out', { message: `${turns} turns that the user took back were left out.` })
  },
  turn_aborted(to, { line }) {
    to.log.push({ kind: 'note', aborted: true, line })
  },
  token_count(to, { line, payload }) {
    const usage = usageOf(valueAt(valueAt(payload, 'info'), 'last_token_usage'))
    if (usage !== undefined) to.log.push({ kind: 'note', usage, line })
  },
}

/** `input_tokens` includes what was read from the cache; the total of all is no count of its own. */
function usageOf(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const usage: { -readonly [count in keyof Usage]: Usage[count] } = {}
  for (const [count, key] of COUNTS) {
    const value = raw[key]
    if (typeof value === 'number' && Number.isFinite(value)) usage[count] = value
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}

const COUNTS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cached_input_tokens'],
  ['reasoningTokens', 'reasoning_output_tokens'],
] as const
