import { expect } from 'vitest'
import { check } from '../../src/check/index.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../src/index.ts'
import { ReadError } from '../../src/model/error.ts'
import { isJson } from '../../src/model/is-json.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Message, OutputPart, Part, Session, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { readers } from '../../src/read/index.ts'
import type { Reader, ReadOptions, ReadResult } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { FULL } from '../laws/runs.ts'
import { PROTOTYPE_NAMES, random } from './hostile.ts'

export type Value = { readonly [key: string]: unknown }
export type Told = Omit<ReadResult, 'format'>

/** Reads a source with one reader, which must also be the one that claims it. */
export function readAs(reader: Reader, source: unknown, options: ReadOptions = {}): Told {
  const form = readSource(source as object)
  const surest = readers.toSorted((a, b) => b.detect(form) - a.detect(form))[0]
  expect(surest?.format).toBe(reader.format)
  return readWith(reader, source, options)
}

/** Whatever other readers say. */
export function readWith(reader: Reader, source: unknown, options: ReadOptions = {}): Told {
  const told = reader.read(readSource(source as object), options)
  expect(parseSession(told.session)).toBe(told.session)
  return told
}

export const codes = (told: Told): string[] => told.changes.map((change) => change.code)

export function callsOf(session: Session): ToolCallEntry[] {
  return session.messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
  )
}

export const callOf = (told: Told): ToolCallEntry => callsOf(told.session)[0]!

/** A session in a line for each message: `assistant: #reasoning, text, id/name(args)=status:output`. */
export const short = (told: Told): string[] => told.session.messages.map(shortMessage)

function shortMessage(message: Message): string {
  const kind = message.role === 'user' && message.kind !== undefined ? ` (${message.kind})` : ''
  return `${message.role}${kind}: ${message.parts.map(shortPart).join(', ')}`
}

function shortPart(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'reasoning') return `#${part.text}`
  if (part.type === 'media') return `<${part.kind} ${part.mediaType}>`
  if (part.type === 'native') return 'native'
  return `${part.id}/${part.name}=${shortState(part.state)}`
}

function shortState(state: ToolCallState): string {
  if (state.status === 'completed') return `completed:${outputText(state.result)}`
  if (state.status === 'failed') return `${state.denied === true ? 'denied' : 'failed'}:${outputText(state.error)}`
  if (state.status === 'interrupted') return state.dispatched === false ? 'never started' : 'interrupted'
  const approved = state.approved === undefined ? '' : state.approved ? ' yes' : ' no'
  return `pending${state.reason === undefined ? '' : ` ${state.reason}`}${approved}`
}

export function outputText(output: string | readonly OutputPart[]): string {
  if (typeof output === 'string') return output
  return output
    .map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'json' ? JSON.stringify(part.value) : `<${part.type}>`
    })
    .join('|')
}

/** What each API would refuse of the session, written for it, with a coming prompt. */
export function refusals(session: Session): string[] {
  const next = 'go on'
  const anthropic = toAnthropic(session, { model: 'claude-sonnet-4-5', next }).request
  const chat = toOpenAIChat(session, { model: 'gpt-4.1', next }).request
  const responses = toOpenAIResponses(session, { model: 'gpt-5', next }).request
  return [
    ...check('anthropic', { model: 'claude-sonnet-4-5', max_tokens: 1000, ...anthropic }, { level: 'strict' }),
    ...check('openai-chat', { model: 'gpt-4.1', max_completion_tokens: 1000, ...chat }, { level: 'strict' }),
    ...check('openai-responses', { model: 'gpt-5', max_output_tokens: 1000, ...responses }, { level: 'strict' }),
  ].map((violation) => `${violation.rule}: ${violation.message}`)
}

const WRONG: readonly unknown[] = [null, true, -1, '', 'x', '\0\ud800', [], [null], [[]], {}, { type: {} }, [{ id: 1 }]]

/** A session that holds to the model, or a ReadError; undefined for the latter. */
export function survived(
  reader: Reader,
  source: string | Uint8Array | object,
  options: ReadOptions = {},
  asked: readonly Reader[] = [reader],
): Told | undefined {
  try {
    const form = readSource(source)
    for (const other of asked) expect(other.detect(form)).toBeGreaterThanOrEqual(0)
    const told = reader.read(form, options)
    parseSession(told.session)
    expect(isJson(told.changes)).toBe(true)
    return told
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

/**
 * Reads the value with one wrong value in each place, cut at many bytes, with flipped bytes, and with several places changed.
 * `keeps`: a text of a message; where it is still in the value it must be read, or told of.
 */
export function batter(reader: Reader, value: object, keeps: string, options: readonly ReadOptions[] = [{}]): number {
  let runs = 0
  for (const bad of withWrongValues(value)) {
    const isThere = JSON.stringify(bad)?.includes(keeps) === true
    for (const option of options) {
      const told = survived(reader, bad, option)
      if (isThere && told !== undefined) expect(JSON.stringify(told)).toContain(keeps)
      runs++
    }
  }
  return runs + flipped(reader, JSON.stringify(value)) + mutated(reader, value)
}

/** The value with one place changed, once for each place. */
function* changedOnce(value: unknown, wrong: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    for (const changed of [wrong, ...changedOnce(inner, wrong)])
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
  }
}

/** In each place; but of all wrong values every third only, another in each place, unless all is to be tried. */
function* withWrongValues(value: object): Generator<object> {
  let place = 0
  for (const wrong of [...WRONG, ...(FULL ? PROTOTYPE_NAMES : PROTOTYPE_NAMES.slice(0, 2))])
    for (const bad of changedOnce(value, wrong)) if (FULL || place++ % 3 === 0) yield bad as object
}

function flipped(reader: Reader, text: string): number {
  const bytes = new TextEncoder().encode(text)
  const below = random(7)
  for (let end = 1; end < bytes.length; end += FULL ? 1 : 31) survived(reader, bytes.subarray(0, end))
  const runs = FULL ? 4000 : 60
  for (let run = 0; run < runs; run++) {
    const bad = bytes.slice()
    for (let count = 0; count <= below(4); count++) bad[below(bad.length)]! ^= 1 << below(8)
    survived(reader, bad)
  }
  return runs
}

function mutated(reader: Reader, value: object): number {
  const runs = FULL ? 4000 : 60
  for (const bad of mutations(value, runs)) survived(reader, bad, {}, readers)
  return runs
}

/** Values swapped, doubled and dropped within the tree, some at once. */
export function* mutations(value: object, runs: number): Generator<object> {
  const below = random(11)
  for (let run = 0; run < runs; run++) {
    const copy = structuredClone(value)
    const places = placesOf(copy)
    for (let count = 0; count <= below(5); count++) {
      const { holder, key } = places[below(places.length)]!
      const other = places[below(places.length)]!
      const action = below(3)
      if (action === 0) drop(holder, key)
      else if (action === 1) holder[key] = structuredClone(other.holder[other.key])
      else if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]))
    }
    yield copy
  }
}

type Holder = Record<string, unknown>

function drop(holder: Holder | unknown[], key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function placesOf(value: object): { readonly holder: Holder; readonly key: string }[] {
  const found: { readonly holder: Holder; readonly key: string }[] = []
  const open: object[] = [value]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, inner] of Object.entries(holder)) {
      found.push({ holder: holder as Holder, key })
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return found
}

export { PROTOTYPE_NAMES }

/** JSON text with a value nested so deeply that JSON.stringify could not write it. */
export function deepened(value: object, mark: string): string {
  return JSON.stringify(value).replace(`"${mark}"`, `${'['.repeat(50_000)}1${']'.repeat(50_000)}`)
}
