import { describe, expect, test } from 'vitest'
import { fromAnthropic } from '../../src/answer/anthropic.ts'
import { fromOpenAIChat } from '../../src/answer/openai-chat.ts'
import { fromOpenAIResponses } from '../../src/answer/openai-responses.ts'
import { isObject } from '../../src/model/json.ts'
import type { AssistantMessage, Message } from '../../src/model/session.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { APIS, type Request, type Wire, wiresOf, write } from '../laws/apis.ts'
import { normal } from '../laws/raw/normal.ts'
import { count, printCounts } from '../laws/runs.ts'
import { type Recorded, recorded } from '../read/bodies.ts'

printCounts('answers that a later request replays')

type Fields = { readonly [key: string]: unknown }
type Answer = { readonly [key: string]: unknown }

interface Source {
  readonly file: 'anthropic' | 'chat' | 'responses'
  readonly id: (typeof APIS)[number]['id']
  readonly server: string
  readonly from: (answer: object, options: { readonly dialect?: string }) => AssistantMessage
  /** The ids of the calls of an answer, and its texts. */
  readonly marks: (answer: Answer) => readonly unknown[]
}

interface Block {
  readonly type?: string
  readonly id?: string
  readonly text?: string
}

const SOURCES: readonly Source[] = [
  {
    file: 'anthropic',
    id: 'anthropic',
    server: 'anthropic',
    from: fromAnthropic,
    marks: ({ content }) => (content as readonly Block[]).map((block) => block.id ?? block.text),
  },
  {
    file: 'chat',
    id: 'openai-chat',
    server: 'openai',
    from: fromOpenAIChat,
    marks: ({ choices }) => {
      const [{ message }] = choices as [{ message: { content: unknown; tool_calls?: readonly Block[] } }]
      return [message.content, ...(message.tool_calls ?? []).map((call) => call.id)]
    },
  },
  {
    file: 'responses',
    id: 'openai-responses',
    server: 'openai',
    from: fromOpenAIResponses,
    marks: ({ output }) =>
      (output as readonly (Block & { call_id?: string; content?: readonly Block[] })[]).flatMap((item) => [
        item.call_id,
        ...(item.type === 'message' ? (item.content ?? []).map((part) => part.text) : []),
      ]),
  },
]

const HELLO: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }

/** Written by hand between the two calls: the text was left out, and the result is under an id of its own. */
const BY_HAND = 'anthropic/opus_4_8/messages_preserve_system_role_after_server_tool_result.yaml'

/** Said by the assistant: no result, no user turn. */
const isAnswers = (wire: Wire): boolean =>
  typeof wire.role === 'string' ? wire.role === 'assistant' : !String(wire.type).endsWith('_output')

/** Whether a request holds an answer: by ids of calls or texts, which no other answer has. */
function holds(wires: readonly Wire[], marks: readonly unknown[]): boolean {
  const texts = wires.filter(isAnswers).map((wire) => JSON.stringify(wire))
  return marks.some(
    (mark) => typeof mark === 'string' && mark !== '' && texts.some((text) => text.includes(JSON.stringify(mark))),
  )
}

/**
 * What the client that was recorded changes on the way, so that its requests cannot hold it: it prints arguments anew,
 * drops citations, phases and the formats of reasoning, and adds fields that only one server knows, or that are null.
 */
const CLIENT = new Set(['citations', 'phase', 'prefix', 'index', 'format'])

/** Fields that a change tells to be left out. */
const TOLD: { readonly [code: string]: readonly string[] } = {
  'reasoning-left-out': ['reasoning', 'reasoning_content', 'reasoning_details'],
  'item-id-left-out': ['id'],
}

const REASONED = ['reasoning', 'reasoning_content', 'reasoning_details']
const isReasoned = (wire: Wire): boolean => REASONED.some((key) => key in wire)

