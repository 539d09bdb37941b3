import { describe, expect, it } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { type Recording, recordings } from '../openai/shared.ts'
import type { Part } from './bodies.ts'

/** An accepted request that holds calls, and where its first turn of calls stands. */
interface Subject {
  readonly messages: readonly Part[]
  readonly caller: number
  readonly calls: readonly Part[]
  /** Index of the result of the first call. */
  readonly first: number
}

interface Told {
  readonly rule: string
  readonly message: string
}

/** What one damage does to the messages, and what the API must say of it; undefined where it cannot be done. */
type Damage = (subject: Subject) => { readonly messages: readonly unknown[]; readonly told: Told } | undefined

const idOf = (call: Part | undefined): string => String(call?.id)
const without = <T>(list: readonly T[], index: number): readonly T[] => list.filter((_, at) => at !== index)
const inserted = <T>(list: readonly T[], index: number, item: T): readonly T[] => [
  ...list.slice(0, index),
  item,
  ...list.slice(index),
]
const changed = (list: readonly Part[], index: number, fields: Part): readonly Part[] =>
  list.map((item, at) => (at === index ? { ...item, ...fields } : item))
const withCalls = ({ messages, caller }: Subject, tool_calls: readonly unknown[]): readonly Part[] =>
  changed(messages, caller, { tool_calls })
const firstCall = ({ calls }: Subject, fields: Part): readonly Part[] => changed(calls, 0, fields)
const functionOf = (subject: Subject, fields: Part): readonly Part[] =>
  firstCall(subject, { function: { ...(subject.calls[0]?.function as Part), ...fields } })

const MISSING =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
const ORPHAN =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const BODY = 'We could not parse the JSON body of your request.'

