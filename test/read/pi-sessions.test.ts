import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../src/index.ts'
import type { Message, Session } from '../../src/model/session.ts'
import { detectFormat, readSession } from '../../src/read/index.ts'
import { callsOf, type Line } from './claude-code-lines.ts'

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/pi')
const present = existsSync(FOLDER)
const names = present ? readdirSync(FOLDER) : []
const files = names.filter((name) => name.endsWith('.jsonl'))
const projected = files.filter((name) => names.includes(name.replace('.jsonl', '.context.json')))
if (!present) console.info('pi: no stored sessions here, skipped')

const load = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

interface Pair {
  readonly id: string
  readonly status: string
}

/** A plain scan that shares no code with the reader: the calls of the active conversation, and what became of them. */
function scan(file: string): { readonly pairs: readonly Pair[]; readonly spare: number } {
  const pairs: { id: string; status: string; turn: number }[] = []
  let turn = 0
  let spare = 0
  const settle = (result: Line): void => {
    const open = pairs.filter((pair) => pair.id === result.toolCallId && pair.status === 'interrupted')
    const call = open.find((pair) => pair.turn === open.at(-1)?.turn)
    if (call === undefined) spare++
    else call.status = result.isError === true ? 'failed' : 'completed'
  }
  for (const message of activeMessages(file)) {
    if (message.role === 'toolResult') settle(message)
    else if (message.role !== 'assistant') turn++
    else
      for (const block of message.content as Line[])
        if (block.type === 'toolCall') pairs.push({ id: String(block.id), status: 'interrupted', turn })
  }
  return { pairs: pairs.map(({ id, status }) => ({ id, status })), spare }
}

function activeMessages(file: string): Line[] {
  const rows = file.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  const entries = rows.slice(1)
  const byId = new Map(entries.map((row) => [row.id, row]))
  let path: Line[] = []
  if (entries.every((row) => row.id === undefined)) path = entries
  else for (let row = entries.at(-1); row !== undefined; row = byId.get(row.parentId)) path.unshift(row)
  const cut = path.findLastIndex((row) => row.type === 'compaction')
  const point = path[cut]
  if (point === undefined) return path.flatMap(messageOf)
  const before = path.slice(0, cut)
  const index = Number(point.firstKeptEntryIndex)
  const first = before.findIndex((row) =>
    point.firstKeptEntryId === undefined
      ? row === rows[index]
      : row.id !== undefined && row.id === point.firstKeptEntryId,
  )
  return [...(first < 0 ? [] : before.slice(first)), ...path.slice(cut + 1)].flatMap(messageOf)
}

const messageOf = (row: Line): Line[] =>
  row.type === 'message' ? [row.message as Line] : row.type === 'custom_message' ? [{ role: 'custom' }] : []

describe.skipIf(!present)('stored sessions of pi', () => {
  const table: Record<string, Record<string, number>> = {}

  it.each(files)('%s: every call has its own outcome', (name) => {
    const file = load(name)
    expect(detectFormat(file)).toBe('pi')
    const { session, changes } = readSession(file)
    const calls = callsOf(session.messages)
    const { pairs, spare } = scan(file)
    expect(calls.map(({ id, state }) => ({ id, status: state.status }))).toEqual(pairs)
    const left = changes.filter(({ code }) => code === 'orphan-result' || code === 'duplicate-result').length
    expect(left).toBe(spare)
    const count = (status: string): number => calls.filter((call) => call.state.status === status).length
    table[name] = {
      messages: session.messages.length,
      calls: calls.length,
      completed: count('completed'),
      failed: count('failed'),
      interrupted: count('interrupted'),
      'left out': left,
    }
  })

  it.each(files)('%s is accepted by every API', (name) => {
    for (const history of ['active', 'full'] as const) {
      const { session } = readSession(load(name), { history })
      expect(accepted(session)).toEqual([])
    }
  })

  it('of the two forms of one session read the same', () => {
    const [old, migrated] = ['v1-linear.jsonl', 'v1-linear.migrated-v3.jsonl'].map((name) => {
      const { messages } = readSession(load(name)).session
      return messages.map(({ id: _id, ...message }) => message)
    })
    expect(old).toEqual(migrated)
    console.table(table)
  })
})

/** What the APIs would refuse of the session, for models that take the next turn too. */
function accepted(session: Session): unknown[] {
  const next = 'go on'
  const strict = { level: 'strict' } as const
  const [claude, gpt] = ['claude-sonnet-4-5', 'gpt-4.1']
  return [
    ...check(
      'anthropic',
      { model: claude, max_tokens: 1024, ...toAnthropic(session, { model: claude, next }).request },
      strict,
    ),
    ...check('openai-chat', { model: gpt, ...toOpenAIChat(session, { model: gpt, next }).request }, strict),
    ...check('openai-responses', { model: gpt, ...toOpenAIResponses(session, { model: gpt, next }).request }, strict),
    ...check(
      'openai-responses',
      { model: 'mock-2', ...toOpenAIResponses(session, { model: 'mock-2', next }).request },
      strict,
    ),
  ]
}

interface Projected {
  readonly role: string
  readonly content: unknown
  readonly [key: string]: unknown
}

/**
 * What pi itself sends, with what it does worse than it could put right: a result goes to its call wherever it stands, a second
 * one goes nowhere, and a system message that leads is the prompt.
 */
function comparable(llm: readonly Projected[]): unknown[] {
  const told: { role: string; parts: unknown[] }[] = []
  const calls: { id: string; result?: unknown }[] = []
  for (const message of llm) {
    const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
    if (message.role === 'toolResult') {
      const call = calls.find(({ id, result }) => id === message.toolCallId && result === undefined)
      if (call !== undefined) Object.assign(call, { result: content, isError: message.isError })
    } else if (message.role === 'system') {
      if (told.length > 0) told.push({ role: 'instruction', parts: ['system'] })
    } else {
      const parts = (content as Line[]).map((block) => {
        if (block.type === 'text') return block.text
        if (block.type === 'thinking') return { thinking: block.thinking, signature: block.thinkingSignature }
        const call = { id: String(block.id), name: block.name, args: block.arguments }
        calls.push(call)
        return call
      })
      told.push({ role: message.role, parts })
    }
  }
  return told
}

function ours(messages: readonly Message[]): unknown[] {
  return messages.map((message) => {
    if (message.role === 'instruction') return { role: 'instruction', parts: ['system'] }
    const parts = message.parts.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'reasoning') {
        const { signature, data } = (part.extra?.anthropic ?? {}) as Line
        return { thinking: part.text, signature: signature ?? data }
      }
      if (part.type !== 'tool-call') return part
      const { id, name, args, state } = part
      const call = { id, name, args }
      if (state.status === 'completed') return { ...call, result: state.result, isError: false }
      return state.status === 'failed' ? { ...call, result: state.error, isError: true } : call
    })
    return { role: message.role, parts }
  })
}

describe.skipIf(!present)('what pi itself sends', () => {
  it.each(projected)('%s', (name) => {
    const { llm } = JSON.parse(load(name.replace('.jsonl', '.context.json'))) as { llm: Projected[] }
    const { session } = readSession(load(name))
    expect(ours(session.messages)).toEqual(comparable(llm))
    const [first] = llm
    expect(session.instructions?.[0]?.text).toBe(
      first?.role === 'system' ? Object.values(first.sections as Line).join('\n\n') : undefined,
    )
  })
})
