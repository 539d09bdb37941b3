import * as z from 'zod/mini'
import { isJson } from '../../src/model/is-json.ts'
import { sessionSchema } from '../../src/model/schema.ts'
import type { Json, Message, ToolCallState, Usage, UserPart } from '../../src/model/session.ts'
import type { JournalRecord, SessionHead } from '../../src/read/journal/record.ts'

/** The records of a journal as the schema of the model says them: what the guards must say too. */

const fits = (session: object): boolean => sessionSchema.safeParse({ version: 1, messages: [], ...session }).success
const inMessage = (message: object): boolean => fits({ messages: [message] })

/** Whatever may stand in a session may stand in a record. */
const message = z.custom<Message>((value) => fits({ messages: [value] }))
const head = z.custom<SessionHead>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    fits({ ...value, version: 1, messages: [] }),
)
const parts = z.custom<readonly UserPart[]>((value) => inMessage({ role: 'user', parts: value }))
const usage = z.custom<Usage>(
  (value) => value !== undefined && inMessage({ role: 'assistant', parts: [], usage: value }),
)
const state = z.custom<ToolCallState>((value) =>
  inMessage({ role: 'assistant', parts: [{ type: 'tool-call', id: '', name: '', args: 0, state: value }] }),
)
const json = z.custom<Json>((value) => isJson(value))

const flag = z.optional(z.boolean())
const text = z.optional(z.string())
const whole = z.int().check(z.gte(0))

const stamp = { journal: z.literal(1), seq: whole, at: z.string() }
const record = <S extends z.core.$ZodLooseShape>(shape: S) => z.readonly(z.object({ ...stamp, ...shape }))
const call = z.readonly(z.object({ id: z.string(), name: z.string(), args: json, readOnly: flag }))
const stage = z.enum(['accepted', 'started', 'completed', 'failed', 'interrupted'])
const context = z.readonly(z.object({ used: z.number(), max: z.number() }))
const torn = z.readonly(z.object({ offset: whole, length: whole }))
const closed = z.readonly(z.object({ id: z.string(), call: whole, dispatched: flag }))

const schema = z.discriminatedUnion('type', [
  record({ type: z.literal('session'), session: head, start: z.optional(whole) }),
  record({ type: z.literal('message'), message, joins: flag }),
  record({ type: z.literal('dispatch'), call }),
  record({ type: z.literal('settle'), callId: z.string(), name: text, call: z.optional(whole), state }),
  record({ type: z.literal('turn'), id: z.string(), stage }),
  record({ type: z.literal('usage'), usage, context: z.optional(context) }),
  record({ type: z.literal('compaction'), parts, keep: whole }),
  record({ type: z.literal('rewind'), keep: whole }),
  record({
    type: z.literal('repair'),
    torn: z.optional(torn),
    closed: z.readonly(z.array(closed)),
    turns: z.readonly(z.array(z.string())),
  }),
])
export const recordSchema: z.ZodMiniType<JournalRecord> = schema

/** Fails to compile when the schema and the types of the records say different things. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never
true satisfies Equal<Flat<z.infer<typeof schema>>, Flat<JournalRecord>>
