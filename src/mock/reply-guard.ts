import { isObject } from '../model/json.ts'
import { type OptionRules, oneOf, TEXT } from '../model/options.ts'
import type { StopReason } from '../model/session.ts'

const TURN = ['text', 'reasoning', 'toolCalls', 'stop', 'usage']
const KEYS: ReadonlySet<string> = new Set([...TURN, 'status', 'body', 'headers', 'drop'])

/** All of them; a new one does not compile until it stands here. */
const STOPS: { readonly [stop in StopReason]: true } = {
  end: true,
  'tool-calls': true,
  length: true,
  refusal: true,
  filtered: true,
  paused: true,
  aborted: true,
  error: true,
}

const isObjectOf = (type: string, value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => one === undefined || typeof one === type)

const FIELDS: OptionRules = {
  text: TEXT,
  reasoning: TEXT,
  stop: oneOf(...Object.keys(STOPS)),
  usage: { wanted: 'an object of numbers', fits: isUsage },
  status: { wanted: 'a number from 200 to 599', fits: isStatus },
  headers: { wanted: 'an object of texts', fits: (value) => isObjectOf('string', value) },
  drop: { wanted: 'true', fits: (value) => value === true },
}

function isUsage(value: unknown): boolean {
  return isObject(value) && isObjectOf('number', { ...value, extra: undefined })
}

function isStatus(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599
}

/**
 * A misspelt key or an unknown end would script an answer that nobody meant, and the agent would be blamed for it.
 * @throws {TypeError} with what a reply may be.
 */
export function refuseNoReply(made: unknown): void {
  if (typeof made === 'string') return
  if (!isObject(made)) {
    throw new TypeError(`A reply is a text or an object, not ${made === null ? 'null' : typeof made}.`)
  }
  for (const key of Object.keys(made)) if (!KEYS.has(key)) throw new TypeError(`A reply has no ${key}; ${FORMS}.`)
  for (const [name, { wanted, fits }] of Object.entries(FIELDS))
    if (made[name] !== undefined && !fits(made[name])) throw new TypeError(`The ${name} of a reply must be ${wanted}.`)
  const { toolCalls = [] } = made
  if (!Array.isArray(toolCalls) || !Array.from(toolCalls).every(isCall))
    throw new TypeError('The toolCalls of a reply are a list, and each has a name and args.')
}

const FORMS = `it is a text, or has ${TURN.join(', ')}, or a status with body and headers, or drop`

function isCall(call: unknown): boolean {
  return isObject(call) && typeof call.name === 'string' && call.args !== undefined
}
