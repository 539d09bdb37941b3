import { describe, expect, it } from 'vitest'
import { reader as anthropic } from '../../src/read/anthropic/index.ts'
import { reader as chat } from '../../src/read/openai-chat/index.ts'
import { reader as responses } from '../../src/read/openai-responses/index.ts'
import type { Reader } from '../../src/read/reader.ts'
import { callsOf, type Recorded, recorded } from './bodies.ts'

const readers = [anthropic, chat, responses]

interface Suite {
  readonly name: 'anthropic' | 'chat' | 'responses'
  readonly reader: Reader
  /** Ids of calls, and of results, in a stored body, found without our readers. */
  readonly calls: (body: Recorded['request']) => readonly unknown[]
  readonly results: (body: Recorded['request']) => readonly unknown[]
  /** Rows whose request is not what was sent. */
  readonly oddities: readonly string[]
}

type Entry = { readonly [key: string]: unknown }
const entries = (value: unknown): Entry[] => (Array.isArray(value) ? value : [])
const blocks = (body: Recorded['request'], type: string) =>
  entries(body.messages)
    .flatMap((message) => entries(message.content))
    .filter((block) => block.type === type)

const suites: readonly Suite[] = [
  {
    name: 'anthropic',
    reader: anthropic,
    calls: (body) => [...blocks(body, 'tool_use'), ...blocks(body, 'server_tool_use')].map((block) => block.id),
    results: (body) => blocks(body, 'tool_result').map((block) => block.tool_use_id),
    // The recorder gave the id of the result another stand-in than that of its call.
    oddities: ['anthropic/opus_4_8/messages_preserve_system_role_after_server_tool_result.yaml'],
  },
  {
    name: 'chat',
    reader: chat,
    calls: (body) => entries(body.messages).flatMap((message) => entries(message.tool_calls).map((call) => call.id)),
    results: (body) =>
      entries(body.messages)
        .filter((message) => message.role === 'tool')
        .map((message) => message.tool_call_id),
    oddities: [],
  },
  {
    name: 'responses',
    reader: responses,
    calls: (body) =>
      entries(body.input)
        .filter((item) => item.type === 'function_call')
        .map((item) => item.call_id),
    results: (body) =>
      entries(body.input)
        .filter((item) => item.type === 'function_call_output')
        .map((item) => item.call_id),
    oddities: [],
  },
]

describe.each(suites)('recorded $name calls', ({ name, reader, calls, results, oddities }) => {
  const rows = recorded(name)

  it('are known by their structure', () => {
    const wrong = rows.filter(({ request }) => {
      const source = { value: request, changes: [] }
      const scores = readers.map((other) => ({ other, score: other.detect(source) }))
      return scores.some(({ other, score }) => other !== reader && score >= reader.detect(source))
    })
    expect(wrong.map((row) => row.from)).toEqual([])
  })

  it('are read without a loss, every call with its result', () => {
    const accepted = rows.filter((row) => row.status === 200)
    let found = 0
    for (const row of accepted) {
      const { session, changes } = reader.read({ value: row.request, changes: [] }, { dialect: row.server })
      const lost = changes.filter((change) => change.severity === 'loss')
      expect(oddities.includes(row.from) ? [] : lost, row.from).toEqual([])
      const entries = callsOf(session)
      expect(entries.map((call) => call.id).sort(), row.from).toEqual([...calls(row.request)].sort())
      const answered = new Set(results(row.request))
      const open = entries.filter((call) => answered.has(call.id) && !/completed|failed/.test(call.state.status))
      expect(open, row.from).toEqual([])
      found += entries.length
    }
    console.log(`${name}: ${accepted.length} accepted of ${rows.length} recorded requests read, ${found} calls`)
  })

  it('are read without a throw where they were refused', () => {
    const refused = rows.filter((row) => row.status !== 200)
    for (const row of refused) reader.read({ value: row.request, changes: [] }, {})
    console.log(`${name}: ${refused.length} refused requests read`)
  })

  it('have answers that are read too', () => {
    const accepted = rows.filter((row) => row.status === 200 && !oddities.includes(row.from))
    const answers = accepted.flatMap((row) => (row.answer === null ? [] : [row.answer]))
    for (const answer of answers) {
      const source = { value: answer, changes: [] }
      const scores = readers.map((other) => other.detect(source))
      expect(Math.max(...scores)).toBe(reader.detect(source))
      expect(reader.detect(source)).toBeGreaterThan(0.4)
      const { session, changes } = reader.read(source, {})
      expect(changes.filter((change) => change.severity === 'loss')).toEqual([])
      expect(session.messages).toHaveLength(1)
      expect(session.messages[0]).toHaveProperty('by.model', answer.model)
      expect(session.messages[0]).toHaveProperty('usage.inputTokens')
    }
    console.log(`${name}: ${answers.length} answers read`)
  })
})
