import { change } from '../../model/change.ts'
import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Session } from '../../model/session.ts'
import type { Assembler } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { ReadOptions, SourceRecord } from '../reader.ts'
import { others, slot } from '../slots.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { Conversation, isSummary } from './messages.ts'

type About = Omit<Session, 'messages'>

/** Rows of a session file, in the order of their lines. */
export function readRows(records: readonly SourceRecord[], options: ReadOptions, into: Assembler): About {
  return new Rows(records, options, into).read()
}

class Rows {
  readonly #records: readonly SourceRecord[]
  readonly #into: Assembler
  readonly #conversation: Conversation
  /** Where the conversation begins: the last row that replaces all before it. */
  readonly #start: number
  readonly #isFull: boolean
  /** What was told of the rows before a compaction, which repeats some of it. */
  readonly #told = new Set<string>()
  readonly #toldResults = new Set<string>()
  readonly #unknown = new Set<string>()
  #meta: Fields = {}
  #title: string | undefined
  #line = 0

  constructor(records: readonly SourceRecord[], options: ReadOptions, into: Assembler) {
    this.#records = records
    this.#into = into
    this.#conversation = new Conversation(into)
    this.#isFull = options.history === 'full'
    this.#start = this.#isFull ? -1 : records.findLastIndex(({ value }) => isCompaction(value))
  }

  read(): About {
    for (const [index, { value, line }] of this.#records.entries()) {
      this.#line = line
      this.#conversation.at(line)
      const type = isObject(value) ? value.type : undefined
      if (!isObject(value) || typeof type !== 'string') this.#invalid(value)
      else if (index >= this.#start || type === 'meta' || type === 'rename') this.#row(value, type)
    }
    return aboutOf(this.#meta, this.#title)
  }

  #row(row: Fields, type: string): void {
    const read = own(this.#rows, type)
    if (read !== undefined) read(row)
    else if (!this.#unknown.has(type)) {
      this.#unknown.add(type)
      this.#conversation.report('record-unknown', { before: type })
    }
  }

  readonly #rows: { readonly [type: string]: (row: Fields) => void } = {
    meta: (row) => this.#setMeta(row),
    message: (row) => this.#message(row.message),
    compaction: (row) => this.#compaction(row),
    rename: (row) => {
      this.#title = stringAt(row, 'title') ?? this.#title
    },
    usage: () => {},
    extension_state: () => {},
  }

  #setMeta(row: Fields): void {
    const { meta } = row
    if (!isObject(meta)) {
      this.#invalid(row)
      return
    }
    this.#meta = meta
    this.#title = stringAt(meta, 'title') ?? this.#title
    this.#conversation.model = { provider: stringAt(meta, 'provider'), model: stringAt(meta, 'model') }
  }

  #message(message: unknown): void {
    if (this.#isFull) {
      this.#told.add(keyOf(message))
      for (const id of resultIds(message)) this.#toldResults.add(id)
    }
    this.#conversation.add(message)
  }

  /** A compaction repeats messages as they were, but for results that it drops with their calls. */
  #wasTold(message: unknown): boolean {
    if (this.#told.has(keyOf(message))) return true
    const ids = resultIds(message)
    return ids.length > 0 && ids.every((id) => this.#toldResults.has(id))
  }

  /** In the full history only what the rows before do not have: a file may have lost its beginning. */
  #compaction(row: Fields): void {
    const { messages } = row
    if (!Array.isArray(messages)) {
      this.#invalid(row)
      return
    }
    const wasTold = this.#told.size > 0
    if (!this.#isFull) this.#into.report(change('compaction-applied', { line: this.#line }))
    for (const message of messages as readonly unknown[]) {
      if (wasTold && isSummary(message)) this.#conversation.report('message-left-out', { message: SUMMARY_LEFT_OUT })
      else if (!this.#isFull || !this.#wasTold(message)) this.#message(message)
    }
  }

  #invalid(row: unknown): void {
    this.#conversation.report('record-invalid', { before: row })
  }
}

const isCompaction = (value: unknown): boolean =>
  stringAt(value, 'type') === 'compaction' && Array.isArray(valueAt(value, 'messages'))

function keyOf(message: unknown): string {
  try {
    return JSON.stringify(message) ?? ''
  } catch {
    return ''
  }
}

function resultIds(message: unknown): readonly string[] {
  const content = valueAt(message, 'content')
  return Array.isArray(content) ? content.flatMap((block) => stringAt(block, 'call_id') ?? []) : []
}

const KNOWN = new Set(['id', 'cwd', 'started', 'version', 'title', 'parent'])

function aboutOf(meta: Fields, title: string | undefined): About {
  const id = stringAt(meta, 'id')
  const cwd = stringAt(meta, 'cwd')
  const createdAt = stringAt(meta, 'started')
  const version = stringAt(meta, 'version')
  const parent = stringAt(meta, 'parent')
  const rest = others(meta, KNOWN)
  return {
    version: 1,
    ...(id === undefined ? {} : { id }),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(createdAt === undefined ? {} : { createdAt }),
    source: { format: 'zut', ...(version === undefined ? {} : { version }) },
    ...(parent === undefined || parent === '' ? {} : { parent: { id: parent } }),
    ...(rest === undefined ? {} : slot('zut', bounded(rest, () => {}) as typeof rest)),
  }
}
