import { describe, expect, it } from 'vitest'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import { type Recording, recordings } from '../openai/shared.ts'
import type { Item } from './bodies.ts'
import { serverOf } from './stand-in.ts'

/** An accepted request that holds calls, and where its first call and its output stand. */
interface Subject {
  readonly input: readonly Item[]
  readonly call: number
  readonly output: number
  readonly id: string
}

interface Told {
  readonly rule: string
  readonly message: string
}

/** What one damage does to the input, and what the API must say of it; undefined where it cannot be done. */
type Damage = (subject: Subject) => { readonly input: readonly unknown[]; readonly told: Told } | undefined

const without = <T>(list: readonly T[], index: number): readonly T[] => list.filter((_, at) => at !== index)
const inserted = <T>(list: readonly T[], index: number, item: T): readonly T[] => [
  ...list.slice(0, index),
  item,
  ...list.slice(index),
]
const changed = (list: readonly Item[], index: number, fields: Item): readonly Item[] =>
  list.map((item, at) => (at === index ? { ...item, ...fields } : item))
const renamed = ({ input, call, output }: Subject, call_id: string): readonly Item[] =>
  changed(changed(input, call, { call_id }), output, { call_id })
const orphan = (id: string): string => `No tool call found for function call output with call_id ${id}.`

const DAMAGES: { readonly [name: string]: Damage } = {
  'an output is dropped': ({ input, output, id }) => ({
    input: without(input, output),
    told: { rule: 'function-call-output-missing', message: `No tool output found for function call ${id}.` },
  }),
  'a call is dropped': ({ input, call, id }) => ({
    // Its reasoning would miss it, before the output does.
    input: without(input, call).filter((item) => item.type !== 'reasoning'),
    told: { rule: 'function-call-output-orphan', message: orphan(id) },
  }),
  'an output stands twice': ({ input, output, id }) => ({
    input: inserted(input, output + 1, input[output]!),
    told: { rule: 'duplicate-call-output', message: orphan(id) },
  }),
  'an output names another call': ({ input, output }) => ({
    input: changed(input, output, { call_id: 'call_other' }),
    told: { rule: 'function-call-output-orphan', message: orphan('call_other') },
  }),
  'an output stands before its call': ({ input, call, output, id }) => ({
    input: [input[output]!, ...without(input, output).slice(0, call), ...without(input, output).slice(call)],
    told: { rule: 'output-before-call', message: orphan(id) },
  }),
  'an output is of another type': ({ input, output, id }) => ({
    input: changed(input, output, { type: 'custom_tool_call_output', status: undefined }),
    told: {
      rule: 'custom-tool-call-output-orphan',
      message: `No tool call found for custom tool call output with call_id ${id}.`,
    },
  }),
  'a call id is empty': (subject) => ({
    input: renamed(subject, ''),
    told: {
      rule: 'call-id-empty',
      message: `Invalid 'input[${subject.call}].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    },
  }),
  'a call id is too long': (subject) => ({
    input: renamed(subject, 'x'.repeat(65)),
    told: {
      rule: 'call-id-too-long',
      message: `Invalid 'input[${subject.call}].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.`,
    },
  }),
  'a call id is left out': ({ input, call }) => ({
    input: changed(input, call, { call_id: undefined }),
    told: { rule: 'call-id-missing', message: `Missing required parameter: 'input[${call}].call_id'.` },
  }),
  'arguments are an object': ({ input, call }) => ({
    input: changed(input, call, { arguments: {} }),
    told: {
      rule: 'arguments-not-string',
      message: `Invalid type for 'input[${call}].arguments': expected a string, but got an object instead.`,
    },
  }),
  'a name is left out': ({ input, call }) => ({
    input: changed(input, call, { name: undefined }),
    told: { rule: 'missing-item-field', message: `Missing required parameter: 'input[${call}].name'.` },
  }),
  'the call id stands as the id of the item': ({ input, call }) => ({
    input: changed(input, call, { id: 'call_1' }),
    told: {
      rule: 'item-id-prefix',
      message: `Invalid 'input[${call}].id': 'call_1'. Expected an ID that begins with 'fc'.`,
    },
  }),
  'an id is null': ({ input, call }) => ({
    input: changed(input, call, { id: null }),
    told: {
      rule: 'item-id-null',
      message: `Invalid type for 'input[${call}].id': expected a string, but got null instead.`,
    },
  }),
  'an id stands twice': ({ input, call, output }) => ({
    input: changed(changed(input, call, { id: 'fc_twice' }), output, { id: 'fc_twice' }),
    told: {
      rule: 'duplicate-item-id',
      message: 'Duplicate item found with id fc_twice. Remove duplicate items from your input and try again.',
    },
  }),
  'an output is an object': ({ input, output }) => ({
    input: changed(input, output, { output: { ok: true } }),
    told: {
      rule: 'output-not-string',
      message: `Invalid type for 'input[${output}].output': expected one of an array of objects or string, but got an object instead.`,
    },
  }),
  'a field of answers stays on a call': ({ input, call }) => ({
    input: changed(input, call, { created_by: 'x' }),
    told: { rule: 'unknown-item-field', message: `Unknown parameter: 'input[${call}].created_by'.` },
  }),
  'a content is null': ({ input }) => {
    const speaker = input.findIndex((item) => item.role === 'user')
    if (speaker < 0) return undefined
    return {
      input: changed(input, speaker, { content: null }),
      told: {
        rule: 'content-missing',
        message: `Invalid type for 'input[${speaker}].content': expected one of an array of objects or string, but got null instead.`,
      },
    }
  },
  'a role is unknown': ({ input }) => {
    const speaker = input.findIndex((item) => item.role === 'user')
    if (speaker < 0) return undefined
    return {
      input: changed(input, speaker, { role: 'tool' }),
      told: {
        rule: 'role-invalid',
        message: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      },
    }
  },
  'a type is unknown': ({ input, output }) => ({
    input: changed(input, output, { type: 'tool_result' }),
    told: {
      rule: 'item-type-invalid',
      message: "Invalid value: 'tool_result'. Supported values are: 'additional_tools',",
    },
  }),
  'reasoning loses what it led to': ({ input }) => {
    const reasoning = input.findIndex((item) => item.type === 'reasoning')
    if (reasoning < 0) return undefined
    return {
      input: input.slice(0, reasoning + 1),
      told: {
        rule: 'reasoning-following-item-missing',
        message: `Item '${input[reasoning]?.id}' of type 'reasoning' was provided without its required following item.`,
      },
    }
  },
  'reasoning has a status': ({ input }) => {
    const reasoning = input.findIndex((item) => item.type === 'reasoning')
    if (reasoning < 0) return undefined
    return {
      input: changed(input, reasoning, { status: 'completed' }),
      told: { rule: 'reasoning-status', message: `Unknown parameter: 'input[${reasoning}].status'.` },
    }
  },
  'reasoning has no summary': ({ input }) => {
    const reasoning = input.findIndex((item) => item.type === 'reasoning')
    if (reasoning < 0) return undefined
    return {
      input: changed(input, reasoning, { summary: undefined }),
      told: {
        rule: 'reasoning-summary-missing',
        message: `Missing required parameter: 'input[${reasoning}].summary'.`,
      },
    }
  },
  'a text is cut in the middle of a character': ({ input, output }) => ({
    input: changed(input, output, { output: 'cut \ud83d' }),
    told: { rule: 'body-not-json', message: 'We could not parse the JSON body of your request.' },
  }),
}

