import { valueAt } from '../../model/json.ts'

/** Whether a parameter is given; null is its absence. */
export function isSet(body: unknown, key: string): boolean {
  const value = valueAt(body, key)
  return value !== undefined && value !== null
}