const DAMAGES: { readonly [name: string]: Damage } = {
  'a result is dropped': ({ messages, first, calls }) => ({
    messages: without(messages, first),
    told: { rule: 'tool-message-missing', message: `${MISSING}${idOf(calls[0])}` },
  }),
  'every result is dropped': ({ messages, caller, calls }) => ({
    messages: [...messages.slice(0, caller + 1), { role: 'user', content: 'x' }],
    told: { rule: 'tool-message-missing', message: MISSING + calls.map(idOf).join(', ') },
  }),
  'a call is dropped': (subject) => ({
    messages:
      subject.calls.length > 1
        ? withCalls(subject, subject.calls.slice(1))
        : changed(subject.messages, subject.caller, { tool_calls: undefined, content: 'x' }),
    told: { rule: subject.calls.length > 1 ? 'tool-message-id-unmatched' : 'tool-message-orphan', message: ORPHAN },
  }),
  'a result stands twice': ({ messages, first, calls }) => ({
    messages: inserted(messages, first + 1, messages[first]!),
    told: {
      rule: 'tool-message-duplicate',
      message: `Invalid parameter: Duplicate value for 'tool_call_id' of '${idOf(calls[0])}', in messages[${first}] and messages[${first + 1}].`,
    },
  }),
  'a call stands twice': (subject) => ({
    messages: withCalls(subject, [...subject.calls, subject.calls[0]]),
    told: {
      rule: 'tool-message-duplicate',
      message: `Invalid parameter: Duplicate value for 'tool_call_id' of '${idOf(subject.calls[0])}', in messages[${subject.caller}] and messages[${subject.caller}].`,
    },
  }),
  'a result names another call': ({ messages, first, calls }) => ({
    messages: changed(messages, first, { tool_call_id: 'call_other' }),
    told: { rule: 'tool-message-id-unmatched', message: `${MISSING}${idOf(calls[0])}` },
  }),
  'a result names no call': ({ messages, first }) => ({
    messages: changed(messages, first, { tool_call_id: undefined }),
    told: {
      rule: 'tool-message-call-id-missing',
      message: "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    },
  }),
  'a result stands before its call': ({ messages, first, caller }) => ({
    messages: inserted(without(messages, first), caller, messages[first]!),
    told: { rule: 'tool-message-orphan', message: ORPHAN },
  }),
  'a user speaks before the results': ({ messages, caller, calls }) => ({
    messages: inserted(messages, caller + 1, { role: 'user', content: 'x' }),
    told: { rule: 'tool-message-missing', message: MISSING + calls.map(idOf).join(', ') },
  }),
  'an id is empty': (subject) => ({
    messages: changed(withCalls(subject, firstCall(subject, { id: '' })), subject.first, { tool_call_id: '' }),
    told: {
      rule: 'tool-call-id-empty',
      message: `Invalid 'messages[${subject.caller}].tool_calls[0].id': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    },
  }),
  'an id is too long': (subject) => ({
    messages: changed(withCalls(subject, firstCall(subject, { id: 'x'.repeat(64) })), subject.first, {
      tool_call_id: 'x'.repeat(64),
    }),
    told: {
      rule: 'tool-call-id-too-long',
      message: `Invalid 'messages[${subject.caller}].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.`,
    },
  }),
  'an id is left out': (subject) => ({
    messages: withCalls(subject, firstCall(subject, { id: undefined })),
    told: {
      rule: 'tool-call-id-missing',
      message: `Missing required parameter: 'messages[${subject.caller}].tool_calls[0].id'.`,
    },
  }),
  'arguments are an object': (subject) => ({
    messages: withCalls(subject, functionOf(subject, { arguments: {} })),
    told: {
      rule: 'tool-call-arguments-not-string',
      message: `Invalid type for 'messages[${subject.caller}].tool_calls[0].function.arguments': expected a string, but got an object instead.`,
    },
  }),
  'a name has a blank': (subject) => ({
    messages: withCalls(subject, functionOf(subject, { name: 'a b' })),
    told: {
      rule: 'tool-call-name-pattern',
      message: `Invalid 'messages[${subject.caller}].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    },
  }),
  'a call is of an unknown type': (subject) => ({
    messages: withCalls(subject, firstCall(subject, { type: 'tool_use' })),
    told: {
      rule: 'tool-call-type-invalid',
      message: "Invalid value: 'tool_use'. Supported values are: 'function' and 'custom'.",
    },
  }),
  'the list of calls is empty': (subject) => ({
    messages: [
      ...changed(subject.messages.slice(0, subject.caller + 1), subject.caller, { tool_calls: [], content: 'x' }),
    ],
    told: {
      rule: 'tool-calls-empty',
      message: `Invalid 'messages[${subject.caller}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    },
  }),
  'a result is an object': ({ messages, first }) => ({
    messages: changed(messages, first, { content: { ok: true } }),
    told: {
      rule: 'content-wrong-type',
      message: `Invalid type for 'messages[${first}].content': expected one of a string or array of objects, but got an object instead.`,
    },
  }),
  'a content is null': ({ messages }) => {
    const speaker = messages.findIndex((message) => message.role === 'user')
    if (speaker < 0) return undefined
    return {
      messages: changed(messages, speaker, { content: null }),
      told: { rule: 'content-null', message: "Invalid value for 'content': expected a string, got null." },
    }
  },
  'a role is unknown': ({ messages, first }) => ({
    messages: changed(messages, first, { role: 'tool_result' }),
    told: {
      rule: 'role-invalid',
      message:
        "Invalid value: 'tool_result'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    },
  }),
  'a role is left out': ({ messages, caller }) => ({
    messages: changed(messages, caller, { role: undefined }),
    told: { rule: 'role-missing', message: `Missing required parameter: 'messages[${caller}].role'.` },
  }),
  'a text is cut in the middle of a character': ({ messages, first }) => ({
    messages: changed(messages, first, { content: 'cut \ud83d' }),
    told: { rule: 'body-not-json', message: BODY },
  }),
}

function subjectOf({ request }: Recording): Subject | undefined {
  const messages = request.messages as readonly Part[]
  const caller = messages.findIndex((message) => Array.isArray(message.tool_calls) && message.tool_calls.length > 0)
  if (caller < 0) return undefined
  const calls = messages[caller]!.tool_calls as readonly Part[]
  const first = messages.findIndex((message) => message.role === 'tool' && message.tool_call_id === calls[0]?.id)
  return first < 0 ? undefined : { messages, caller, calls, first }
}

/** Servers that were recorded to take what the damage makes. */
const TAKEN: { readonly [name: string]: string } = {
  'an id is too long': 'openrouter',
  'the list of calls is empty': 'mistral',
}

const accepted = recordings('chat').filter((one) => one.status === 200)

describe.skipIf(accepted.length === 0)('accepted requests with one damage', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(name, () => {
      let count = 0
      for (const one of accepted) {
        const subject = subjectOf(one)
        const damaged = subject === undefined ? undefined : damage(subject)
        if (damaged === undefined || TAKEN[name] === one.server) continue
        const [first] = checkOpenAIChat({ ...one.request, messages: damaged.messages }, { dialect: one.server })
        expect({ from: one.from, rule: first?.rule }).toEqual({
          from: one.from,
          rule: `openai-chat/${damaged.told.rule}`,
        })
        expect(first?.message.startsWith(damaged.told.message)).toBe(true)
        count++
      }
      expect(count).toBeGreaterThan(50)
    })
  }
})