/** With sorted keys, and arguments as values; without the fields of the client, and those that were told. */
function comparable(value: unknown, left: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => comparable(inner, left))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key, inner]) => inner !== null && !CLIENT.has(key) && !left.has(key))
  const fields = kept.map(
    ([key, inner]) => [key, key === 'arguments' ? parsed(inner) : comparable(inner, left)] as const,
  )
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const parsed = (text: unknown): unknown => (typeof text === 'string' && text !== '' ? JSON.parse(text) : text)

/** The assistant's elements of a request, in normal form. Where reasoning was told to be left out, without its items. */
function saidIn(source: Source, request: Request, codes: ReadonlySet<string>): readonly unknown[] {
  const api = APIS.find(({ id }) => id === source.id)!
  const left = new Set([...codes].flatMap((code) => TOLD[code] ?? []))
  const wires = wiresOf(api, normal(source.id, request) as Request).filter(isAnswers)
  return wires
    .filter((wire) => !(codes.has('reasoning-left-out') && wire.type === 'reasoning'))
    .map((wire) => comparable(codes.has('extra-left-out') && wire.type === 'reasoning' ? bare(wire) : wire, left))
}

/** The API takes the plain text of reasoning in answers only. */
function bare({ content: _, ...item }: Fields): Wire {
  return item
}

describe.each(SOURCES)('answers of $file', (source) => {
  const api = APIS.find(({ id }) => id === source.id)!
  const rows = recorded(source.file)

  /** The first later request of the conversation that holds the answer. */
  const replay = (row: Recorded, place: number): Recorded | undefined => {
    const marks = source.marks(row.answer as Answer)
    return rows
      .slice(place + 1)
      .find(
        ({ from, server, request }) =>
          from === row.from &&
          server === row.server &&
          Array.isArray(request[api.list]) &&
          holds(request[api.list] as readonly Wire[], marks),
      )
  }

  /** What the recorded client gave back of reasoning, that server takes. */
  const checkReasoning = (next: Recorded, row: Recorded, codes: ReadonlySet<string>): void => {
    const marks = source.marks(row.answer as Answer)
    const wires = wiresOf(api, next.request)
    const isGiven = wires.some((wire) => isAnswers(wire) && isReasoned(wire) && holds([wire], marks))
    if (!isGiven) return
    count(`${source.file}: reasoning given back (${row.server})`)
    const models = [next.request.model, (row.answer as Answer).model]
    expect({ from: row.from, models, isLost: codes.has('reasoning-left-out') }).toMatchObject({ isLost: false })
  }

  test('are sent again as the recorded client sent them', () => {
    for (const [place, row] of rows.entries()) {
      if (row.status >= 300 || row.answer === null || row.from === BY_HAND) continue
      const next = replay(row, place)
      if (next === undefined) continue
      const dialect = row.server === source.server ? {} : { dialect: row.server }
      const message = source.from(row.answer, dialect)
      const { model, store = true } = next.request
      const session = { version: 1 as const, messages: [HELLO, message] }
      const options: object = { model, level: 'live', store, ...dialect }
      const { request, changes } = write(api, session, options as WriteOptions)
      const codes = new Set<string>(changes.map(({ code }) => code))
      const theirs = saidIn(source, next.request, codes).map((wire) => JSON.stringify(wire))
      const ours = saidIn(source, request, codes).map((wire) => JSON.stringify(wire))
      const told = [...codes].filter((code) => code in TOLD || code === 'extra-left-out')
      count(`${source.file}: the same${told.length === 0 ? '' : ` but ${told.join(', ')}`} (${row.server})`)
      expect(ours.length).toBeGreaterThan(0)
      expect({ from: row.from, missing: ours.filter((wire) => !theirs.includes(wire)) }).toEqual({
        from: row.from,
        missing: [],
      })
      checkReasoning(next, row, codes)
      // The vendors' own servers get all of it; the plain text of reasoning stands in answers of a proxy only.
      if (row.server === source.server) expect(told.filter((code) => code !== 'extra-left-out')).toEqual([])
    }
  })
})
