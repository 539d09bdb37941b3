import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ReasoningPart } from '../../model/session.ts'
import type { Assembler, StoredPart } from '../assemble.ts'
import { authorOf } from '../author.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { Contents, type Response, resultOf, sorted } from '../gemini/contents.ts'
import { partsOf, textIn } from '../gemini/parts.ts'
import type { ReadOptions } from '../reader.ts'
import type { Report } from '../report.ts'
import type { Head } from '../turns.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import { recordedCalls, recordedResult, withRecordedCalls } from './calls.ts'
import { isSummary } from './operations.ts'

type Teller = (to: Messages, record: Fields, report: Report, line?: number) => void

const nothing: Teller = () => {}

/** The other kinds are for the screen. */
const TELLERS: { readonly [type: string]: Teller } = {
  user: (to, record, report, line) => to.user(record, report, line),
  gemini: (to, record, report, line) => to.gemini(record, report, line),
  info: nothing,
  warning: nothing,
  error: nothing,
}

/** Tells recorded messages to an assembler. */
export class Messages {
  readonly #contents: Contents
  readonly #into: Assembler
  readonly #options: ReadOptions
  /** Ids whose result a recorded call has told. */
  readonly #answered = new Set<string>()
  readonly #unknown = new Set<string>()

  constructor(into: Assembler, options: ReadOptions) {
    this.#into = into
    this.#contents = new Contents(into)
    this.#options = options
  }

  /** The index of the message that comes next. */
  get here(): number {
    return this.#contents.messages
  }

  tell(record: Fields, report: Report, line?: number): void {
    const type = stringAt(record, 'type')
    const teller = own(TELLERS, type)
    if (teller !== undefined) {
      if (record.content === undefined && teller !== nothing)
        report('record-invalid', { message: CONTENT_MISSING, before: record })
      teller(this, record, report, line)
    } else if (type === undefined) report('record-invalid', { before: record })
    else if (!this.#unknown.has(type)) {
      this.#unknown.add(type)
      report('record-unknown', { before: type })
    }
  }

  user(record: Fields, report: Report, line?: number): void {
    const { content } = record
    for (const beside of [...partsOf(record.thoughts), ...partsOf(record.toolCalls)])
      report('part-invalid', { before: beside })
    if (isForScreen(content)) {
      report('message-left-out', { before: textIn(content) })
      return
    }
    const kind = isSummary(record) ? { kind: 'summary' as const } : {}
    const result = (response: Response): void => {
      // Newer versions record a response a second time, as the message that was sent.
      if (typeof response.response.id === 'string' && this.#answered.has(response.response.id))
        report('record-duplicate', { before: response.response })
      else this.#into.result(resultOf(response, line))
    }
    this.#contents.user(content, { ...kind, ...placeOf(record) }, report, line, result)
  }

  gemini(record: Fields, report: Report, line?: number): void {
    const { said, responses } = sorted(record.content, report)
    const calls = recordedCalls(record, report)
    const thoughts = said.some((part) => part.type === 'reasoning') ? [] : thoughtsOf(record)
    const parts: readonly StoredPart[] = withRecordedCalls([...thoughts, ...said], calls)
    if (parts.length === 0) report('message-empty')
    this.#contents.assistant(parts, this.#headOf(record), line)
    for (const response of responses) this.#into.result(resultOf(response, line))
    for (const call of calls) {
      const result = recordedResult(call, report, line)
      if (result === undefined) continue
      this.#into.result(result)
      if (result.synthetic !== true && result.callId !== '') this.#answered.add(result.callId)
    }
  }

  #headOf(record: Fields): Head {
    const by = authorOf('gemini', this.#options, stringAt(record, 'model') || undefined)
    const usage = usageFrom('gemini', record.tokens, TOKENS)
    return { ...(by === undefined ? {} : { by }), ...(usage === undefined ? {} : { usage }), ...placeOf(record) }
  }
}

const TOKENS: UsageTable = {
  inputTokens: ['input'],
  outputTokens: ['output'],
  cacheReadTokens: ['cached'],
  reasoningTokens: ['thoughts'],
}

function placeOf(record: Fields): { readonly id?: string; readonly at?: string } {
  const [id, at] = [stringAt(record, 'id'), stringAt(record, 'timestamp')]
  return { ...(id === undefined ? {} : { id }), ...(at === undefined ? {} : { at }) }
}

/** Commands, and context that the tool makes anew: it leaves them out when it resumes a session. */
const FOR_SCREEN = ['/', '?', '<session_context>', '<hook_context>']

function isForScreen(content: unknown): boolean {
  if (partsOf(content).some((part) => isObject(part) && typeof part.text !== 'string')) return false
  const text = textIn(content).trimStart()
  return text === '' || FOR_SCREEN.some((start) => text.startsWith(start))
}

/** Summaries of what the model thought, without a signature. */
function thoughtsOf(record: Fields): ReasoningPart[] {
  return partsOf(record.thoughts).flatMap((thought) => {
    const [subject, description] = [stringAt(thought, 'subject'), stringAt(thought, 'description')]
    const lines = [subject ? `**${subject}**` : '', description ?? ''].filter((line) => line !== '')
    return lines.length === 0 ? [] : [{ type: 'reasoning', text: lines.join('\n') }]
  })
}
