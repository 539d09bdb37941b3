import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, StopReason, TextPart, UserPart } from '../../model/session.ts'
import type { Assembler, StoredPart, StoredResult } from '../assemble.ts'
import { type Report, reporter } from '../report.ts'
import { apiOf, type BlockKind, callPart, imagePart, kindOf, reasoningPart, textPart } from './blocks.ts'
import { resultOf } from './results.ts'

/** Who answers, as the rows said last. */
export interface Model {
  readonly provider: string | undefined
  readonly model: string | undefined
}

type Head = { readonly at?: string }

/** What a message holds. */
interface Sorted<P> {
  readonly parts: readonly P[]
  readonly results: readonly StoredResult[]
}
type Reads<P> = { readonly [kind in BlockKind]?: (block: Fields, report: Report) => P | undefined }

const OPEN: Reads<UserPart> = { text: textPart, image: imagePart }
const ASSISTANT: Reads<StoredPart> = { ...OPEN, reasoning: reasoningPart, call: callPart }
const TEXT: Reads<TextPart> = { text: textPart }

const SUMMARY_HEAD = '## Context Summary (compacted)'

/** Puts stored messages into the assembler. */
export class Conversation {
  readonly #into: Assembler
  #line = 0
  model: Model = { provider: undefined, model: undefined }
  readonly report: Report

  constructor(into: Assembler) {
    this.#into = into
    this.report = reporter(
      (change) => into.report(change),
      () => ({ line: this.#line }),
    )
  }

  at(line: number): void {
    this.#line = line
  }

  /** `stop`: how the turn ended, where that is known. */
  add(stored: unknown, stop?: StopReason): void {
    const role = isObject(stored) ? own(this.#roles, stored.role) : undefined
    if (!isObject(stored) || role === undefined || !Array.isArray(stored.content)) {
      this.report('record-invalid', { before: stored })
      return
    }
    const at = stringAt(stored, 'time')
    const blocks: readonly unknown[] = stored.content
    role(blocks, at === undefined || at === '' ? {} : { at }, stored, stop)
  }

  readonly #roles: {
    readonly [role: string]: (blocks: readonly unknown[], head: Head, stored: Fields, stop?: StopReason) => void
  } = {
    user: (blocks, head, stored) => this.#user(blocks, head, stored),
    assistant: (blocks, head, _stored, stop) => this.#assistant(blocks, head, stop),
    tool: (blocks) => this.#answered(this.#parts(blocks, {})),
    developer: (blocks, head) => {
      const parts = this.#answered(this.#parts(blocks, TEXT))
      if (parts.length > 0) this.#into.instruction({ ...head, authority: 'developer', parts })
    },
  }

  /** Undefined where the model is not known. */
  author(blocks: readonly unknown[]): Author | undefined {
    const { provider, model } = this.model
    const api = apiOf(blocks, provider)
    if (model === undefined) return undefined
    return { ...(provider === undefined ? {} : { provider }), ...(api === undefined ? {} : { api }), model }
  }

  #user(blocks: readonly unknown[], head: Head, stored: Fields): void {
    const parts = this.#answered(this.#parts(blocks, OPEN))
    if (parts.length === 0) return
    const kind = isSummary(stored) ? { kind: 'summary' as const } : {}
    this.#into.user({ ...kind, ...head, parts })
  }

  #assistant(blocks: readonly unknown[], head: Head, stop: StopReason | undefined): void {
    const { parts, results } = this.#parts(blocks, ASSISTANT)
    if (parts.length > 0) {
      const by = this.author(blocks)
      const told = { ...(by === undefined ? {} : { by }), ...(stop === undefined ? {} : { stop }), ...head, parts }
      this.#into.assistant(told, { line: this.#line })
    }
    // They may be of the calls that stand beside them.
    this.#answered({ parts, results })
  }

  #answered<P>({ parts, results }: Sorted<P>): readonly P[] {
    for (const result of results) this.#into.result(result)
    return parts
  }

  /** The parts that a role may hold. Results go to their calls wherever they stand. */
  #parts<P>(blocks: readonly unknown[], reads: Reads<P>): Sorted<P> {
    if (blocks.length === 0) this.report('message-empty')
    const isOfTool = reads.text === undefined
    const results: StoredResult[] = []
    const parts = blocks.flatMap((stored) => {
      const block: unknown = typeof stored === 'string' ? { text: stored } : stored
      const kind = kindOf(block)
      if (kind === 'result' && isObject(block)) {
        if (!isOfTool) this.report('part-misplaced', { before: block })
        results.push(resultOf(block, this.#line, this.report))
        return []
      }
      const part = kind === undefined || !isObject(block) ? undefined : reads[kind]?.(block, this.report)
      if (part === undefined) this.report('part-invalid', { before: stored })
      return part === undefined ? [] : [part]
    })
    return { parts, results }
  }
}

/** The message that a compaction puts in front. */
export function isSummary(message: unknown): boolean {
  if (valueAt(valueAt(message, 'meta'), 'compaction') === 'true') return true
  const content = valueAt(message, 'content')
  const text = Array.isArray(content) && content.length === 1 ? stringAt(content[0], 'text') : undefined
  return text?.startsWith(SUMMARY_HEAD) === true
}
