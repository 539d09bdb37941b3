import type { ChangePlace, UserMessage } from '../../model/session.ts'
import { addAssistantBlock } from '../anthropic/blocks.ts'
import { isProviderUse, ProviderCalls } from '../anthropic/provider.ts'
import { type Assembler, assembler, type StoredAssistant, type StoredPart, type StoredResult } from '../assemble.ts'
import type { ReadOptions } from '../reader.ts'
import { type Report, reporter } from '../report.ts'
import { assistantMessage } from './assistant.ts'
import { SILENT_ATTACHMENTS } from './attachments.ts'
import { blockOf, isBlank } from './block.ts'
import type { Conversation } from './conversation.ts'
import { callId, type Group, visitBlocks } from './group.ts'
import type { Link, LinkType } from './link.ts'
import { attachmentType } from './link.ts'
import { idAt, isResult } from './messages.ts'
import { NO_RESULTS, PlacedResult } from './pulled-results.ts'
import { isCloser, stateOf } from './results.ts'
import { fileMessage, queuedMessage, userMessage } from './user.ts'

/** What is told to the assembler, and with what. */
interface Step {
  readonly how: 'user' | 'assistant' | 'result'
  readonly what: unknown
  readonly line: number
}

const STEPS: { readonly [how in Step['how']]: (into: Assembler, what: never, line: number) => void } = {
  user: (into, message: Omit<UserMessage, 'role'>) => into.user(message),
  result: (into, result: StoredResult) => into.result(result),
  assistant(into, message: StoredAssistant, line) {
    if (message.parts.length > 0) into.assistant(message, { line })
  },
}

/**
 * Tells a chain to the assembler, message by message. Results that were found off the chain come right behind their message, in
 * file order with those of the chain.
 */
export class Replay {
  readonly #conversation: Conversation
  readonly #options: ReadOptions
  readonly #into: Assembler = assembler({ unanswered: 'interrupted' })
  readonly #providerCalls = new ProviderCalls()
  /** From the first provider-run call on steps wait until all is read: its result may stand in a later message. */
  readonly #steps: Step[] = []
  #isWaiting = false
  readonly #told = new Set<Group>()
  readonly #toldCalls = new Set<string>()
  /** Results on the chain whose call has not come, by its id. */
  readonly #early = new Map<string, PlacedResult[]>()
  /** Results to come, in file order. */
  #pending: readonly PlacedResult[] = NO_RESULTS
  /** How many of them have been told. */
  #flushed = 0
  /** Records off the chain that hold more than a result. */
  readonly #more = new Set<Link>()
  /** Which results were taken from records off the chain that hold several blocks. */
  readonly #partly = new Map<Link, Set<number>>()
  readonly #unknown = new Set<string>()
  #line = 0
  readonly report: Report

