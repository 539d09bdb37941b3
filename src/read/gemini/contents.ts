import type { MediaPart, UserMessage, UserPart } from '../../model/session.ts'
import type { Assembler, StoredPart, StoredResult } from '../assemble.ts'
import type { Report } from '../report.ts'
import type { Head } from '../turns.ts'
import { outcomeOf } from './outcome.ts'
import { codeCall, type Part, partsOf, type Read, readPart } from './parts.ts'

/** The parts of one content, sorted by what they are. */
export interface Sorted {
  /** Of an assistant, with its calls. */
  readonly said: StoredPart[]
  readonly responses: Response[]
}

/** A `functionResponse` and the media that stand behind it. */
export interface Response {
  readonly response: Part
  readonly media: MediaPart[]
}

/** Sorts the parts of a content; code that the API ran finds its result here. */
export function sorted(content: unknown, report: Report): Sorted {
  const to: Sorted = { said: [], responses: [] }
  let code: { readonly part: Part; readonly place: number } | undefined
  for (const part of partsOf(content)) {
    const read = readPart(part)
    if (read === undefined) report('part-invalid', { before: part })
    else if (read === 'blank') report('text-empty')
    else if ('codeResult' in read) {
      if (code === undefined) report('orphan-result', { before: read.codeResult })
      else to.said[code.place] = codeCall(code.part, read.codeResult)
      code = undefined
    } else if ('code' in read) {
      code = { part: read.code, place: to.said.length }
      to.said.push(codeCall(read.code, undefined))
    } else add(read, to)
  }
  return to
}

/** Media behind a response belong to it: that is how results with images were sent before responses had parts. */
function add(read: Exclude<Read, 'blank' | { code: unknown } | { codeResult: unknown }>, to: Sorted): void {
  if ('response' in read) to.responses.push({ response: read.response, media: [] })
  else if ('call' in read) to.said.push(read.call)
  else if (read.said.type === 'media' && to.responses.length > 0) to.responses.at(-1)?.media.push(read.said)
  else to.said.push(read.said)
}

export function resultOf({ response, media }: Response, line: number | undefined): StoredResult {
  return {
    callId: typeof response.id === 'string' ? response.id : '',
    ...(typeof response.name === 'string' ? { name: response.name } : {}),
    state: outcomeOf(response, media),
    ...(line === undefined ? {} : { line }),
  }
}

/** Tells contents to an assembler. */
export class Contents {
  readonly into: Assembler
  /** How many messages were told. */
  messages = 0

  constructor(into: Assembler) {
    this.into = into
  }

  model(content: unknown, head: Head, report: Report, line?: number): void {
    const { said, responses } = sorted(content, report)
    this.assistant(said, head, line)
    for (const response of responses) {
      report('part-misplaced', { before: response.response })
      this.into.result(resultOf(response, line))
    }
  }

  assistant(parts: readonly StoredPart[], head: Head, line?: number): void {
    if (parts.length === 0) return
    this.into.assistant({ ...head, parts }, line === undefined ? {} : { line })
    this.messages++
  }

  /** Results come first: what a user said in between stands behind them. */
  user(
    content: unknown,
    fields: Omit<UserMessage, 'role' | 'parts'>,
    report: Report,
    line?: number,
    result: (response: Response) => void = (response) => this.into.result(resultOf(response, line)),
  ): void {
    const { said, responses } = sorted(content, report)
    const calls = said.filter((part) => part.type === 'tool-call' || part.type === 'reasoning')
    for (const part of calls) report('part-misplaced', { before: part })
    this.assistant(calls, {}, line)
    for (const response of responses) result(response)
    const parts = said.filter((part): part is UserPart => part.type !== 'tool-call' && part.type !== 'reasoning')
    if (parts.length === 0) return
    this.into.user({ ...fields, parts })
    this.messages++
  }
}
