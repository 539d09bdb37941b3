import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, Json, UserPart } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import type { Head, Turns } from '../turns.ts'
import { usageFrom } from '../usage.ts'
import { addAssistantBlock, blocksOf, openPart, sideOf } from './blocks.ts'
import { idAt } from './calls.ts'
import { STOPS, USAGE } from './ending.ts'
import { reportFurtherFields, reportFurtherMessageFields } from './fields.ts'
import type { Block } from './media.ts'
import { resultState } from './output.ts'
import { isProviderResult, ProviderCalls } from './provider.ts'
import { textParts } from './tools.ts'

/** Who wrote an assistant message, by the model that it or the body names. */
export type AuthorOf = (model: string | undefined) => Author | undefined

/** Reads messages one after another into turns. */
export class Conversation {
  readonly #turns: Turns
  readonly #authorOf: AuthorOf
  readonly #calls = new ProviderCalls()

  constructor(turns: Turns, authorOf: AuthorOf) {
    this.#turns = turns
    this.#authorOf = authorOf
  }

  add(message: unknown, report: Report, line?: number): void {
    if (!isObject(message)) {
      report('record-invalid', { before: message })
      return
    }
    const read = own(ROLES, stringAt(message, 'role'))
    if (read === undefined) {
      report('record-unknown', { before: message })
      return
    }
    reportFurtherMessageFields(message, report)
    read(this, message, report, line)
  }

  end(report: Report): void {
    this.#calls.end(report)
  }

  /** As `end`, where the only message is an answer. */
  endOfAnswer(report: Report): void {
    this.#calls.endOfAnswer(report)
  }

  assistant(message: Block, report: Report, line?: number): void {
    const head = this.#head(message)
    let parts: StoredPart[] | undefined
    const blocks = blocksOf(valueAt(message, 'content'), report)
    const early: Block[] = []
    let calls: ReadonlyMap<string, number> | undefined
    for (const [place, block] of blocks.entries()) {
      reportFurtherFields(block, report)
      if (sideOf(block) === 'result') {
        const callId = idAt(block, 'tool_use_id')
        report('part-misplaced', { callId })
        calls ??= callPlaces(blocks)
        if ((calls.get(callId) ?? -1) > place) early.push(block)
        else {
          this.#result(block, line)
          parts = undefined
        }
      } else {
        parts ??= this.#turns.assistant(head, line)
        addAssistantBlock(block, parts, this.#calls, report)
      }
    }
    for (const block of early) this.#result(block, line)
    if (isEmpty(message)) this.#turns.assistant(head, line)
  }

  user(message: Block, report: Report, line?: number): void {
    this.#turns.close()
    let parts: UserPart[] = []
    const late: Block[] = []
    const flush = (): void => {
      if (parts.length > 0) this.#turns.user({ parts })
      for (const block of late.splice(0)) this.#result(block, line)
      parts = []
    }
    for (const block of blocksOf(valueAt(message, 'content'), report)) {
      reportFurtherFields(block, report)
      const side = sideOf(block)
      if (side === 'assistant') {
        flush()
        this.#misplaced(block, report, line)
      } else if (side === 'any') {
        const part = openPart(block, report)
        if (part !== undefined) parts.push(part)
      } else if (parts.length > 0) late.push(block)
      else this.#result(block, line)
    }
    flush()
    if (isEmpty(message)) this.#turns.user({ parts: [] })
  }

  system(message: Block, report: Report): void {
    this.#turns.close()
    const content = valueAt(message, 'content')
    const changes = Array.isArray(content) ? content.filter(isToolChange) : []
    const text = changes.length === 0 ? content : (content as unknown[]).filter((block) => !isToolChange(block))
    const fields = picked(message, ['output_config', 'clear_at'])
    // Tool changes have no part of their own: the whole list keeps their place among the texts.
    const whole = changes.length === 0 ? fields : { ...fields, content: content as Json }
    this.#turns.instruction({ authority: 'system', parts: textParts(text, report), ...slot('anthropic', whole) })
  }

  #head(message: Block): Head {
    const by = this.#authorOf(stringAt(message, 'model'))
    const stop = own(STOPS, valueAt(message, 'stop_reason'))
    const usage = usageFrom('anthropic', valueAt(message, 'usage'), USAGE)
    const id = stringAt(message, 'id')
    return {
      ...(by === undefined ? {} : { by }),
      ...(stop === undefined ? {} : { stop }),
      ...(usage === undefined ? {} : { usage }),
      ...(id === undefined ? {} : { id }),
    }
  }

  #result(block: Block, line: number | undefined): void {
    const callId = idAt(block, 'tool_use_id')
    this.#turns.result({ callId, state: resultState(block), ...(line === undefined ? {} : { line }) })
  }

  /** A block of the assistant's in a user message is read by what it is. */
  #misplaced(block: Block, report: Report, line: number | undefined): void {
    report('part-misplaced', { before: block })
    if (isProviderResult(stringAt(block, 'type') ?? '')) this.#calls.result(block, undefined, report)
    else addAssistantBlock(block, this.#turns.assistant(this.#head({}), line), this.#calls, report)
  }
}

type RoleReader = (to: Conversation, message: Block, report: Report, line?: number) => void

const ROLES: { readonly [role: string]: RoleReader } = {
  user: (to, message, report, line) => to.user(message, report, line),
  assistant: (to, message, report, line) => to.assistant(message, report, line),
  system: (to, message, report) => to.system(message, report),
}

/** Where the client's calls stand, by their ids: of several of one id the last. */
function callPlaces(blocks: readonly Block[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, block] of blocks.entries()) if (block.type === 'tool_use') places.set(idAt(block, 'id'), place)
  return places
}

const isToolChange = (block: unknown): boolean => {
  const type = stringAt(block, 'type')
  return type === 'tool_addition' || type === 'tool_removal'
}

function isEmpty(message: Block): boolean {
  const content = valueAt(message, 'content')
  return content === undefined || content === null || (Array.isArray(content) && content.length === 0)
}
