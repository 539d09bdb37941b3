import type { ChangePlace } from '../../model/session.ts'
import { addAssistantBlock, sideOf } from '../anthropic/blocks.ts'
import { ProviderCalls } from '../anthropic/provider.ts'
import { type Assembler, assembler, type StoredPart } from '../assemble.ts'
import type { ReadOptions } from '../reader.ts'
import { type Report, reporter } from '../report.ts'
import { headOf } from './assistant.ts'
import { SILENT_ATTACHMENTS } from './attachments.ts'
import { blockOf, isBlank } from './block.ts'
import type { Conversation, Group, Placed } from './conversation.ts'
import { attachmentType } from './leaf.ts'
import { contentOf, idAt, isForScreenOnly, isResult, type ResultBlock } from './messages.ts'
import type { Link, LinkType } from './records.ts'
import { isCloser, stateOf } from './results.ts'
import { fileMessage, queuedMessage, userMessage } from './user.ts'

type Step = (into: Assembler) => void

/**
 * Tells a chain to the assembler, message by message. Results that were found off the chain come right behind their message, in
 * file order with those of the chain.
 */
export class Replay {
  readonly #conversation: Conversation
  readonly #options: ReadOptions
  readonly #onChain: ReadonlySet<Link>
  readonly #into: Assembler = assembler({ unanswered: 'interrupted' })
  readonly #providerCalls = new ProviderCalls()
  /** Kept back until all is read: the result of a provider-run call may stand in a later message. */
  readonly #steps: Step[] = []
  readonly #told = new Set<Group>()
  /** Results that stand on the chain before their calls. */
  readonly #early = new Map<Group, Placed<ResultBlock>[]>()
  /** Results to come, in file order. */
  #pending: Placed<ResultBlock>[] = []
  /** Records off the chain that hold more than a result. */
  readonly #more = new Set<Link>()
  readonly #unknown = new Set<unknown>()
  #line = 0
  readonly report: Report

  constructor(conversation: Conversation, chain: readonly Link[], options: ReadOptions) {
    this.#conversation = conversation
    this.#options = options
    this.#onChain = new Set(chain)
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
    this.#providerCalls.reportOrphans(
      reporter(
        (change) => this.#into.report(change),
        () => ({}),
      ),
    )
    for (const step of this.#steps) step(this.#into)
    return this.#into.finish()
  }

  assistant(link: Link): void {
    if (isForScreenOnly(link)) {
      this.report('message-left-out', { before: contentOf(link) })
      return
    }
    const group = this.#conversation.groupOf(link)
    if (group === undefined || this.#told.has(group)) return
    this.#flush()
    this.#told.add(group)
    this.#message(group, link)
    const early = this.#early.get(group)
    this.#pending = early === undefined ? [...group.pulled] : [...early, ...group.pulled].sort(byPlace)
  }

  user(link: Link): void {
    const content = contentOf(link)
    if (content === undefined) {
      this.report('record-invalid', { before: link.record.message ?? null })
      return
    }
    if (isForScreenOnly(link)) {
      this.report('message-left-out', { before: content })
      return
    }
    const rest: unknown[] = []
    for (const block of content) {
      if (isResult(block)) this.#resultOnChain({ link, block })
      else rest.push(block)
    }
    if (rest.length > 0 || content.length === 0) this.#said(link, rest)
  }

  attachment(link: Link): void {
    const type = attachmentType(link)
    if (type === 'queued_command') this.#user(queuedMessage(link, this.report))
    else if (type === 'file') this.#file(link)
    else if (!SILENT_ATTACHMENTS.has(type) && !this.#unknown.has(type)) {
      this.#unknown.add(type)
      this.report('record-unknown', { before: `attachment ${String(type)}` })
    }
  }

  #file(link: Link): void {
    const message = fileMessage(link)
    if (message === undefined) this.report('message-left-out', { before: link.record.attachment })
    else this.#user(message)
  }

  #message(group: Group, at: Link): void {
    for (const { link, block } of group.repeated) {
      this.at(link)
      this.report('record-duplicate', { before: block })
    }
    const parts: StoredPart[] = []
    const results: Placed<ResultBlock>[] = []
    for (const { link, block: raw } of group.blocks) {
      this.at(link)
      const block = blockOf(raw, this.report)
      if (block === undefined) continue
      if (isBlank(block)) this.report('text-empty')
      else if (sideOf(block) !== 'result') addAssistantBlock(block, parts, this.#providerCalls, this.report)
      else if (isResult(block)) results.push({ link, block })
    }
    const head = headOf(group, this.#options)
    this.#steps.push((into) => {
      if (parts.length > 0) into.assistant({ ...head, parts }, { line: at.line })
    })
    for (const result of results) this.#result(result)
  }

  #resultOnChain(result: Placed<ResultBlock>): void {
    const caller = this.#conversation.callerOf(idAt(result.block, 'tool_use_id'))
    if (caller !== undefined && !this.#told.has(caller)) {
      const early = this.#early.get(caller)
      if (early === undefined) this.#early.set(caller, [result])
      else early.push(result)
      return
    }
    this.#flushBefore(result.link)
    this.#result(result)
  }

  #result({ link, block: raw }: Placed<ResultBlock>): void {
    this.at(link)
    const block = blockOf(raw, this.report)
    if (block === undefined || !isResult(block)) return
    const callId = idAt(block, 'tool_use_id')
    const synthetic = isCloser(block) ? { synthetic: true } : {}
    const result = { callId, state: stateOf(block), ...synthetic, line: link.line }
    this.#steps.push((into) => into.result(result))
  }

  #said(link: Link, blocks: readonly unknown[]): void {
    this.at(link)
    this.#user(userMessage(link, blocks, this.report))
  }

  #user(message: ReturnType<typeof userMessage>): void {
    if (message === undefined) return
    this.#flush()
    this.#steps.push((into) => into.user(message))
  }

  #flushBefore(link: Link): void {
    let count = 0
    for (const result of this.#pending) {
      if (result.link.index >= link.index) break
      this.#pulled(result)
      count++
    }
    if (count > 0) this.#pending = this.#pending.slice(count)
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = []
    for (const result of pending) this.#pulled(result)
    const more = [...this.#more]
    this.#more.clear()
    for (const link of more)
      this.#said(
        link,
        (contentOf(link) ?? []).filter((block) => !isResult(block)),
      )
  }

  #pulled(result: Placed<ResultBlock>): void {
    this.#result(result)
    const { link } = result
    if (!this.#onChain.has(link) && (contentOf(link) ?? []).some((block) => !isResult(block))) this.#more.add(link)
  }
}

const byPlace = (a: Placed, b: Placed): number => a.link.index - b.link.index

const TELLERS: { readonly [type in LinkType]: (replay: Replay, link: Link) => void } = {
  user: (replay, link) => replay.user(link),
  assistant: (replay, link) => replay.assistant(link),
  attachment: (replay, link) => replay.attachment(link),
  // They carry the chain and nothing that the model sees.
  progress: () => {},
  system: () => {},
}
