import { deeperThan, isObject, MAX_DEPTH, stringAt, valueAt } from '../../model/json.ts'
import { readSession } from '../../read/index.ts'
import { closingText } from './closing-text.ts'
import { RepairError } from './error.ts'
import { jsonText, replacing } from './json-file.ts'
import { JsonText } from './json-text.ts'
import type { OpenCall, Plan, Replaced, StoredFile } from './plan.ts'
import { leftOpen } from './store.ts'

type Path = readonly (string | number)[]

/**
 * A call and its outcome are one part: one that waits or runs becomes one that failed. In exports, in the server's list of
 * messages, in shared sessions, and in the exports of opencode 2.
 */
export function opencode(stored: StoredFile, now: Date): Plan {
  const text = jsonText(stored)
  const closed = closedIn(text, partsIn(text.value), now)
  const plan = replacing(stored, text, closed)
  return bufferOf(stored).includes(INVOCATION) ? { ...plan, leftToTool: ofFirst(stored, closed) } : plan
}

/** Parts of the first generation, which later versions turn into their own when they load them, open calls as such. */
const INVOCATION = '"tool-invocation"'

const bufferOf = ({ bytes: { buffer, byteOffset, length } }: StoredFile): Buffer =>
  Buffer.from(buffer, byteOffset, length)

const ofFirst = ({ bytes, format }: StoredFile, closed: readonly OpenCall[]): readonly OpenCall[] =>
  leftOpen(readSession(bytes, { format }), closed)

type Place = readonly [path: Path, part: unknown]

/** Closes the open calls among the parts of a text. */
function closedIn(text: JsonText, parts: Iterable<Place>, now: Date): readonly OpenCall[] {
  const closed: OpenCall[] = []
  for (const [path, part] of parts) {
    const repair = own(part)
    if (repair === undefined) continue
    text.set(
      path,
      'state',
      repair.state(part, (key) => text.textAt([...path, 'state', key]), now),
    )
    closed.push(repair.call(part))
  }
  return closed
}

/** Every part, wherever this kind of file keeps it. */
function* partsIn(value: unknown): Generator<Place> {
  const [start, list] = Array.isArray(value) ? [[], value] : [['messages'], valueAt(value, 'messages')]
  for (const [index, entry] of Array.isArray(list) ? list.entries() : []) {
    const path = [...start, index]
    // Of a shared session each part stands by itself.
    if (valueAt(entry, 'type') === 'part') yield [[...path, 'data'], valueAt(entry, 'data')]
    yield* partsOf(entry, path)
  }
}

/** Those that stand in a message. */
function* partsOf(message: unknown, path: Path): Generator<Place> {
  for (const key of ['parts', 'content']) {
    const parts = valueAt(message, key)
    if (!Array.isArray(parts)) continue
    for (const [place, part] of parts.entries()) yield [[...path, key, place], part]
  }
}

type TextOf = (key: string) => string | undefined

interface Repair {
  call(part: unknown): OpenCall
  /** The text of the state with which opencode stores a call that failed. */
  state(part: unknown, textOf: TextOf, now: Date): string
}

/** How a part is closed; undefined when it is no call, or one that is over. */
function own(part: unknown): Repair | undefined {
  if (!isObject(part) || part.type !== 'tool' || OVER.has(valueAt(part.state, 'status'))) return undefined
  if (stringAt(part, 'tool') !== undefined) return FIRST
  // What the provider runs is not waited for.
  return stringAt(part, 'name') === undefined || part.executed === true ? undefined : SECOND
}

const OVER: ReadonlySet<unknown> = new Set(['completed', 'error'])

/** While its arguments stream, a call has not been started. */
const STREAMING: ReadonlySet<unknown> = new Set(['pending', 'streaming'])

function callOf(part: unknown, id: string, name: string): OpenCall {
  const isStreaming = STREAMING.has(valueAt(valueAt(part, 'state'), 'status'))
  const call = { id: stringAt(part, id) ?? '', name: stringAt(part, name) ?? '' }
  return isStreaming ? { ...call, dispatched: false } : call
}

/**
 * Without `metadata.interrupted`, for which opencode would send what was printed so far as if it were the whole result; that
 * follows in the text.
 */
const FIRST: Repair = {
  call: (part) => callOf(part, 'callID', 'tool'),
  state(part, textOf, now) {
    const state = valueAt(part, 'state')
    const metadata = valueAt(state, 'metadata')
    const start = valueAt(valueAt(state, 'time'), 'start')
    return objectText({
      status: '"error"',
      input: isObject(valueAt(state, 'input')) ? textOf('input') : '{}',
      error: JSON.stringify(closingText(FIRST.call(part), stringAt(metadata, 'output'))),
      metadata: isObject(metadata) ? metadataText(metadata, textOf('metadata')) : undefined,
      time: JSON.stringify({ start: typeof start === 'number' ? start : now.getTime(), end: now.getTime() }),
    })
  },
}

function metadataText(metadata: { readonly [key: string]: unknown }, text: string | undefined): string | undefined {
  if (metadata.interrupted !== true) return text
  if (deeperThan(metadata, MAX_DEPTH)) return undefined
  const { interrupted: _, ...rest } = metadata
  return JSON.stringify(rest)
}

/** opencode 2. */
const SECOND: Repair = {
  call: (part) => callOf(part, 'id', 'name'),
  state(part, textOf) {
    const state = valueAt(part, 'state')
    const partial = stringAt(valueAt(state, 'metadata'), 'output')
    return objectText({
      status: '"error"',
      input: inputText(valueAt(state, 'input'), textOf('input')),
      error: JSON.stringify({ type: 'unknown', message: closingText(SECOND.call(part), partial) }),
      content: Array.isArray(valueAt(state, 'content')) ? textOf('content') : undefined,
      metadata: isObject(valueAt(state, 'metadata')) ? textOf('metadata') : undefined,
    })
  },
}

/** While arguments stream they are text; a call that is over has an object. */
function inputText(input: unknown, text: string | undefined): string {
  if (isObject(input)) return text ?? '{}'
  if (typeof input !== 'string') return '{}'
  try {
    return isObject(JSON.parse(input)) ? input : '{}'
  } catch {
    return '{}'
  }
}

function objectText(members: { readonly [key: string]: string | undefined }): string {
  const told = Object.entries(members).flatMap(([key, text]) => (text === undefined ? [] : [`"${key}":${text}`]))
  return `{${told.join(',')}}`
}

export interface RepairedText {
  readonly closed: readonly OpenCall[]
  readonly text: string
  readonly edits: readonly Replaced[]
}

/**
 * The text of a part, or of a message with the parts in it, that is stored by itself; undefined when it needs no repair.
 * One that is broken is left: opencode cannot load it either.
 */
export function repairedText(stored: string, now: Date): RepairedText | undefined {
  // Most are no calls, and parsing them would say no more.
  if (!stored.includes('"tool"')) return undefined
  const text = parsed(stored)
  if (text === undefined) return undefined
  const closed = closedIn(text, [[[], text.value], ...partsOf(text.value, [])], now)
  return closed.length === 0 ? undefined : { closed, text: text.edited(), edits: text.edits }
}

function parsed(stored: string): JsonText | undefined {
  try {
    return new JsonText(stored)
  } catch (error) {
    if (RepairError.is(error)) return undefined
    throw error
  }
}
