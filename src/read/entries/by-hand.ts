import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Change, Extra, InstructionMessage, Json, Session, TextPart } from '../../model/session.ts'
import { type Assembler, assembler, type StoredPart } from '../assemble.ts'
import type { Body, Entry } from '../body.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import { type Report, reporter } from '../report.ts'
import { canonicalCall, outputOf, statedCall } from './calls.ts'
import { toolOf } from './canonical.ts'
import { headOf } from './head.ts'
import { ASSISTANT_PARTS, INSTRUCTION_PARTS, partsOf, USER_PARTS } from './parts.ts'
import { ASSISTANT, fieldLost, INSTRUCTION, keptOf, SESSION, USER } from './shapes.ts'

/** Sessions in the minimal form: a list of `{ role, content, toolCalls }`, and what stands beside the list. */
export function readByHand({ fields, list }: Body): { session: Session; changes: readonly Change[] } {
  const into = assembler({ unanswered: 'interrupted' })
  const ofSession = reporter(
    (change) => into.report(change),
    () => ({}),
  )
  const leading = [fields.instructions, fields.system].flatMap((found) => textsOf(found, ofSession))
  const reading = new ByHand(into, leading)
  for (const entry of list) reading.add(entry)
  const tools = Array.isArray(fields.tools) ? keptOf(fields.tools, (tool) => toolOf(tool, ofSession)) : undefined
  const { messages, changes } = into.finish()
  const session = {
    version: 1,
    source: { format: 'entries' },
    ...headOf(fields, SESSION, ofSession, OF_SESSION),
    ...(reading.instructions.length === 0 ? {} : { instructions: reading.instructions }),
    ...(tools === undefined ? {} : { tools }),
    messages,
  }
  return { session: session as unknown as Session, changes }
}

const OF_SESSION = {
  apart: new Set(['version', 'messages', 'instructions', 'system', 'tools']),
  slot: 'entries',
} as const
const OF_CALL = { slot: 'entries', argsText: true } as const
const OF_MESSAGE = {
  apart: new Set(['role', 'authority', 'content', 'parts', 'toolCalls', 'tool_calls']),
  slot: 'entries',
} as const

class ByHand {
  readonly instructions: TextPart[]
  readonly #into: Assembler
  #messages = 0

  constructor(into: Assembler, leading: TextPart[]) {
    this.#into = into
    this.instructions = leading
  }

  add({ value, line }: Entry): void {
    const place = line === undefined ? {} : { line }
    const report = reporter(
      (change) => this.#into.report(change),
      () => ({ message: this.#messages, ...place }),
    )
    const role = isObject(value) ? own(this.#roles, value.role) : undefined
    if (role !== undefined && isObject(value)) {
      if (value.role !== 'assistant') reportCalls(value, report)
      role(value, report, line)
    } else report(isObject(value) && value.role === undefined ? 'record-unknown' : 'record-invalid', { before: value })
  }

  readonly #roles: { readonly [role: string]: (stored: Fields, report: Report, line?: number) => void } = {
    user: (stored, report) => this.#user(stored, report),
    assistant: (stored, report, line) => this.#assistant(stored, report, line),
    system: (stored, report) => this.#instruction(stored, 'system', report),
    developer: (stored, report) => this.#instruction(stored, 'developer', report),
    instruction: (stored, report) =>
      this.#instruction(stored, stored.authority === 'developer' ? 'developer' : 'system', report),
    tool: (stored, report, line) => this.#result(stored, report, line),
  }

  #user(stored: Fields, report: Report): void {
    const parts = partsOf(contentOf(stored, report), USER_PARTS, report)
    this.#into.user({ ...headOf(stored, USER, report, OF_MESSAGE), parts })
    this.#messages++
  }

  #assistant(stored: Fields, report: Report, line?: number): void {
    const parts: readonly StoredPart[] = partsOf(contentOf(stored, report), PARTS_AND_CALLS, report)
    const calls = ['toolCalls', 'tool_calls'].flatMap((key) => listAt(stored, key, report))
    const read = keptOf(calls, (call) => statedCall(call, report, OF_CALL))
    const message = { ...headOf(stored, ASSISTANT, report, OF_MESSAGE), parts: [...parts, ...read] }
    this.#into.assistant(message, line === undefined ? {} : { line })
    this.#messages++
  }

  /** What leads is the system prompt. */
  #instruction(stored: Fields, authority: InstructionMessage['authority'], report: Report): void {
    const parts = partsOf(contentOf(stored, report), INSTRUCTION_PARTS, report)
    const head = headOf(stored, INSTRUCTION, report, OF_MESSAGE)
    if (this.#messages === 0) {
      const texts = withHead(parts, authority === 'developer' ? { role: authority, ...head } : head)
      for (const text of texts) this.instructions.push(text)
    } else {
      this.#into.instruction({ ...head, authority, parts })
      this.#messages++
    }
  }

  /** A result in a message of its own, as a few store it beside the calls. */
  #result(stored: Fields, report: Report, line?: number): void {
    if (stored.content === undefined) report('record-invalid', { message: CONTENT_MISSING, before: stored })
    const id = stored.toolCallId ?? stored.tool_call_id
    const output = outputOf(stored.content, report)
    const failed = stored.isError === true || stored.is_error === true
    this.#into.result({
      callId: typeof id === 'string' ? id : '',
      name: typeof stored.name === 'string' ? stored.name : undefined,
      state: failed ? { status: 'failed', error: output } : { status: 'completed', result: output },
      line,
    })
  }
}

/** The system prompt has no message that could hold more than its texts: the first text keeps the rest. */
function withHead([first, ...others]: readonly TextPart[], { extra, ...head }: Fields): readonly TextPart[] {
  if (first === undefined) return []
  if (Object.keys(head).length === 0 && extra === undefined) return [first, ...others]
  const kept = { ...first.extra, ...(extra as Extra | undefined) }
  const slot = { ...head, ...(isObject(kept.entries) ? kept.entries : {}) }
  const slots = Object.keys(slot).length === 0 ? kept : { ...kept, entries: slot as Json }
  return [{ ...first, extra: slots }, ...others]
}

const PARTS_AND_CALLS = { ...ASSISTANT_PARTS, 'tool-call': canonicalCall }

/** A bare text is one part; an empty one is none. */
function contentOf(stored: Fields, report: Report): readonly unknown[] {
  const content = stored.content ?? stored.parts
  if (stored.content !== undefined && stored.content !== null && stored.parts !== undefined && stored.parts !== null)
    report('part-invalid', { message: fieldLost('parts'), before: stored.parts })
  if (Array.isArray(content)) return content
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string' || isObject(content)) return [content]
  report('part-invalid', { message: fieldLost('content'), before: content })
  return []
}

/** Calls of a message whose role makes none. */
function reportCalls(stored: Fields, report: Report): void {
  for (const calls of [stored.toolCalls, stored.tool_calls]) {
    if (calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0)) continue
    report('part-invalid', { before: calls })
  }
}

function textsOf(instructions: unknown, report: Report): readonly TextPart[] {
  return partsOf(contentOf({ content: instructions }, report), INSTRUCTION_PARTS, report)
}

function listAt(stored: Fields, key: string, report: Report): readonly unknown[] {
  const list = stored[key]
  if (Array.isArray(list)) return list
  if (list !== undefined && list !== null) report('part-invalid', { message: fieldLost(key), before: list })
  return []
}
