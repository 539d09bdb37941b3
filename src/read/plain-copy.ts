import { toBase64 } from './base64.ts'

export interface PlainCopy {
  readonly value: unknown
  /** What could not be kept, in words. */
  readonly lost: readonly string[]
}

/**
 * A copy of a value in memory as JSON would store it, whatever it holds; where an object holds itself, or stands in so many
 * places that its text would have no end, a note stands. Dates, URLs, maps and sets are read by what they say. Without
 * recursion, and nothing that a getter or a proxy throws gets out.
 * @param bytes `keep` them, since some readers take them, or have them as base64.
 */
export function plainCopy(value: unknown, bytes: 'keep' | 'text'): PlainCopy {
  const copier = new Copier(bytes)
  return { value: copier.copy(value), lost: [...copier.lost] }
}

/** A container that is being copied. */
interface Frame {
  readonly from: object
  readonly keys: readonly string[]
  readonly read: (key: string) => unknown
  readonly to: unknown[] | { [key: string]: unknown }
  next: number
  /** How many values its text would hold. */
  size: number
}

interface Done {
  readonly copy: unknown
  readonly size: number
}

/** Text has an object anew wherever it stands: so many values more than there are. */
const MOST_REPEATED = 1_000_000

/** Longer runs of holes are passed over. */
const MOST_HOLES = 1000

export const ITSELF = '[an object that holds itself]'
const TOO_OFTEN = '[an object that stands here again]'

class Copier {
  readonly lost = new Set<string>()
  readonly #bytes: 'keep' | 'text'
  readonly #open: Frame[] = []
  readonly #around = new Set<object>()
  readonly #done = new Map<object, Done>()
  #repeated = 0

  constructor(bytes: 'keep' | 'text') {
    this.#bytes = bytes
  }

  copy(value: unknown): unknown {
    const root = this.#begun(value)
    if (this.#open.length === 0) return root
    for (let frame = this.#open.at(-1); frame !== undefined; frame = this.#open.at(-1)) {
      if (frame.next === frame.keys.length) this.#close(frame)
      else this.#step(frame, frame.keys[frame.next++]!)
    }
    return root
  }

  #step(frame: Frame, key: string): void {
    const copy = this.#begun(guarded(() => frame.read(key), this.lost))
    frame.size++
    if (Array.isArray(frame.to)) frame.to.push(copy ?? null)
    else if (copy !== undefined) set(frame.to, key, copy)
  }

  #close(frame: Frame): void {
    this.#open.pop()
    this.#around.delete(frame.from)
    this.#done.set(frame.from, { copy: frame.to, size: frame.size })
    const outer = this.#open.at(-1)
    if (outer !== undefined) outer.size += frame.size
  }

  /** The copy of a value; a container is filled later. */
  #begun(value: unknown): unknown {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return this.#leaf(value)
    const known = this.#done.get(value)
    if (known !== undefined) return this.#again(known)
    if (this.#around.has(value)) {
      this.lost.add('an object that holds itself')
      return ITSELF
    }
    return this.#object(value)
  }

  #again({ copy, size }: Done): unknown {
    if (this.#repeated + size > MOST_REPEATED) {
      this.lost.add('an object that stands in too many places')
      return TOO_OFTEN
    }
    this.#repeated += size
    const frame = this.#open.at(-1)
    if (frame !== undefined) frame.size += size
    return copy
  }

  #leaf(value: unknown): unknown {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value !== 'symbol') return value
    this.lost.add('a symbol')
    return undefined
  }

  #object(value: object): unknown {
    if (typeof value === 'function') {
      this.lost.add('a function')
      return undefined
    }
    if (guarded(() => Array.isArray(value), this.lost) === true) return this.#list(value as unknown[])
    const tag = guarded(() => Object.prototype.toString.call(value), this.lost)
    const said = guarded(() => FORMS.get(tag ?? '')?.(value as never, this.#bytes), this.lost)
    if (said !== undefined) return typeof said === 'object' && said !== value ? this.#begun(said) : said
    const json = guarded(() => jsonOf(value), this.lost)
    return json === undefined || json === value ? this.#fields(value) : this.#begun(json)
  }

  #list(from: unknown[]): unknown {
    const keys = guarded(() => listKeys(from), this.lost) ?? []
    return this.#enter({ from, keys, read: (key) => from[Number(key)], to: [], next: 0, size: 1 })
  }

  #fields(from: object): unknown {
    const keys = guarded(() => Object.keys(from), this.lost)
    if (keys === undefined) return undefined
    const read = (key: string): unknown => (from as { readonly [key: string]: unknown })[key]
    return this.#enter({ from, keys, read, to: {}, next: 0, size: 1 })
  }

  #enter(frame: Frame): unknown {
    this.#open.push(frame)
    this.#around.add(frame.from)
    return frame.to
  }
}

function guarded<T>(look: () => T, lost: Set<string>): T | undefined {
  try {
    return look()
  } catch {
    lost.add('a value that throws when it is looked at')
    return undefined
  }
}

function set(to: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== '__proto__') to[key] = value
  else Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Holes are values that are not there, but where there are so many that they cannot be meant. */
function listKeys(list: readonly unknown[]): readonly string[] {
  const keys = Object.keys(list).filter((key) => /^\d+$/.test(key))
  const isDense = list.length - keys.length <= MOST_HOLES
  return isDense ? Array.from({ length: list.length }, (_, index) => String(index)) : keys
}

/** What JSON makes of an object that says so itself. */
function jsonOf(value: object): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(value) : undefined
}

type Form = (value: never, bytes: 'keep' | 'text') => unknown

const bytesForm = (value: Uint8Array, bytes: 'keep' | 'text'): unknown => (bytes === 'keep' ? value : toBase64(value))

const viewForm = (value: ArrayBufferView, bytes: 'keep' | 'text'): unknown =>
  bytesForm(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), bytes)

const boxed = (value: object): unknown => value.valueOf()

/** By how an object names itself. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['[object Date]', (value: Date) => (Number.isNaN(value.getTime()) ? null : value.toISOString())],
  ['[object URL]', (value: URL) => value.href],
  [
    '[object Map]',
    (value: Map<unknown, unknown>) => Object.fromEntries([...value].map(([key, one]) => [String(key), one])),
  ],
  ['[object Set]', (value: Set<unknown>) => [...value]],
  ['[object Error]', ({ name, message }: Error) => ({ name, message })],
  ['[object RegExp]', (value: RegExp) => String(value)],
  ['[object String]', boxed],
  ['[object Number]', boxed],
  ['[object Boolean]', boxed],
  ['[object BigInt]', (value: object) => String(value)],
  ['[object Uint8Array]', bytesForm],
  ['[object ArrayBuffer]', (value: ArrayBuffer, bytes) => bytesForm(new Uint8Array(value), bytes)],
  ['[object DataView]', viewForm],
])
