import type { Fields } from '../../model/json.ts'
import { type Clues, HINT_FIELDS, HintBook } from './clues.ts'
import { MOST, readable } from './readable.ts'
import { hintsIn } from './text-hints.ts'

/** Where errors, bodies and gateways keep the next layer, the vendor's own words first. */
const LAYERS = [
  'error',
  'err',
  'errors',
  'metadata',
  'raw',
  'body',
  'responseBody',
  'response',
  'data',
  'detail',
  'details',
  '$metadata',
  'Error',
  'message',
  'msg',
  'lastError',
  'exception',
  'reason',
  'cause',
] as const

const MOST_LAYERS = 64
const MOST_ITEMS = 8

interface Walk {
  readonly texts: string[]
  /** Texts that are JSON, for what stands in no layer that is known. */
  readonly whole: string[]
  readonly hints: HintBook
  readonly seen: Set<unknown>
  /** Characters that may still be looked at. */
  room: number
  /** What is still to be looked at, the next one last. */
  readonly stack: unknown[]
}

/** Every layer of an error, whatever was thrown: no more than a few, and no more text than is looked at. Never throws. */
export function unwrap(error: unknown): Clues {
  const walk: Walk = { texts: [], whole: [], hints: new HintBook(), seen: new Set(), room: MOST, stack: [error] }
  for (let count = 0; count < MOST_LAYERS && walk.stack.length > 0; count++) {
    const layer = walk.stack.pop()
    try {
      if (typeof layer === 'string') openText(layer, walk)
      else if (typeof layer === 'object' && layer !== null) openObject(layer, walk)
    } catch {
      // A getter or a proxy that throws hides its own layer only.
    }
  }
  return { texts: [...walk.texts, ...walk.whole], hints: walk.hints }
}

function openText(text: string, walk: Walk): void {
  const head = text.slice(0, walk.room)
  if (head === '' || walk.seen.has(head)) return
  walk.seen.add(head)
  const start = head.search(/[^\s]/)
  const inner = start >= 0 && '{['.includes(head[start]!) ? parsed(head) : embedded(head)
  if (inner !== undefined) walk.stack.push(inner.value)
  const plain = readable(head)
  hintsIn(plain, walk.hints)
  if (inner?.whole === true) {
    // Its parts are looked at as its value has them; the text counts once, as they do.
    if (walk.whole.length === 0) walk.whole.push(plain)
    return
  }
  walk.room -= head.length
  walk.texts.push(plain)
}

interface Inner {
  readonly value: unknown
  readonly whole: boolean
}

function parsed(text: string): Inner | undefined {
  try {
    return { value: JSON.parse(text), whole: true }
  } catch {
    return embedded(text)
  }
}

/** A JSON body behind other words, as in `400 {...}`. */
function embedded(text: string): Inner | undefined {
  const start = text.indexOf('{"')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    return { value: JSON.parse(text.slice(start, end + 1)), whole: false }
  } catch {
    return undefined
  }
}

function openObject(layer: object, walk: Walk): void {
  if (walk.seen.has(layer)) return
  walk.seen.add(layer)
  const items = itemsOf(layer)
  if (items !== undefined) return void walk.stack.push(...items.slice(0, MOST_ITEMS).reverse())
  const inner: unknown[] = []
  for (const key of LAYERS) inner.push(fieldOf(layer, key))
  const placed = placedWords(layer)
  if (placed !== undefined) inner.unshift(placed)
  walk.stack.push(...inner.filter((value) => value !== undefined).reverse())
  for (const field of HINT_FIELDS) walk.hints.add(field, fieldOf(layer, field))
  walk.hints.add('param', itemsOf(fieldOf(layer, 'paths'))?.[0])
}

/** Errors have some of their fields on their class. */
function fieldOf(layer: object, key: string): unknown {
  try {
    return (layer as Fields)[key]
  } catch {
    return undefined
  }
}

/** The items of a list that are looked at; undefined where it is no list, or a proxy that is gone. */
function itemsOf(value: unknown): unknown[] | undefined {
  try {
    return Array.isArray(value) ? value.slice(0, 2 * MOST_ITEMS) : undefined
  } catch {
    return undefined
  }
}

/** Servers of FastAPI keep place and words apart: `{ loc: ['body', 'messages', 2, 'role'], msg: 'Field required' }`. */
function placedWords(layer: object): string | undefined {
  const loc = itemsOf(fieldOf(layer, 'loc'))
  const msg = fieldOf(layer, 'msg')
  if (loc === undefined || typeof msg !== 'string') return undefined
  const path = loc.filter((step) => typeof step === 'string' || typeof step === 'number')
  return `${(path[0] === 'body' ? path.slice(1) : path).join('.')}: ${msg}`
}
