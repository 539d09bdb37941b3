import { isObject } from '../model/json.ts'

const TURN = ['text', 'reasoning', 'toolCalls', 'stop', 'usage']
const KEYS: ReadonlySet<string> = new Set([...TURN, 'status', 'body', 'headers', 'drop'])

/**
 * A misspelt key would script an answer that nobody meant, and the agent would be blamed for it.
 * @throws {TypeError} with what a reply may be.
 */
export function refuseNoReply(made: unknown): void {
  if (typeof made === 'string') return
  if (!isObject(made)) {
    throw new TypeError(`A reply is a text or an object, not ${made === null ? 'null' : typeof made}.`)
  }
  for (const key of Object.keys(made)) if (!KEYS.has(key)) throw new TypeError(`A reply has no ${key}; ${FORMS}.`)
  const { toolCalls = [] } = made
  if (!Array.isArray(toolCalls) || !Array.from(toolCalls).every(isCall))
    throw new TypeError('The toolCalls of a reply are a list, and each has a name and args.')
}

const FORMS = `it is a text, or has ${TURN.join(', ')}, or a status with body and headers, or drop`

function isCall(call: unknown): boolean {
  return isObject(call) && typeof call.name === 'string' && call.args !== undefined
}