  constructor(conversation: Conversation, options: ReadOptions) {
    this.#conversation = conversation
    this.#options = options
    const place = (): ChangePlace => ({ line: this.#line })
    this.report = reporter((change) => this.#into.report(change), place)
  }

  /** Tells one record of the chain. */
  tell(link: Link): void {
    this.at(link)
    TELLERS[link.type](this, link)
  }

  at(link: Link): void {
    this.#line = link.line
  }

  finish(): ReturnType<Assembler['finish']> {
    this.#flush()
    for (const results of this.#early.values()) for (const result of results) this.#result(result)
    this.#tellRest()
    this.#providerCalls.end(
      reporter(
        (change) => this.#into.report(change),
        () => ({}),
      ),
    )
    for (const { how, what, line } of this.#steps) STEPS[how](this.#into, what as never, line)
    return this.#into.finish()
  }

  assistant(link: Link): void {
    if (link.screenOnly) {
      this.report('message-left-out', { before: link.content })
      return
    }
    const group = this.#conversation.groupOf(link)
    if (group === undefined || this.#told.has(group)) return
    this.#flush()
    this.#told.add(group)
    const early = this.#message(group, link)
    this.#pending = early.length === 0 ? group.pulled : [...early, ...group.pulled].sort(byPlace)
  }

  user(link: Link): void {
    const content = link.content
    if (content === undefined) {
      this.report('record-invalid', { before: link.message ?? null })
      return
    }
    if (link.screenOnly) {
      this.report('message-left-out', { before: content })
      return
    }
    let rest = 0
    for (let index = 0; index < content.length; index++) {
      const block = content[index]
      if (isResult(block)) this.#resultOnChain(new PlacedResult(link, index, block))
      else rest++
    }
    if (rest === content.length) this.#said(link, content)
    else if (rest > 0)
      this.#said(
        link,
        content.filter((block) => !isResult(block)),
      )
  }

  attachment(link: Link): void {
    const type = attachmentType(link)
    if (type === 'queued_command') this.#user(queuedMessage(link, this.report))
    else if (type === 'file') this.#file(link)
    else if (!SILENT_ATTACHMENTS.has(type)) this.#unknownAttachment(typeof type === 'string' ? type : 'without a type')
  }

  #unknownAttachment(kind: string): void {
    if (this.#unknown.has(kind)) return
    this.#unknown.add(kind)
    this.report('record-unknown', { before: `attachment ${kind}` })
  }

  #file(link: Link): void {
    const message = fileMessage(link)
    if (message === undefined) this.report('message-left-out', { before: link.record.attachment })
    else this.#user(message)
  }

  /** Gives back the results that stand before the message. */
  #message(group: Group, at: Link): readonly PlacedResult[] {
    const parts: StoredPart[] = []
    const early: PlacedResult[] = []
    const misplaced: PlacedResult[] = []
    const visit = (raw: unknown, link: Link, index: number, isRepeated: boolean): void => {
      this.at(link)
      if (isRepeated) this.report('record-duplicate', { before: raw })
      else if (isResult(raw)) misplaced.push(new PlacedResult(link, index, raw))
      else this.#assistantBlock(raw, parts, early)
    }
    visitBlocks(group, this.#conversation.isOnChain, visit, (link) => this.#tellEmpty(link))
    for (const result of misplaced) this.#misplaced(result, early)
    this.#do('assistant', assistantMessage(group, parts, this.#options), at.line)
    return early
  }

  #tellEmpty(link: Link): void {
    this.at(link)
    this.report('record-invalid', { before: link.message ?? link.record })
  }

  #assistantBlock(raw: unknown, parts: StoredPart[], early: PlacedResult[]): void {
    const block = blockOf(raw, this.report)
    if (block === undefined) return
    if (isProviderUse(String(block.type))) this.#isWaiting = true
    if (isBlank(block)) this.report('text-empty')
    else addAssistantBlock(block, parts, this.#providerCalls, this.report)
    const id = callId(block)
    if (id === undefined) return
    this.#toldCalls.add(id)
    if (this.#early.size === 0) return
    for (const result of this.#early.get(id) ?? NO_RESULTS) early.push(result)
    this.#early.delete(id)
  }

  /** A result in an answer: of a call of this answer, of one before it, or of one to come. */
  #misplaced(result: PlacedResult, early: PlacedResult[]): void {
    this.at(result.link)
    const id = idAt(result.block, 'tool_use_id')
    this.report('part-misplaced', { callId: id })
    if (id === '' || this.#toldCalls.has(id)) early.push(result)
    else this.#await(id, result)
  }

  #resultOnChain(result: PlacedResult): void {
    const id = idAt(result.block, 'tool_use_id')
    if (id === '' || this.#toldCalls.has(id)) {
      this.#flushBefore(result.link)
      this.#result(result)
      return
    }
    this.#await(id, result)
  }

  /** Until its call comes. */
  #await(id: string, result: PlacedResult): void {
    const early = this.#early.get(id)
    if (early === undefined) this.#early.set(id, [result])
    else early.push(result)
  }

  #result({ link, block: raw }: PlacedResult): void {
    this.at(link)
    const block = blockOf(raw, this.report)
    if (block === undefined || !isResult(block)) return
    const callId = idAt(block, 'tool_use_id')
    const result: StoredResult = { callId, state: stateOf(block), synthetic: isCloser(block), line: link.line }
    this.#do('result', result, link.line)
  }

  #said(link: Link, blocks: readonly unknown[]): void {
    this.at(link)
    this.#user(userMessage(link, blocks, this.report))
  }

  #user(message: ReturnType<typeof userMessage>): void {
    if (message === undefined) return
    this.#flush()
    this.#do('user', message, this.#line)
  }

  #do(how: Step['how'], what: unknown, line: number): void {
    if (this.#isWaiting) this.#steps.push({ how, what, line })
    else STEPS[how](this.#into, what as never, line)
  }

  #flushBefore(link: Link): void {
    for (; this.#flushed < this.#pending.length; this.#flushed++) {
      const result = this.#pending[this.#flushed]
      if (result === undefined || result.link.index >= link.index) break
      this.#pulled(result)
    }
  }

  #flush(): void {
    const [pending, from] = [this.#pending, this.#flushed]
    this.#pending = NO_RESULTS
    this.#flushed = 0
    for (let index = from; index < pending.length; index++) this.#pulled(pending[index]!)
    if (this.#more.size === 0) return
    const more = [...this.#more]
    this.#more.clear()
    for (const link of more)
      this.#said(
        link,
        (link.content ?? []).filter((block) => !isResult(block)),
      )
  }

  #pulled(result: PlacedResult): void {
    this.#result(result)
    const { link, index } = result
    const content = this.#conversation.isOnChain(link) ? undefined : link.content
    if (content === undefined || content.length < 2) return
    if (!link.onlyResults) this.#more.add(link)
    const places = this.#partly.get(link)
    if (places === undefined) this.#partly.set(link, new Set([index]))
    else places.add(index)
  }

  /** Results off the chain that stand beside pulled ones, and answer no call that waits. */
  #tellRest(): void {
    for (const [link, places] of this.#partly)
      for (const [index, block] of (link.content ?? []).entries())
        if (isResult(block) && !places.has(index)) this.#result(new PlacedResult(link, index, block))
  }
}

const byPlace = (a: PlacedResult, b: PlacedResult): number => a.link.index - b.link.index

const TELLERS: { readonly [type in LinkType]: (replay: Replay, link: Link) => void } = {
  user: (replay, link) => replay.user(link),
  assistant: (replay, link) => replay.assistant(link),
  attachment: (replay, link) => replay.attachment(link),
  // They carry the chain and nothing that the model sees.
  progress: () => {},
  system: () => {},
}
