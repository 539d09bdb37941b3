import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { TextPart, ToolCallState } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import type { Entry } from '../body.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { pushPart } from '../item-parts.ts'
import type { Narrator } from '../narrator.ts'
import { type Structure, shallow } from '../shallow.ts'
import { slot } from '../slots.ts'
import { Approvals } from './approvals.ts'
import { authorOf } from './author.ts'
import { detailsOf, slotsOf } from './metadata.ts'
import { DENIED, resultState } from './output.ts'
import { saidPart, textsOf, userParts } from './parts.ts'
import { searchBlocks } from './provider-run.ts'
import { argsOf } from './tool-part.ts'
import { partsOf } from './versions.ts'

/** message, content, part, output, value of a list, part. */
const MESSAGE: Structure = { keys: new Set(['content', 'output', 'value']), levels: 6 }

/** Reads the messages that the SDK gives to models. */
export class ModelMessages {
  readonly #to: Narrator
  readonly #approvals: Approvals
  readonly #count: number
  #index = -1
  instructions: readonly TextPart[] | undefined

  constructor(to: Narrator, list: readonly Entry[]) {
    this.#to = to
    this.#count = list.length
    this.#approvals = new Approvals(list)
  }

  add({ value }: Entry): void {
    this.#index++
    const message = shallow(value, MESSAGE, (before) => this.#to.report('value-too-deep', { before }))
    if (!isObject(message)) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    const read = own(ROLES, message.role)
    if (read === undefined) this.#to.report('record-unknown', { before: message })
    else {
      if (message.content === undefined && message.parts === undefined)
        this.#to.report('record-invalid', { message: CONTENT_MISSING, before: message })
      read(this, message)
    }
  }

  system(message: Fields): void {
    const marks = slotsOf('text', message.providerOptions)
    const parts = textsOf(userParts(partsOf(message), this.#to.report), this.#to.report).map((part) =>
      marks.extra === undefined ? part : { ...part, ...marks },
    )
    if (this.#to.count === 0 && this.instructions === undefined && parts.length > 0) this.instructions = parts
    else this.#to.instruction({ authority: 'system', parts, ...idOf(message) })
  }

  user(message: Fields): void {
    const content = partsOf(message)
    const results = content.filter(isResult)
    for (const result of results) {
      this.#to.report('part-misplaced', { callId: idAt(result, 'toolCallId') })
      this.#result(result)
    }
    const rest = results.length === 0 ? content : content.filter((part) => !isResult(part))
    if (rest.length > 0 || results.length === 0)
      this.#to.user({ parts: userParts(rest, this.#to.report), ...idOf(message) })
  }

  assistant(message: Fields): void {
    const content = partsOf(message)
    const results = resultsIn(content)
    const parts: StoredPart[] = []
    for (const part of content) {
      const type = stringAt(part, 'type')
      if (type === 'tool-result' || type === 'tool-approval-request') continue
      const read = isObject(part) && type === 'tool-call' ? this.#call(part, results) : this.#said(part)
      if (read !== undefined) pushPart(parts, read)
    }
    const by = authorOf(message, parts)
    const details = [message, ...content].flatMap((part) => detailsOf(valueAt(part, 'providerOptions')))
    this.#to.assistant({
      parts,
      ...(by === undefined ? {} : { by }),
      ...idOf(message),
      ...slot('openai-chat', details.length === 0 ? undefined : { reasoning_details: details }),
    })
    for (const id of results.keys()) for (const result of results.get(id) ?? []) this.#result(result)
  }

  tool(message: Fields): void {
    for (const part of partsOf(message)) {
      const type = stringAt(part, 'type')
      if (isObject(part) && type === 'tool-result') this.#result(part)
      else if (type !== 'tool-approval-response') this.#to.report('part-invalid', { before: part })
    }
  }

  #said(part: unknown): StoredPart | undefined {
    const said = saidPart(typeof part === 'string' ? { type: 'text', text: part } : part, this.#to.report)
    if (said?.type !== 'text' || said.text !== '' || said.extra !== undefined) return said
    this.#to.report('text-empty')
    return undefined
  }

  /** The result of a call that the provider ran stands in the same message. */
  #call(part: Fields, results: Map<string, Fields[]>): StoredPart {
    const id = idAt(part, 'toolCallId')
    if (part.toolName === undefined) this.#to.report('part-invalid', { message: NAMELESS, before: part, callId: id })
    const call: OpenCall = {
      type: 'tool-call',
      id,
      name: stringAt(part, 'toolName') ?? '',
      ...argsOf(part),
      ...(part.providerExecuted === true ? { executor: 'provider' as const } : {}),
      ...slotsOf('call', part.providerOptions ?? part.providerMetadata),
    }
    if (call.executor === 'provider') {
      const result = results.get(id)?.shift()
      const raw = searchBlocks(call, valueAt(valueAt(result, 'output'), 'value') ?? valueAt(result, 'result'))
      const placed = raw === undefined ? call : { ...call, extra: { ...call.extra, anthropic: raw } }
      if (result !== undefined) return { ...placed, state: resultState(result) }
    }
    const state = this.#waiting(id)
    return state === undefined ? call : { ...call, state }
  }

  /** What is known of a call without its result. */
  #waiting(id: string): ToolCallState | undefined {
    const { isAnswered, isAsked, answer } = this.#approvals.of(id)
    if (isAnswered) return undefined
    // Nothing but what approves follows.
    if (this.#index >= this.#approvals.lastSpoken && isAsked)
      return { status: 'pending', reason: 'approval', ...(answer === undefined ? {} : { approved: answer.approved }) }
    if (answer?.approved === false) return { status: 'failed', error: answer.reason ?? DENIED, denied: true }
    return this.#index === this.#count - 1 ? { status: 'pending' } : undefined
  }

  #result(part: Fields): void {
    const name = stringAt(part, 'toolName')
    const state = resultState(part)
    if (OUTPUTS.every((key) => part[key] === undefined) || isHollow(part.output))
      this.#to.report('part-invalid', { before: part })
    const { extra } = slotsOf('result', part.providerOptions)
    this.#to.result({
      callId: idAt(part, 'toolCallId'),
      ...(name === undefined ? {} : { name }),
      state: extra === undefined ? state : { ...state, extra },
    })
  }
}

type Read = (to: ModelMessages, message: Fields) => void

const ROLES: { readonly [role: string]: Read } = {
  system: (to, message) => to.system(message),
  user: (to, message) => to.user(message),
  assistant: (to, message) => to.assistant(message),
  tool: (to, message) => to.tool(message),
}

/** An output that says its kind and nothing else. */
const isHollow = (output: unknown): boolean =>
  isObject(output) &&
  typeof output.type === 'string' &&
  output.value === undefined &&
  output.type !== 'execution-denied'

const NAMELESS = 'A call is stored without the name of its tool.'
const OUTPUTS = ['output', 'result', 'experimental_content']

const isResult = (part: unknown): part is Fields => isObject(part) && part.type === 'tool-result'

function resultsIn(content: readonly unknown[]): Map<string, Fields[]> {
  const results = new Map<string, Fields[]>()
  for (const part of content) {
    if (!isResult(part)) continue
    const id = idAt(part, 'toolCallId')
    const known = results.get(id)
    if (known === undefined) results.set(id, [part])
    else known.push(part)
  }
  return results
}

function idOf(message: Fields): { readonly id?: string } {
  const id = stringAt(message, 'id')
  return id === undefined || id === '' ? {} : { id }
}
