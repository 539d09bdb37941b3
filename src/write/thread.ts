import { type ChangeCode, type ChangeDetail, change } from '../model/change.ts'
import { ConvertError } from '../model/error.ts'
import { refuseOtherStates } from '../model/fits.ts'
import type {
  AssistantMessage,
  Change,
  Message,
  Session,
  ToolCallEntry,
  ToolCallState,
  ToolDefinition,
  UserMessage,
} from '../model/session.ts'
import { checkEnd, checkWriteOptions } from '../rules/check-options.ts'
import type { WriteOptions } from '../rules/options.ts'
import { Fold } from './fold.ts'
import { type OpenCalls, openCalls } from './open-calls.ts'
import { originFinder } from './origin.ts'
import { type Prompt, promptDrifts, stubs, writePrompt } from './prompt.ts'
import { startOf } from './start.ts'
import { definable } from './tools.ts'
import type { Origin, Repaired, Setting, Writer } from './writer.ts'

export interface Written<Request> {
  readonly request: Request
  readonly changes: readonly Change[]
  /** Where a place of the request comes from: `origin('messages.17.content.0')`, `origin('input[4]')`. */
  origin(path: string): Origin | undefined
}

/** A history that grows: push what happens, take the request whenever the model is called. */
export interface ThreadOf<Request> {
  push(message: Message): void
  /** Behind the open end this changes the prefix: reported, and on prefix-bound models signed thinking after it is left out. */
  settle(callId: string, state: ToolCallState): void
  /** The whole request now; does not disturb what is pushed later. */
  request(end?: Pick<WriteOptions, 'next'>): Written<Request>
}

/** The fold that every conversion runs through. */
export class Thread<Wire extends object, Request, Options extends WriteOptions, Traits> implements ThreadOf<Request> {
  readonly #writer: Writer<Wire, Request, Options, Traits>
  readonly #setting: Setting<Options, Traits>
  readonly #start: Session
  readonly #messages: Message[]
  /** Made when a call is settled: a conversion settles none. */
  #open: OpenCalls | undefined
  readonly #found: Change[] = []
  readonly #late: Change[] = []
  #driftFrom: number
  #fold: Fold<Wire, Request, Options, Traits>
  #prompt: Omit<Prompt, 'drifted'>

  constructor(writer: Writer<Wire, Request, Options, Traits>, options: Options, given: Session) {
    checkWriteOptions(writer.api, options)
    const start = startOf(given, this.#found)
    const rules = writer.rules(options)
    this.#writer = writer
    this.#setting = { options, rules, traits: writer.traits(options) }
    this.#start = start
    this.#driftFrom = promptDrifts(options, start, rules) ? 0 : Number.POSITIVE_INFINITY
    this.#fold = new Fold(writer, this.#setting, this.#driftFrom)
    this.#prompt = this.#writePrompt()
    this.#messages = [...start.messages]
    for (let index = 0; index < start.messages.length; index++) this.#take(start.messages[index]!, index)
  }

  push(message: Message): void {
    const index = this.#messages.length
    this.#messages.push(message)
    this.#take(message, index)
  }

  #take(message: Message, index: number): void {
    this.#open?.add(message, index)
    this.#fold.push(message, index)
  }

