import { isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, Usage, UserPart } from '../../model/session.ts'
import type { Block } from '../anthropic/media.ts'
import type { StoredPart } from '../assemble.ts'
import { fromDataUrl } from '../data-url.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import { apiOf, authorOf } from './provider.ts'
import { stateOfText } from './result-text.ts'
import { resultsIn } from './screen-results.ts'
import { SHOWN, type ShownCall } from './screen-tools.ts'

/** An answer while it is shown piece by piece. */
interface Answer {
  readonly parts: StoredPart[]
  readonly calls: ShownCall[]
  readonly first: Block
  readonly usage: Usage | undefined
}

/**
 * Reads what the screen showed. It is the conversation as the user saw it: texts, and calls without ids. Their results
 * stand in the text of the request that follows; those of the last answer are not stored.
 */
export class Screen {
  readonly #to: Narrator
  readonly #format: 'cline' | 'roo'
  #answer: Answer | undefined
  #usage: Usage | undefined
  #prompted = false
  #made = 0

  constructor(to: Narrator, format: 'cline' | 'roo') {
    this.#to = to
    this.#format = format
  }

  add(message: unknown): void {
    if (!isObject(message)) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    const kind = stringAt(message, 'type') === 'ask' ? stringAt(message, 'ask') : stringAt(message, 'say')
    const read = own(KINDS, kind)
    if (read !== undefined) read(this, message, stringAt(message, 'text') ?? '')
    else if (own(SHOWN, kind) !== undefined) this.call(message, kind ?? '')
    else if (!NOTES.has(kind ?? '')) this.#to.report('record-unknown', { before: message })
  }

  finish(): void {
    this.flush()
  }

  user(message: Block, text: string): void {
    this.flush()
    const parts: UserPart[] = text === '' ? [] : [{ type: 'text', text }]
    for (const image of listAt(message, 'images')) parts.push(...imagesOf(image))
    if (parts.length === 0) return
    this.#prompted = true
    this.#to.user({ parts, ...timeAt(message.ts) })
  }

  /** The first text is the task; those that follow are the model's. */
  text(message: Block, text: string): void {
    if (!this.#prompted) this.user(message, text)
    else if (text !== '') this.part(message, { type: 'text', text })
  }

  part(message: Block, part: StoredPart): void {
    this.#answer ??= { parts: [], calls: [], first: message, usage: this.#usage }
    this.#answer.parts.push(part)
  }

  call(message: Block, kind: string): void {
    const shown = own(SHOWN, kind)?.(stringAt(message, 'text') ?? '')
    if (shown === undefined) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    // An id of the screen's place, so that each result finds its own call.
    const id = `shown_${++this.#made}`
    this.part(message, { ...shown.call, id })
    this.#answer?.calls.push({ ...shown, call: { ...shown.call, id } })
  }

  /** What follows is the next answer; the request holds the results of the last one. */
  request(text: string): void {
    const started = parseOrText(text)
    const request = stringAt(started, 'request')
    const usage = usageFrom(this.#format, started, USAGE)
    this.#usage = usage === undefined ? undefined : withoutRest(usage)
    const calls = this.#answer?.calls ?? []
    const results = request === undefined ? [] : resultsIn(request, calls)
    this.flush(results.map((result) => result?.name))
    for (const [index, result] of results.entries()) {
      if (result === undefined) continue
      const mark = result.text.indexOf('] Result:')
      const state = stateOfText(result.text.slice(mark + 9).trim(), result.text)
      this.#to.result({ callId: calls[index]?.call.id ?? '', state })
    }
  }

  /** `names`: those that the request gives the calls. */
  flush(names: readonly (string | undefined)[] = []): void {
    const answer = this.#answer
    if (answer === undefined) return
    this.#answer = undefined
    const ids = new Map(answer.calls.map(({ call }, index) => [call.id, names[index]]))
    const parts = answer.parts.map((part) => {
      const name = part.type === 'tool-call' ? ids.get(part.id) : undefined
      return name === undefined || part.type !== 'tool-call' ? part : { ...part, name }
    })
    const info = valueAt(answer.first, 'modelInfo')
    const [provider, model] = [stringAt(info, 'providerId'), stringAt(info, 'modelId')]
    const by = authorOf(provider, model, apiOf(provider, model))
    this.#to.assistant({
      parts,
      ...(by === undefined ? {} : { by }),
      ...(answer.usage === undefined ? {} : { usage: answer.usage }),
      ...timeAt(answer.first.ts),
    })
  }
}

type Read = (to: Screen, message: Block, text: string) => void

const prompt: Read = (to, message, text) => to.user(message, text)
const text: Read = (to, message, said) => to.text(message, said)

const KINDS: { readonly [kind: string]: Read } = {
  task: prompt,
  user_feedback: prompt,
  text,
  completion_result: text,
  plan_mode_respond: (to, message, said) => to.text(message, stringAt(parseOrText(said), 'response') ?? said),
  reasoning: (to, message, said) => {
    if (said !== '') to.part(message, { type: 'reasoning', text: said })
  },
  api_req_started: (to, _message, said) => to.request(said),
}

/** What the tool tells the user about itself. */
const NOTES: ReadonlySet<string> = new Set([
  'api_req_finished',
  'api_req_failed',
  'api_req_retried',
  'api_req_retry_delayed',
  'api_req_rate_limit_wait',
  'api_req_deleted',
  'deleted_api_reqs',
  'auto_approval_max_req_reached',
  'browser_action_result',
  'checkpoint_created',
  'checkpoint_saved',
  'clineignore_error',
  'rooignore_error',
  'codebase_search_result',
  'command_output',
  'command_permission_denied',
  'condense',
  'condense_context',
  'diff_error',
  'error',
  'error_retry',
  'generate_explanation',
  'hook_output_stream',
  'hook_status',
  'info',
  'load_mcp_documentation',
  'mcp_notification',
  'mcp_server_request_started',
  'mcp_server_response',
  'mistake_limit_reached',
  'new_task',
  'report_bug',
  'resume_task',
  'resume_completed_task',
  'shell_integration_warning',
  'shell_integration_warning_with_suggestion',
  'sliding_window_truncation',
  'subtask_result',
  'task_progress',
  'user_edit_todos',
  'user_feedback_diff',
])

const USAGE: UsageTable = {
  inputTokens: ['tokensIn'],
  outputTokens: ['tokensOut'],
  cacheReadTokens: ['cacheReads'],
  cacheWriteTokens: ['cacheWrites'],
}

/** The rest is the request itself. */
function withoutRest({ extra: _extra, ...counts }: Usage): Usage | undefined {
  return Object.keys(counts).length === 0 ? undefined : counts
}

const listAt = (message: Block, key: string): readonly unknown[] => {
  const list = valueAt(message, key)
  return Array.isArray(list) ? list : []
}

function imagesOf(url: unknown): MediaPart[] {
  const data = typeof url === 'string' ? fromDataUrl(url) : undefined
  if (data === undefined) return []
  return [{ type: 'media', kind: 'image', mediaType: data.mediaType, source: { base64: data.base64 } }]
}
