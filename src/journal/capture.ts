import { randomUUID } from 'node:crypto'
import type { AssistantMessage, AssistantPart, Extra, Json, ToolCallState } from '../model/session.ts'
import type { SessionBuilder } from '../read/builder.ts'
import { type AgentEvent, checkedEvent } from './agent-event.ts'
import type { Journal } from './journal.ts'

/**
 * Folds the live events of an agent into a journal or a builder. A call is recorded when its event comes, as interrupted
 * until its result comes; a result without an id is of the oldest open call of its name, else of the oldest. Text and
 * reasoning are recorded with the next call, or when the step, the run or the stream ends. A stream that fails is recorded as
 * aborted, and fails the capture too. A result for which no call is open is left out, with a warning of the process
 * (`process.on('warning')`), and the capture goes on.
 *
 * Resolves when the events are over and all is recorded. Neither the journal nor the builder is ended by it.
 * @throws {TypeError} for what is no event, with what it lacks.
 * @throws {JournalError} when the journal refuses or fails; whatever the stream itself throws is thrown on.
 */
export async function capture(events: AsyncIterable<AgentEvent>, into: Journal | SessionBuilder): Promise<void> {
  const target = 'opened' in into ? intoJournal(into) : intoBuilder(into)
  const captured = new Capture(target)
  try {
    for await (const event of events) await captured.take(event)
    await captured.take({ type: 'done' })
  } catch (error) {
    if (!captured.isFailing) await captured.take({ type: 'aborted', reason: reasonOf(error) })
    throw error
  } finally {
    target.end()
  }
}

function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'the stream failed'
  }
}

interface Target extends Pick<Journal, 'user' | 'assistant' | 'settle'> {
  end(): void
}

const intoJournal = (journal: Journal): Target => ({ ...journal, end() {} })

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly hasOwnId: boolean
}

class Capture {
  readonly #into: Target
  /** Come since the last record. */
  #parts: AssistantPart[] = []
  /** The message of the step is recorded, and goes on. */
  #isBegun = false
  #open: OpenCall[] = []
  /** Told to be interrupted; a result may come all the same. */
  #closed: readonly OpenCall[] = []
  /** It was the target that failed, not the stream. */
  isFailing = false

  constructor(into: Target) {
    this.#into = into
  }

  /** @throws {TypeError} for what is no event; then nothing has come of it. */
  async take(event: AgentEvent): Promise<void> {
    const checked = checkedEvent(event)
    this.isFailing = true
    await this.#take[checked.type](checked as never)
    this.isFailing = false
  }

  readonly #take: {
    readonly [K in AgentEvent['type']]: (event: Extract<AgentEvent, { type: K }>) => Promise<void> | void
  } = {
    text: ({ text }) => this.#addText(text),
    reasoning: (event) => this.#addReasoning(event),
    'tool-call': (event) => this.#call(event),
    'tool-result': (event) => this.#result(event),
    interjected: (event) => this.#interject(event.text),
    done: () => this.#flush({}),
    aborted: ({ reason }) => this.#abort(reason),
  }

  #addText(text: string): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'text') this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
    else if (text !== '') this.#parts.push({ type: 'text', text })
  }

  /** What carries a signature is whole with it. */
  #addReasoning({ text, extra }: { readonly text: string; readonly extra?: Extra | undefined }): void {
    const last = this.#parts.at(-1)
    const goesOn = last?.type === 'reasoning' && last.extra === undefined
    const whole = { type: 'reasoning', text: goesOn ? last.text + text : text } as const
    const part = extra === undefined ? whole : { ...whole, extra }
    if (goesOn) this.#parts[this.#parts.length - 1] = part
    else this.#parts.push(part)
  }

  async #call({ id, name, args }: { id?: string | undefined; name: string; args: Json }): Promise<void> {
    const hasOwnId = id !== undefined && id !== ''
    const call = { id: hasOwnId ? id : `call_${randomUUID().replaceAll('-', '')}`, name, hasOwnId }
    this.#parts.push({ type: 'tool-call', id: call.id, name, args, state: { status: 'interrupted' } })
    await this.#flush({})
    this.#open.push(call)
  }

  async #result(event: Extract<AgentEvent, { type: 'tool-result' }>): Promise<void> {
    const { result, failed } = event
    const call = this.#callOf(event)
    await this.#flush({})
    this.#isBegun = false
    const state: ToolCallState = failed === true ? { status: 'failed', error: result } : { status: 'completed', result }
    if (call === undefined) {
      process.emitWarning(
        `A result${event.id === undefined ? '' : ` of the id ${event.id}`} has no open call; it is left out.`,
      )
      return
    }
    this.#open = this.#open.filter((open) => open !== call)
    this.#closed = this.#closed.filter((closed) => closed !== call)
    await this.#into.settle(call.id, state)
  }

  /** By id; without one by position, which for parallel calls of one tool is the order of the calls. */
  #callOf({
    id,
    name,
  }: {
    readonly id?: string | undefined
    readonly name?: string | undefined
  }): OpenCall | undefined {
    const hasId = id !== undefined && id !== ''
    const all = [...this.#open, ...this.#closed]
    const byId = hasId ? all.find((open) => open.id === id) : undefined
    if (byId !== undefined) return byId
    const candidates = hasId ? all.filter((open) => !open.hasOwnId) : all
    return candidates.find((open) => open.name === name) ?? candidates[0]
  }

  async #interject(text: string): Promise<void> {
    await this.#flush({})
    this.#isBegun = false
    await this.#into.user(text)
  }

  /** Without text, too, when there are open calls: that it was cut off is worth a record. */
  async #abort(reason: string | undefined): Promise<void> {
    const isCutOff = this.#isBegun && this.#open.length > 0
    if (this.#parts.length > 0 || isCutOff) await this.#record({ stop: 'aborted' })
    const open = this.#open
    this.#open = []
    this.#closed = [...this.#closed, ...open]
    for (const { id } of open) {
      await this.#into.settle(id, { status: 'interrupted', ...(reason === undefined ? {} : { reason }) })
    }
  }

  async #flush(more: Partial<AssistantMessage>): Promise<void> {
    if (this.#parts.length > 0) await this.#record(more)
  }

  async #record(more: Partial<AssistantMessage>): Promise<void> {
    const parts = this.#parts
    this.#parts = []
    await this.#into.assistant({ ...more, parts }, { joins: this.#isBegun })
    this.#isBegun = true
  }
}

/** A builder joins nothing: the pieces of a step are held back until it is over. */
function intoBuilder(builder: SessionBuilder): Target {
  let held: Omit<AssistantMessage, 'role'> | undefined
  const release = (): void => {
    if (held !== undefined) builder.assistant(held.parts, held)
    held = undefined
  }
  return {
    async user(parts) {
      release()
      builder.user(parts)
    },
    async assistant(message, more) {
      if (held !== undefined && more?.joins === true)
        held = { ...held, ...message, parts: [...held.parts, ...message.parts] }
      else {
        release()
        held = message
      }
    },
    async settle(callId, state) {
      release()
      builder.settle(callId, state)
    },
    end: release,
  }
}