  settle(callId: string, state: ToolCallState): void {
    refuseOtherStates(state)
    this.#open ??= openCalls(this.#messages)
    const place = this.#open.take(callId)
    if (place === undefined) {
      this.#late.push(
        change('duplicate-result', { callId }, { message: 'No open call has this id; the outcome was left out.' }),
      )
      return
    }
    const message = this.#messages[place.message] as AssistantMessage
    const call = message.parts[place.part] as ToolCallEntry
    this.#messages[place.message] = { ...message, parts: message.parts.with(place.part, { ...call, state }) }
    const slotted = state.extra?.[this.#writer.api] !== undefined
    if (place.message >= this.#fold.openFrom && !slotted) this.#fold.settle(place.message, place.part, state)
    else this.#refold(place.message, callId)
  }

  request(end: Pick<WriteOptions, 'next'> = {}): Written<Request> {
    checkEnd(end)
    const endChanges: Change[] = []
    const report = (code: ChangeCode, detail?: ChangeDetail): void => {
      endChanges.push(change(code, {}, detail))
    }
    const next = this.#next(end.next ?? this.#setting.options.next, endChanges)
    const tail = this.#fold.writeTail(next)
    const tools = this.#tools(report)
    const { written } = this.#fold
    const body = {
      instructions: this.#instructions(),
      wires: written.wires.concat(tail.wires),
      marked: written.marked.concat(tail.marked.map((index) => index + written.wires.length)),
      tools,
    }
    const request = this.#writer.request(body, this.#setting, report)
    const changes = [
      this.#found,
      this.#prompt.changes,
      this.#fold.changes,
      this.#fold.openChanges,
      tail.changes,
      this.#late,
      endChanges,
    ].flat()
    this.#refuseLoss(changes)
    return { request, changes, origin: originFinder(this.#writer, this.#setting, this.#fold, next) }
  }

  /** The session as the repair steps leave it: the same object where there was nothing to repair. */
  repaired(): { readonly session: Session; readonly changes: readonly Change[] } {
    const tail = this.#fold.tail()
    const all: Repaired[] = [...this.#fold.hoisted]
    for (const segment of [...this.#fold.segments, tail]) all.push(...segment.assistants, ...segment.rest)
    const messages = all.map((one) => one.message)
    const changes = [...this.#found, ...this.#prompt.changes, ...this.#fold.mended]
    const same =
      messages.length === this.#messages.length && messages.every((one, index) => one === this.#start.messages[index])
    const { instructions, tools } = this.#prompt
    if (same && changes.length === 0) return { session: this.#start, changes }
    const session: Session = {
      ...this.#start,
      ...(instructions.length > 0 || this.#start.instructions !== undefined ? { instructions } : {}),
      ...(tools === undefined ? {} : { tools }),
      messages,
    }
    return { session, changes }
  }

  #instructions(): Prompt['instructions'] {
    const hoisted = this.#fold.hoisted.flatMap((one) => one.message.parts as Prompt['instructions'])
    return hoisted.length === 0 ? this.#prompt.instructions : [...this.#prompt.instructions, ...hoisted]
  }

  #writePrompt(): Omit<Prompt, 'drifted'> {
    return writePrompt(this.#fold as never, this.#setting.options, this.#start, this.#setting.rules.refusesNul)
  }

  #refold(changed: number, callId: string): void {
    this.#driftFrom = Math.min(this.#driftFrom, changed + 1)
    this.#late.push(change('prefix-changed', { message: changed, callId }))
    this.#fold = new Fold(this.#writer, this.#setting, this.#driftFrom)
    this.#prompt = this.#writePrompt()
    for (const [index, message] of this.#messages.entries()) this.#fold.push(message, index)
  }

  #next(next: WriteOptions['next'], changes: Change[]): Repaired | undefined {
    if (next === undefined) return undefined
    const message: UserMessage = {
      role: 'user',
      parts: typeof next === 'string' ? [{ type: 'text', text: next }] : next,
    }
    const repaired = this.#fold.repairAlone(message, (found) => changes.push(found))
    return repaired.message.parts.length === 0 ? undefined : repaired
  }

  #tools(report: (code: ChangeCode, detail?: ChangeDetail) => void): readonly ToolDefinition[] | undefined {
    const { used } = this.#fold.book
    const { rules } = this.#setting
    const tools = this.#prompt.tools && definable(this.#prompt.tools, rules, report)
    if (tools === undefined || tools.length === 0) {
      if (used.size === 0 || !rules.wantsTools) return tools
      report('tools-stubbed', { after: [...used].join(', ') })
      return stubs(used)
    }
    const defined = new Set(tools.map((tool) => tool.name))
    for (const name of used) if (!defined.has(name)) report('tool-undefined', { before: name })
    return tools
  }

  #refuseLoss(changes: readonly Change[]): void {
    if (this.#setting.options.onLoss !== 'throw') return
    const lost = changes.filter((one) => one.severity === 'loss')
    if (lost.length === 0) return
    throw new ConvertError(`The conversion would lose content (${lost.length}): ${lost[0]!.message}`, changes)
  }
}
