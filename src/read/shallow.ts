import { deeperThan, MAX_DEPTH } from '../model/json.ts'

/** Values end up inside a slot, a block and a list, so they may be that much less deep than the model allows. */
const LIMIT = MAX_DEPTH - 4

/** The lists and objects of a format's own, by the keys that hold them, and how many such containers stand within one another. */
export interface Structure {
  readonly keys: ReadonlySet<string>
  readonly levels: number
}

/**
 * The value itself when it is nested within limits, else a copy in which the too deep values within the structure are
 * JSON text. Writers, schemas and `JSON.stringify` recurse, so nothing deeper may pass a reader.
 */
export function shallow(value: unknown, structure: Structure, onDeep: (text: string) => void): unknown {
  return deeperThan(value, LIMIT) ? flattened(value, structure, structure.levels, onDeep) : value
}

/** Recurses `levels` times at most. */
function flattened(value: unknown, structure: Structure, levels: number, onDeep: (text: string) => void): unknown {
  if (levels === 0 || typeof value !== 'object' || value === null) return bounded(value, onDeep)
  const inner = (item: unknown): unknown => flattened(item, structure, levels - 1, onDeep)
  if (Array.isArray(value)) return value.map(inner)
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    structure.keys.has(key) ? inner(item) : bounded(item, onDeep),
  ])
  return Object.fromEntries(entries)
}

function bounded(value: unknown, onDeep: (text: string) => void): unknown {
  if (!deeperThan(value, LIMIT)) return value
  const text = deepText(value)
  onDeep(text)
  return text
}

/** A stretch of finished text, at the end of a container perhaps, or a value still to be written. */
type Piece = { readonly text: string; readonly ends?: object } | { readonly value: unknown }

/** JSON text has each object once; what a program shares between places is written there again, up to so many times. */
const MOST_REPEATS = 100_000

/**
 * JSON text without recursion: `JSON.stringify` runs out of stack on what `JSON.parse` reads. A note stands where an
 * object holds itself.
 */
export function deepText(value: unknown): string {
  const out: string[] = []
  const stack: Piece[] = [{ value }]
  const around = new Set<object>()
  const seen = new Set<object>()
  let repeats = 0
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    if ('text' in piece) {
      out.push(piece.text)
      if (piece.ends !== undefined) around.delete(piece.ends)
    } else if (typeof piece.value !== 'object' || piece.value === null) out.push(leafText(piece.value))
    else if (around.has(piece.value) || (seen.has(piece.value) && ++repeats > MOST_REPEATS)) out.push(REPEATED)
    else {
      around.add(piece.value)
      seen.add(piece.value)
      pushContainer(stack, piece.value)
    }
  }
  return out.join('')
}

const REPEATED = '"[an object that stands here again]"'

function leafText(leaf: unknown): string {
  return typeof leaf === 'bigint' ? String(leaf) : (JSON.stringify(leaf) ?? 'null')
}

/** Pushed back to front, since the stack gives the last piece first. */
function pushContainer(stack: Piece[], container: object): void {
  const list = Array.isArray(container)
  const entries = Object.entries(container)
  stack.push({ text: list ? ']' : '}', ends: container })
  for (let index = entries.length - 1; index >= 0; index--) {
    const [key, value] = entries[index]!
    stack.push({ value }, { text: (index === 0 ? '' : ',') + (list ? '' : `${JSON.stringify(key)}:`) })
  }
  stack.push({ text: list ? '[' : '{' })
}