function subjectOf({ request }: Recording): Subject | undefined {
  if (!Array.isArray(request.input)) return undefined
  const input = request.input as readonly Item[]
  const call = input.findIndex((item) => item.type === 'function_call')
  const id = input[call]?.call_id
  const output = input.findIndex((item) => item.type === 'function_call_output' && item.call_id === id)
  return call < 0 || output < 0 ? undefined : { input, call, output, id: String(id) }
}

/** Servers that were recorded to take what the damage makes. */
const TAKEN: { readonly [name: string]: string } = { 'the call id stands as the id of the item': 'copilot' }

const accepted = recordings('responses').filter((one) => one.status === 200)

describe.skipIf(accepted.length === 0)('accepted requests with one damage', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(name, () => {
      let count = 0
      for (const one of accepted) {
        const subject = subjectOf(one)
        const damaged = subject === undefined ? undefined : damage(subject)
        if (damaged === undefined || TAKEN[name] === one.server) continue
        const [first] = checkOpenAIResponses({ ...one.request, input: damaged.input }, { dialect: serverOf(one) })
        expect({ from: one.from, rule: first?.rule }).toEqual({
          from: one.from,
          rule: `openai-responses/${damaged.told.rule}`,
        })
        expect(first?.message.startsWith(damaged.told.message)).toBe(true)
        count++
      }
      expect(count).toBeGreaterThan(15)
    })
  }
})
