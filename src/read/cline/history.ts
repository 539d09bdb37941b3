import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolOutput, Usage, UserPart } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { Block } from '../anthropic/media.ts'
import type { StoredPart } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import { unheard } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { slot } from '../slots.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import { assistantPart, openPart, reasoningBlock, type Voice } from './blocks.ts'
import { Details } from './details.ts'
import { OpenUses, type TakenResult } from './open-uses.ts'
import { apiOf, authorOf } from './provider.ts'
import { isCloser, isDenied, stateOfText } from './result-text.ts'

/** message, content, block, content of a result, block. */
const MESSAGE: Structure = { keys: new Set(['content', 'media']), levels: 5 }

export interface HistoryOptions {
  readonly format: 'cline' | 'roo'
  /** Whether a message stands for others. */
  readonly isSummary?: ((message: Block) => boolean) | undefined
}

/** Reads messages in Anthropic's form, with what these tools add to it, one after another. */
export class History {
  readonly #to: Narrator
  readonly #options: HistoryOptions
  #uses = new OpenUses()
  /** Reasoning that was stored as a record of its own: the next answer's. */
  #reasoning: StoredPart[] = []

  constructor(to: Narrator, options: HistoryOptions) {
    this.#to = to
    this.#options = options
  }

  add(raw: unknown): void {
    const message = shallow(raw, MESSAGE, (before) => this.#to.report('value-too-deep', { before }))
    if (!isObject(message)) {
      this.#to.report('record-invalid', { before: message })
      return
    }
    const read = message.type === 'reasoning' ? REASONING : own(ROLES, message.role)
    if (read === undefined) this.#to.report('record-unknown', { before: message })
    else {
      if (message.content === undefined && read !== REASONING)
        this.#to.report('record-invalid', { message: CONTENT_MISSING, before: message })
      read(this, message)
    }
  }

  finish(): void {
    this.#flushReasoning()
  }

  reasoning(message: Block): void {
    const part = reasoningBlock(message)
    if (part === undefined) this.#to.report('record-invalid', { before: message })
    else this.#reasoning.push(part)
  }

  assistant(message: Block): void {
    if (this.#options.isSummary?.(message) === true) {
      this.#summary(message)
      return
    }
    const info = valueAt(message, 'modelInfo')
    const provider = stringAt(info, 'providerId') ?? stringAt(info, 'provider')
    const model = stringAt(info, 'modelId') ?? stringAt(info, 'id')
    const voice: Voice = { api: apiOf(provider, model), report: this.#to.report, details: new Details() }
    voice.details.add(valueAt(message, 'reasoning_details'))
    const results: Block[] = []
    const parts = [...this.#reasoning, ...writtenReasoning(message), ...this.#assistantParts(message, voice, results)]
    this.#reasoning = []
    this.#uses = new OpenUses()
    for (const part of parts) if (part.type === 'tool-call') this.#uses.add(part)
    const by = authorOf(provider, model, voice.api)
    const usage = usageOf(message, this.#options.format)
    this.#to.assistant({
      parts,
      ...(by === undefined ? {} : { by }),
      ...(usage === undefined ? {} : { usage }),
      ...(isCutShort(parts) ? { stop: 'aborted' as const } : {}),
      ...headOf(message),
      ...slot('openai-chat', voice.details.list.length === 0 ? undefined : { reasoning_details: voice.details.list }),
    })
    for (const block of results) this.#uses.answered(idAt(block, 'tool_use_id'))
    for (const block of results) this.#result(block)
  }

  user(message: Block): void {
    this.#flushReasoning()
    const blocks = blocksOf(message)
    const answered = blocks.filter(isResult)
    for (const block of answered) this.#uses.answered(idAt(block, 'tool_use_id'))
    for (const block of answered) this.#result(block)
    const rest = this.#uses.takeResults(
      blocks.filter((block) => !isResult(block)),
      (read) => this.#textResult(read),
    )
    const parts = rest.flatMap((block) => openPart(block, this.#to.report) ?? [])
    if (parts.length === 0 && blocks.length > 0) return
    const isSummary = this.#options.isSummary?.(message) === true
    const kind = isSummary ? 'summary' : rest.length < blocks.length && isMachine(parts) ? 'injected' : undefined
    this.#to.user({ parts, ...(kind === undefined ? {} : { kind }), ...headOf(message) })
  }

  system(message: Block): void {
    this.#flushReasoning()
    const parts = blocksOf(message).flatMap((block) => openPart(block, this.#to.report) ?? [])
    const texts = parts.filter((part) => part.type === 'text')
    for (const part of parts) if (part.type !== 'text') this.#to.report('part-invalid', { before: part })
    this.#to.instruction({ authority: 'system', parts: texts, ...headOf(message) })
  }

  /** `results`: what stands among the blocks against the rule. */
  #assistantParts(message: Block, voice: Voice, results: Block[]): StoredPart[] {
    const parts: StoredPart[] = []
    for (const block of blocksOf(message)) {
      const signature = isObject(block) && block.type === 'thoughtSignature' ? block.thoughtSignature : undefined
      if (typeof signature === 'string') signFirstCall(parts, signature)
      else if (isResult(block)) {
        this.#to.report('part-misplaced', { callId: idAt(block, 'tool_use_id') })
        results.push(block)
      } else {
        const part = assistantPart(block, voice)
        if (part !== undefined) parts.push(part)
      }
    }
    return parts
  }

  /** A summary is read as what the user says, whoever it was stored for. */
  #summary(message: Block): void {
    this.#flushReasoning()
    const blocks = blocksOf(message).filter((block) => {
      const isReasoning = isObject(block) && block.type === 'reasoning'
      if (isReasoning) this.#to.report('part-left-out', { before: block })
      return !isReasoning
    })
    const calls = blocks.filter((block) => isObject(block) && block.type === 'tool_use')
    const parts = blocks.flatMap((block) => (calls.includes(block) ? [] : (openPart(block, this.#to.report) ?? [])))
    this.#to.user({ parts, kind: 'summary', ...headOf(message) })
    // Calls whose results follow are kept behind it.
    if (calls.length > 0) this.assistant({ role: 'assistant', content: calls })
  }

  #result(block: Block): void {
    if (block.content === undefined) this.#to.report('part-invalid', { before: block })
    const output = outputOf(valueAt(block, 'content'))
    const told = typeof output === 'string' ? output : (stringAt(output[0], 'text') ?? '')
    const name = stringAt(block, 'name')
    const at = { callId: idAt(block, 'tool_use_id'), ...(name === undefined ? {} : { name }) }
    if (isCloser(told)) this.#to.result({ ...at, state: { status: 'interrupted' }, synthetic: true })
    else if (valueAt(block, 'is_error') !== true) this.#to.result({ ...at, state: stateOfText(bare(told), output) })
    else
      this.#to.result({
        ...at,
        state: { status: 'failed', error: output, ...(isDenied(bare(told)) ? { denied: true } : {}) },
      })
  }

  #textResult(read: TakenResult): void {
    const parts = read.blocks.flatMap((block) => openPart(block, this.#to.report) ?? [])
    const [first] = parts
    const output: ToolOutput = parts.length === 1 && first?.type === 'text' ? first.text : parts
    this.#to.result({ callId: read.id, name: read.name, state: stateOfText(read.told, output) })
  }

  #flushReasoning(): void {
    if (this.#reasoning.length === 0) return
    this.#to.assistant({ parts: this.#reasoning })
    this.#reasoning = []
  }
}

type Read = (to: History, message: Block) => void

const REASONING: Read = (to, message) => to.reasoning(message)
const ROLES: { readonly [role: string]: Read } = {
  user: (to, message) => to.user(message),
  assistant: (to, message) => to.assistant(message),
  system: (to, message) => to.system(message),
}

/** The classic store counts by `tokens`, the newer one by names of its own. */
const CLASSIC: UsageTable = { inputTokens: ['prompt'], outputTokens: ['completion'], cacheReadTokens: ['cached'] }
const NEWER: UsageTable = {
  inputTokens: ['inputTokens'],
  outputTokens: ['outputTokens'],
  cacheReadTokens: ['cacheReadTokens'],
  cacheWriteTokens: ['cacheWriteTokens'],
}

function usageOf(message: Block, format: HistoryOptions['format']): Usage | undefined {
  const metrics = valueAt(message, 'metrics')
  const tokens = valueAt(metrics, 'tokens')
  return isObject(tokens) ? usageFrom(format, tokens, CLASSIC) : usageFrom(format, metrics, NEWER)
}

function headOf(message: Block): { readonly id?: string; readonly at?: string } {
  const id = stringAt(message, 'id')
  return { ...(id === undefined ? {} : { id }), ...timeAt(message.ts) }
}

function blocksOf(message: Block): readonly unknown[] {
  const content = valueAt(message, 'content')
  if (content === undefined || content === null) return []
  return Array.isArray(content) ? content : [content]
}

const isResult = (block: unknown): block is Block => isObject(block) && block.type === 'tool_result'

/** Servers that want their reasoning back under a key of the message. */
function writtenReasoning(message: Block): StoredPart[] {
  const text = stringAt(message, 'reasoning_content')
  if (text === undefined || text === '') return []
  return [{ type: 'reasoning', text, ...slot('openai-chat', { field: 'reasoning_content' }) }]
}

function outputOf(content: unknown): ToolOutput {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block) => known(block) ?? { type: 'json', value: block as Json })
}

/** A block of another kind is kept as its JSON. */
const known = (block: unknown) =>
  typeof block === 'string' || (isObject(block) && typeof block.type === 'string')
    ? openPart(block, unheard)
    : undefined

/** Without the heading that texts of results have. */
function bare(told: string): string {
  const mark = told.startsWith('[') ? told.indexOf('] Result:') : -1
  return mark < 0 ? told : told.slice(mark + 9).trimStart()
}

/** Gemini takes the signature of an answer back on its first call. */
function signFirstCall(parts: StoredPart[], thoughtSignature: string): void {
  const first = parts.findIndex((part) => part.type === 'tool-call')
  const index = first < 0 ? parts.length - 1 : first
  const part = parts[index]
  if (part !== undefined) parts[index] = { ...part, extra: { ...part.extra, gemini: { thoughtSignature } } }
}

const CUT = '[Response interrupted by '

function isCutShort(parts: readonly StoredPart[]): boolean {
  const last = parts.findLast((part) => part.type === 'text')
  return last?.type === 'text' && last.text.endsWith(']') && last.text.lastIndexOf(CUT) > last.text.lastIndexOf('\n')
}

/** Tags around what a user wrote. */
const SPOKEN = ['<task>', '<feedback>', '<user_message>', '<answer>', '<user_feedback>']

/** What stands behind results is put there by the tool, unless it says that the user wrote it. */
const isMachine = (parts: readonly UserPart[]): boolean =>
  parts.every((part) => part.type === 'text' && !SPOKEN.some((tag) => part.text.includes(tag)))
