/** Every name that an object of the language answers to. */
export const PROTOTYPE_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** One value of every kind, and some that JSON does not know. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  1.5,
  Number.NaN,
  true,
  '',
  'x',
  '\u0000',
  [],
  [null],
  [[]],
  {},
  { type: {} },
  { role: [] },
  { constructor: 1 },
  () => 1,
  Symbol('s'),
  10n,
  new Date(0),
  new Map(),
]

/** Deeper than any stack. */
export function deep(levels: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { content: value }
  return value
}

/** A value that holds itself, twice. */
export function cyclic(): unknown {
  const value: { [key: string]: unknown } = { role: 'user' }
  value.content = [value, value]
  return value
}

/** The body with each value of it, at every depth, put to `value` in turn. */
export function* withEach(body: unknown, value: unknown): Generator<unknown> {
  if (typeof body !== 'object' || body === null) return
  for (const key of Object.keys(body)) {
    const inner = (body as { readonly [key: string]: unknown })[key]
    yield replaced(body, key, value)
    for (const changed of withEach(inner, value)) yield replaced(body, key, changed)
  }
}

function replaced(holder: object, key: string, value: unknown): unknown {
  if (Array.isArray(holder)) return holder.map((item, index) => (String(index) === key ? value : item))
  return { ...holder, [key]: value }
}
