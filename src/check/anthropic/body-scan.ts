import type { Fields } from '../../model/json.ts'
export interface BodyScan {
  /** No lone surrogate and no NUL, in any string and in any key. */
  readonly clean: boolean
  /** UTF-16 units of all strings and keys. */
  readonly units: number
  /** Values of any kind. */
  readonly values: number
}

/** `isWellFormed` of ES2024, which Node has since version 20. */
type Text = string & { isWellFormed(): boolean }

export function isWellFormed(text: string): boolean {
  return (text as Text).isWellFormed()
}

const isClean = (text: string): boolean => (text as Text).isWellFormed() && !text.includes('\u0000')

/** Beyond this many values objects are remembered, so that the walk of a value that holds itself ends, too. */
const REMEMBER_FROM = 1_000_000

/** One look at every string of a body, without recursion. */
export function scanBody(root: unknown): BodyScan {
  const stack: unknown[] = [root]
  let seen: Set<object> | undefined
  let clean = true
  let units = 0
  let values = 0
  const look = (value: unknown): void => {
    values++
    if (typeof value === 'string') {
      units += value.length
      clean = clean && isClean(value)
    } else if (typeof value === 'object' && value !== null) stack.push(value)
  }
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (values > REMEMBER_FROM) {
      seen ??= new Set()
      if (seen.has(value)) continue
      seen.add(value)
    }
    if (Array.isArray(value)) for (const item of value) look(item)
    else {
      const fields = value as Fields
      for (const key in fields) {
        units += key.length
        clean = clean && isClean(key)
        look(fields[key])
      }
    }
  }
  return { clean, units, values }
}

/** The path of the first string or key for which `test` holds, in the order of the text. */
export function findString(root: unknown, test: (text: string) => boolean): string | undefined {
  const stack: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: root }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { path, value } = top
    if (typeof value === 'string' && test(value)) return path
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    const key = entries.find(([name]) => test(name))
    if (key !== undefined) return path
    for (const [name, inner] of entries.reverse()) {
      stack.push({ path: path === '' ? name : `${path}.${name}`, value: inner })
    }
  }
  return undefined
}
