import { type ChangeDetail, change } from '../../model/change.ts'
import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import type { Entry } from '../body.ts'
import { textIn } from '../gemini/parts.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'

export interface Message {
  readonly record: Fields
  readonly line?: number | undefined
}

/**
 * Follows the operations of a file: a message of a known id takes the place of the one before, `$rewindTo` cuts, `$set`
 * changes what is said of the session, its messages alike.
 * @see https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts
 */
export class Operations {
  /** In the order of their first mention. */
  readonly messages: Map<string, Message> = new Map()
  readonly about: Map<string, unknown> = new Map()
  readonly changes: Change[] = []
  /** How many records are of a kind that is known. */
  known = 0
  readonly #isFull: boolean

  /** `isFull`: what a compression replaced stays, and its summary goes. */
  constructor(isFull: boolean) {
    this.#isFull = isFull
  }

  take({ value, line }: Entry): void {
    const rewind = stringAt(value, '$rewindTo')
    const set = valueAt(value, '$set')
    this.known++
    if (rewind !== undefined) this.#rewind(rewind, line)
    else if (isObject(value) && typeof value.id === 'string') this.#write(value.id, { record: value, line })
    else if (isObject(set)) this.#describe(set, line)
    else if (isObject(value) && isAbout(value)) this.#describe(value, line)
    else {
      this.known--
      this.#report('record-invalid', line, { before: value })
    }
  }

  #write(id: string, message: Message): void {
    const before = this.messages.get(id)
    if (before !== undefined && !keeps(message.record, before.record))
      this.#report('message-left-out', before.line, { message: WRITTEN_ANEW, before: before.record })
    this.messages.set(id, message)
  }

  /** An unknown id cuts everything: so does the tool. */
  #rewind(id: string, line: number | undefined): void {
    let isCut = !this.messages.has(id)
    const before = this.messages.size
    for (const known of this.messages.keys()) {
      isCut ||= known === id
      if (isCut) this.messages.delete(known)
    }
    const taken = before - this.messages.size
    if (taken > 0) this.#report('message-left-out', line, { ...TAKEN_BACK, before: `${taken} messages` })
  }

  #describe(about: Fields, line: number | undefined): void {
    for (const key of Object.keys(about)) if (key !== 'messages') this.about.set(key, about[key])
    const messages = valueAt(about, 'messages')
    if (Array.isArray(messages)) this.#replace(messages, line)
  }

  #replace(list: readonly unknown[], line: number | undefined): void {
    const fresh = this.#readable(list, line)
    if (this.#isFull && this.messages.size > 0) this.#keepAll(fresh, line)
    else {
      const ids = new Set(fresh.map(([id]) => id))
      const isShorter = [...this.messages.keys()].some((id) => !ids.has(id))
      if (isShorter) this.#report('compaction-applied', line)
      this.messages.clear()
      for (const [id, message] of fresh) this.messages.set(id, message)
    }
  }

  /** What stands before the first known message is the summary, and the answer made up to it. */
  #keepAll(fresh: readonly (readonly [string, Message])[], line: number | undefined): void {
    const first = fresh.findIndex(([id]) => this.messages.has(id))
    const made = first >= 0 ? first : isSummary(fresh[0]?.[1].record) ? 2 : 0
    if (made > 0) this.#report('message-left-out', line, STANDS_FOR)
    for (const [id, message] of fresh.slice(made)) if (!this.messages.has(id)) this.messages.set(id, message)
  }

  #readable(list: readonly unknown[], line: number | undefined): (readonly [string, Message])[] {
    const read: (readonly [string, Message])[] = []
    const seen = new Set<string>()
    for (const [index, record] of list.entries()) {
      // A list is taken as it is: only on lines does a known id mean that a message is written anew.
      const id = stringAt(record, 'id')
      const key = id === undefined || seen.has(id) ? `message ${index}` : id
      seen.add(key)
      if (isObject(record)) read.push([key, { record, line }])
      else this.#report('record-invalid', line, { before: record })
    }
    return read
  }

  #report(code: Change['code'], line: number | undefined, detail: ChangeDetail = {}): void {
    this.changes.push(change(code, line === undefined ? {} : { line }, detail))
  }
}

/** Whether a message that is written anew still has what it said before: calls and results are added to it. */
function keeps(now: Fields, before: Fields): boolean {
  const [text, old] = [textIn(now.content), textIn(before.content)]
  if (now.type !== before.type || !text.startsWith(old)) return false
  const calls = new Set(listAt(now, 'toolCalls').map((call) => stringAt(call, 'id')))
  return listAt(before, 'toolCalls').every((call) => calls.has(stringAt(call, 'id')))
}

const listAt = (record: Fields, key: string): readonly unknown[] => {
  const list = record[key]
  return Array.isArray(list) ? list : []
}

const WRITTEN_ANEW = 'A message that was written anew with other content was left out.'
const TAKEN_BACK: ChangeDetail = { message: 'Messages that the user took back were left out.' }
const STANDS_FOR: ChangeDetail = { message: SUMMARY_LEFT_OUT }

const isAbout = (value: Fields): boolean =>
  typeof value.sessionId === 'string' || typeof value.projectHash === 'string' || Array.isArray(value.messages)

/** How a summary is marked, whatever it says. */
export function isSummary(record: Fields | undefined): boolean {
  return record !== undefined && textIn(record.content).includes('<state_snapshot>')
}
