import { deeperThan, isObject, MAX_DEPTH, stringAt, valueAt } from '../../model/json.ts'
import { closingText } from './closing-text.ts'
import { jsonText, replacing } from './json-file.ts'
import type { JsonText } from './json-text.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

type Path = readonly (string | number)[]

/**
 * A call and its outcome are one part: one that waits or runs becomes one that failed. In exports, in the server's list of
 * messages, in shared sessions, and in the exports of opencode 2.
 */
export function opencode(stored: StoredFile, now: Date): Plan {
  const text = jsonText(stored)
  const closed: OpenCall[] = []
  for (const [path, part] of partsIn(text.value)) {
    const repair = own(part)
    if (repair === undefined) continue
    text.set(
      path,
      'state',
      repair.state(part, (key) => text.textAt([...path, 'state', key]), now),
    )
    closed.push(repair.call(part))
  }
  return replacing(stored, text, closed)
}

/** Every part, wherever this kind of file keeps it. */
function* partsIn(value: unknown): Generator<readonly [path: Path, part: unknown]> {
  const [start, list] = Array.isArray(value) ? [[], value] : [['messages'], valueAt(value, 'messages')]
  for (const [index, entry] of Array.isArray(list) ? list.entries() : []) {
    const path = [...start, index]
    // Of a shared session each part stands by itself.
    if (valueAt(entry, 'type') === 'part') yield [[...path, 'data'], valueAt(entry, 'data')]
    for (const key of ['parts', 'content']) {
      const parts = valueAt(entry, key)
      if (!Array.isArray(parts)) continue
      for (const [place, part] of parts.entries()) yield [[...path, key, place], part]
    }
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

/** The data of a part, where it is stored by itself; undefined when it needs no repair. */
export function repairedPart(
  text: JsonText,
  now: Date,
): { readonly call: OpenCall; readonly text: string } | undefined {
  const repair = own(text.value)
  if (repair === undefined) return undefined
  text.set(
    [],
    'state',
    repair.state(text.value, (key) => text.textAt(['state', key]), now),
  )
  return { call: repair.call(text.value), text: text.edited() }
}
