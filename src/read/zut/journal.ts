import { type Fields, isObject, parseOrText, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Session } from '../../model/session.ts'
import type { Assembler, OpenCall, StoredResult } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { SourceRecord } from '../reader.ts'
import { slot } from '../slots.ts'
import { Conversation } from './messages.ts'
import { journalResult } from './results.ts'
import { callIds, type Survey, surveyOf } from './turns.ts'

type About = Omit<Session, 'messages'>

/** Records of the journal of a resident child agent: one for each event that was finished. */
export function readJournal(records: readonly SourceRecord[], into: Assembler): About {
  return new Journal(records, into).read()
}

class Journal {
  readonly #records: readonly SourceRecord[]
  readonly #into: Assembler
  readonly #conversation: Conversation
  readonly #survey: Survey
  readonly #told = new Set<string>()
  /** Results whose call has not come, by its id. */
  readonly #early = new Map<string, StoredResult[]>()
  readonly #unknown = new Set<string>()
  #spec: Fields = {}
  #createdAt: string | undefined
  /** A prompt that was accepted, and has not been seen as a message. */
  #prompt: { readonly text: string; readonly at: string | undefined; readonly isSaid: boolean } | undefined
  #line = 0

  constructor(records: readonly SourceRecord[], into: Assembler) {
    this.#records = records
    this.#into = into
    this.#conversation = new Conversation(into)
    this.#survey = surveyOf(records)
  }

  read(): About {
    for (const [place, { value, line }] of this.#records.entries()) {
      this.#line = line
      this.#conversation.at(line)
      const type = isObject(value) ? value.type : undefined
      const read = own(this.#events, type)
      if (isObject(value) && read !== undefined) read(value, place)
      else if (isObject(value) && typeof type === 'string') this.#tellUnknown(type)
      else this.#conversation.report('record-invalid', { before: value })
    }
    this.#tellPrompt()
    for (const results of this.#early.values()) for (const result of results) this.#into.result(result)
    return this.#about()
  }

  #tellUnknown(type: string): void {
    if (this.#unknown.has(type)) return
    this.#unknown.add(type)
    this.#conversation.report('record-unknown', { before: type })
  }

  readonly #events: { readonly [type: string]: (record: Fields, place: number) => void } = {
    'child.accepted': (record, place) => this.#accepted(record, place),
    'turn.accepted': (record, place) => this.#awaitPrompt(record, place),
    'message.user': (record) => {
      this.#prompt = undefined
      this.#conversation.add(record.message)
    },
    'message.assistant': (record, place) => this.#assistant(record, place),
    'tool.call': (record, place) => this.#call(record, place),
    'tool.result': (record) => this.#result(journalResult(record, this.#line, this.#conversation.report)),
    'turn.started': () => {},
    'turn.finished': () => {},
    'child.interrupted': () => {},
    'child.failed': () => {},
    usage: () => {},
  }

  #accepted(record: Fields, place: number): void {
    if (isObject(record.spec)) this.#spec = record.spec
    this.#createdAt ??= stringAt(record, 'time')
    this.#conversation.model = { provider: stringAt(this.#spec, 'provider'), model: stringAt(this.#spec, 'model') }
    this.#awaitPrompt(record, place)
  }

  #awaitPrompt(record: Fields, place: number): void {
    const text = stringAt(record, 'prompt')
    // The first turn repeats the prompt of the child.
    if (text !== undefined && text !== '' && this.#prompt?.text !== text) this.#tellPrompt()
    if (text !== undefined && text !== '')
      this.#prompt = { text, at: stringAt(record, 'time'), isSaid: this.#survey.said.has(place) }
  }

  /** The host died before the prompt became a message: it was accepted all the same. */
  #tellPrompt(): void {
    if (this.#prompt === undefined || this.#prompt.isSaid) return
    const { text, at } = this.#prompt
    this.#prompt = undefined
    this.#into.user({ parts: [{ type: 'text', text }], ...(at === undefined ? {} : { at }) })
  }

  #assistant(record: Fields, place: number): void {
    this.#conversation.add(record.message, this.#survey.stops.get(place))
    for (const id of callIds(record.message)) this.#tellResults(id)
  }

  /** Every call is noted when it is made; most stand in a message too. */
  #call(record: Fields, place: number): void {
    const id = stringAt(record, 'tool_id') ?? ''
    const name = stringAt(record, 'tool_name')
    if (name === undefined) this.#conversation.report('record-invalid', { before: record })
    else if (!this.#told.has(id) && !this.#survey.covered.has(place)) {
      const parts = [{ type: 'tool-call', id, name, ...this.#args(record.tool_args) } satisfies OpenCall]
      const by = this.#conversation.author([])
      this.#into.assistant({ ...(by === undefined ? {} : { by }), parts }, { line: this.#line })
      this.#tellResults(id)
    }
  }

  #args(stored: unknown): Pick<OpenCall, 'args' | 'argsText'> {
    if (typeof stored === 'string') return { args: parseOrText(stored), argsText: stored }
    return { args: stored === undefined || stored === null ? {} : bounded(stored, this.#conversation.report) }
  }

  #result(result: StoredResult): void {
    const { callId } = result
    if (callId === '' || this.#told.has(callId)) this.#into.result(result)
    else {
      const early = this.#early.get(callId)
      if (early === undefined) this.#early.set(callId, [result])
      else early.push(result)
    }
  }

  #tellResults(id: string): void {
    this.#told.add(id)
    for (const result of this.#early.get(id) ?? []) this.#into.result(result)
    this.#early.delete(id)
  }

  #about(): About {
    const spec = this.#spec
    const [id, agent] = [stringAt(spec, 'session_id') || stringAt(spec, 'id'), stringAt(spec, 'profile')]
    const cwd = stringAt(spec, 'workspace') || stringAt(spec, 'repository_root')
    const prompt = stringAt(spec, 'system_prompt')
    const parent = stringAt(spec, 'parent_session_id')
    return {
      version: 1,
      ...(id ? { id } : {}),
      ...(cwd ? { cwd } : {}),
      ...(this.#createdAt ? { createdAt: this.#createdAt } : {}),
      source: { format: 'zut', version: 'journal 1' },
      ...(parent ? { parent: { id: parent } } : {}),
      ...(agent ? { agent } : {}),
      ...(prompt ? { instructions: [{ type: 'text', text: prompt }] } : {}),
      ...(Object.keys(spec).length === 0 ? {} : slot('zut', { spec: bounded(withoutPrompt(spec), () => {}) })),
    }
  }
}

function withoutPrompt(spec: Fields): Fields {
  const { system_prompt: _, ...rest } = spec
  return rest
}
