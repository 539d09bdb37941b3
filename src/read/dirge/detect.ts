import { isObject } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import type { Source } from '../reader.ts'

/** Fields that every version requires, told by what other formats do not have. */
const REQUIRED = ['compactions', 'working_dir', 'context_window', 'total_estimated_tokens', 'total_cost', 'provider']

/** Every version of the program refuses a file without these fields; half of them are as good as the program's name. */
export function detect(source: Source): number {
  const session = soleValue(source)
  if (!isObject(session) || !Array.isArray(session.messages)) return 0
  const found = REQUIRED.filter((key) => Object.hasOwn(session, key)).length
  if (found === REQUIRED.length) return 0.99
  return found >= REQUIRED.length / 2 ? 0.96 : 0
}
