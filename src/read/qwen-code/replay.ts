import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ToolCallState, UserMessage } from '../../model/session.ts'
import type { Assembler } from '../assemble.ts'
import { Contents, type Response, resultOf } from '../gemini/contents.ts'
import { failed } from '../gemini/outcome.ts'
import { CONTENT } from '../gemini/structure.ts'
import { kindOf } from '../gemini-cli/checkpoint.ts'
import { type Report, reporter } from '../report.ts'
import { shallow } from '../shallow.ts'
import type { Head } from '../turns.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import type { Node } from './records.ts'

type Teller = (to: Replay, record: Fields, uuid: string, line?: number) => void

/** Tells the records of a chain to an assembler. */
export class Replay {
  readonly report: Report
  readonly #contents: Contents
  readonly #into: Assembler
  readonly #unknown = new Set<string>()
  #line: number | undefined

  constructor(into: Assembler) {
    this.#into = into
    this.#contents = new Contents(into)
    this.report = reporter(
      (change) => into.report(change),
      () => (this.#line === undefined ? { message: this.#contents.messages } : { line: this.#line }),
    )
  }

  tell({ uuid, pieces }: Node): void {
    for (const { value: record, line } of pieces) {
      this.#line = line
      const type = stringAt(record, 'type') ?? ''
      const teller = own(TELLERS, type)
      if (teller === undefined) this.#tellUnknown(type)
      else
        teller(
          this,
          shallow(record, CONTENT, (before) => this.report('value-too-deep', { before })) as Fields,
          uuid,
          line,
        )
    }
  }

  user(record: Fields, uuid: string, line?: number): void {
    if (record.subtype === 'realtime_message') {
      this.report('message-left-out', { before: record.message })
      return
    }
    const parts = partsOf(record)
    if (parts === undefined) this.#lacking(record)
    else this.#contents.user(parts, { ...userKind(record, parts), ...placeOf(record, uuid) }, this.report, line)
  }

  assistant(record: Fields, uuid: string, line?: number): void {
    const parts = partsOf(record)
    if (parts === undefined) this.#lacking(record)
    else this.#contents.model(parts, headOf(record, uuid), this.report, line)
  }

  results(record: Fields, uuid: string, line?: number): void {
    // Calls that a script made of its own: no model asked for them.
    if (record.subtype === 'code_mode_tool_result') return
    const parts = partsOf(record)
    if (parts === undefined) {
      this.#lacking(record)
      return
    }
    const result = (response: Response): void => {
      const read = resultOf(response, line)
      this.#into.result({ ...read, state: withStatus(read.state, read.callId, record.toolCallResult) })
    }
    this.#contents.user(parts, { kind: 'injected', ...placeOf(record, uuid) }, this.report, line, result)
  }

  /** What of them concerns the model is found before the replay. */
  system(record: Fields): void {
    const { subtype } = record
    if (hasParts(record)) this.report('record-invalid', { before: record.message })
    const isBare = subtype === undefined && record.systemPayload !== undefined
    if (subtype === 'chat_compression' || subtype === 'agent_bootstrap' || isBare)
      this.report('record-invalid', { before: record })
    else if (!isNote(subtype)) this.#tellUnknown(`system ${String(subtype)}`)
  }

  /** Contents as the API has them, in the place of records. */
  contents(list: readonly unknown[], line: number | undefined): void {
    this.#line = line
    for (const content of list) {
      const bounded = shallow(content, CONTENT, (before) => this.report('value-too-deep', { before }))
      const role = stringAt(bounded, 'role')
      const parts = valueAt(bounded, 'parts')
      if (role === 'model') this.#contents.model(parts, {}, this.report, line)
      else if (role === 'user') this.#contents.user(parts, kindOf(parts), this.report, line)
      else this.report('record-invalid', { before: content })
    }
  }

  #lacking(record: Fields): void {
    this.report('record-invalid', { before: record.message ?? record })
  }

  #tellUnknown(type: string): void {
    if (this.#unknown.has(type)) return
    this.#unknown.add(type)
    this.report('record-unknown', { before: type })
  }
}

const TELLERS: { readonly [type: string]: Teller } = {
  user: (to, record, uuid, line) => to.user(record, uuid, line),
  assistant: (to, record, uuid, line) => to.assistant(record, uuid, line),
  tool_result: (to, record, uuid, line) => to.results(record, uuid, line),
  system: (to, record) => to.system(record),
}

const hasParts = (record: Fields): boolean => (partsOf(record)?.length ?? 0) > 0

/** Kinds of system records that hold nothing for the model. */
const NOTES: ReadonlySet<unknown> = new Set([
  'rewind',
  'slash_command',
  'ui_telemetry',
  'at_command',
  'notification',
  'cron',
  'custom_title',
  'turn_result',
])

/** A record without a subtype says nothing at all. */
const isNote = (subtype: unknown): boolean =>
  subtype === undefined || NOTES.has(subtype) || (typeof subtype === 'string' && /^(managed_)?session_/.test(subtype))

function partsOf(record: Fields): readonly unknown[] | undefined {
  const parts = valueAt(record.message, 'parts')
  return Array.isArray(parts) ? parts : undefined
}

/** Texts that the tool put in; a real user writes prompts, and messages while the model works. */
const INJECTED: ReadonlySet<unknown> = new Set(['notification', 'cron', 'goal_runtime'])

function userKind(record: Fields, parts: readonly unknown[]): { readonly kind?: UserMessage['kind'] } {
  const isForeign = typeof record.provenance === 'string' && record.provenance !== 'real_user'
  return INJECTED.has(record.subtype) || isForeign ? { kind: 'injected' } : kindOf(parts)
}

/** The record says of one call how it went. */
function withStatus(state: ToolCallState, callId: string, told: unknown): ToolCallState {
  const named = stringAt(told, 'callId')
  if (!isObject(told) || (named !== undefined && callId !== '' && named !== callId)) return state
  return told.status === 'error' || told.status === 'cancelled' ? failed(state) : state
}

/** Who answered is known by model alone: Qwen Code speaks to servers of several APIs. */
function headOf(record: Fields, uuid: string): Head {
  const model = stringAt(record, 'model')
  const usage = usageFrom('gemini', record.usageMetadata, USAGE)
  return {
    ...(model === undefined || model === '' ? {} : { by: { model } }),
    ...(usage === undefined ? {} : { usage }),
    ...placeOf(record, uuid),
  }
}

const USAGE: UsageTable = {
  inputTokens: ['promptTokenCount'],
  outputTokens: ['candidatesTokenCount'],
  cacheReadTokens: ['cachedContentTokenCount'],
  reasoningTokens: ['thoughtsTokenCount'],
}

function placeOf(record: Fields, id: string): { readonly id: string; readonly at?: string } {
  const at = stringAt(record, 'timestamp')
  return at === undefined ? { id } : { id, at }
}
