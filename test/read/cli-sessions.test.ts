import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../src/index.ts'
import type { Session } from '../../src/model/session.ts'
import { detectFormat, readers, readSession } from '../../src/read/index.ts'
import { readSource } from '../../src/read/source.ts'
import { callsOf } from './claude-code-lines.ts'
import type { Line } from './hostile.ts'

const SHARED = join(import.meta.dirname, '../../../shared/sessions')

/** Of each call that the client runs: its id, and whether an outcome is stored for it. */
type Oracle = (text: string) => readonly (readonly [string, 'answered' | 'open'])[]

/** Plain scans that share no code with the readers. */
const ORACLES: { readonly [format: string]: Oracle } = {
  codex(text) {
    const lines = text.startsWith('{\n') ? text.split(/\n(?=\{)/) : text.split('\n')
    const rows = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Line)
    const first = rows[0] as { items?: Line[] }
    let items: Line[] = first.items ?? []
    for (const row of first.items === undefined ? rows : []) {
      const payload = (row.payload ?? row) as Line
      if (row.type === 'compacted') items = [...(payload.replacement_history as Line[])]
      else if (payload.type === 'thread_rolled_back') items = items.slice(0, lastPrompt(items))
      else if (row.type === 'response_item' || row.payload === undefined) items.push(payload)
    }
    const outputs = new Set(items.filter(({ type }) => /output$/.test(String(type))).map((item) => item.call_id))
    const calls = items.filter(({ type }) =>
      ['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call'].includes(String(type)),
    )
    return calls.map(({ call_id: id }) => [String(id), outputs.has(id) ? 'answered' : 'open'])
  },
  'gemini-cli'(text) {
    const lines = text.startsWith('{\n')
      ? (JSON.parse(text) as { messages: Line[] }).messages
      : text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Line)
    const byId = new Map(lines.filter(({ id }) => id !== undefined).map((line) => [line.id, line]))
    const calls = [...byId.values()].flatMap((line) => (line.toolCalls ?? []) as Line[])
    return calls.map(({ id, result }) => [
      String(id),
      JSON.stringify(result ?? '').includes('functionResponse') ? 'answered' : 'open',
    ])
  },
  'qwen-code'(text) {
    const parts = text
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => (JSON.parse(line) as { message?: { parts?: Line[] } }).message?.parts ?? [])
    const idOf = (part: Line, key: string): unknown => (part[key] as Line | undefined)?.id
    const answered = new Set(parts.map((part) => idOf(part, 'functionResponse')))
    const ids = parts.map((part) => idOf(part, 'functionCall')).filter((id) => id !== undefined)
    return ids.map((id) => [String(id), answered.has(id) ? 'answered' : 'open'])
  },
}

/** Where the last turn of a user begins. */
function lastPrompt(items: readonly Line[]): number {
  return items.findLastIndex(
    ({ role, content }) => role === 'user' && !JSON.stringify(content).includes('<turn_aborted>'),
  )
}

const files = Object.keys(ORACLES).flatMap((format) => {
  const folder = join(SHARED, format)
  return existsSync(folder) ? readdirSync(folder).map((name) => [format, name] as const) : []
})
if (files.length === 0) console.info('codex, gemini-cli, qwen-code: no stored sessions here, skipped')

const NEXT = { next: 'Go on.' } as const

function refusals(session: Session): unknown[] {
  const model = session.messages
    .flatMap((one) => (one.role === 'assistant' ? [one.by?.model] : []))
    .findLast((name) => name?.startsWith('gpt'))
  const own = model ?? 'gpt-5.5'
  return [
    ...check(
      'anthropic',
      {
        model: 'claude-sonnet-4-6',
        max_tokens: 4096,
        ...toAnthropic(session, { model: 'claude-sonnet-4-6', ...NEXT }).request,
      },
      { level: 'strict' },
    ),
    ...check(
      'openai-chat',
      { model: 'gpt-4.1', ...toOpenAIChat(session, { model: 'gpt-4.1', ...NEXT }).request },
      { level: 'strict' },
    ),
    ...check(
      'openai-responses',
      { model: own, ...toOpenAIResponses(session, { model: own, ...NEXT }).request },
      { level: 'strict' },
    ),
  ]
}

describe.skipIf(files.length === 0)('stored sessions of command line agents', () => {
  const table: Record<string, Record<string, number>> = {}

  it.each(files)('%s %s: every call has its own outcome, and all APIs take it', (format, name) => {
    const text = readFileSync(join(SHARED, format, name), 'utf8')
    expect(detectFormat(text)).toBe(format)
    const { session, changes } = readSession(text)
    const calls = callsOf(session.messages).filter(({ executor }) => executor !== 'provider')
    const found = calls.map(({ id, state }) => [id, state.status === 'interrupted' ? 'open' : 'answered'])
    expect(found).toEqual(ORACLES[format]!(text))
    expect(session.messages.some((message) => message.role === 'user')).toBe(true)
    for (const history of ['active', 'full', 'portable'] as const)
      expect(refusals(readSession(text, { history }).session)).toEqual([])
    const count = (status: string): number => calls.filter((call) => call.state.status === status).length
    table[`${format} ${name.slice(0, 40)}`] = {
      messages: session.messages.length,
      calls: calls.length,
      completed: count('completed'),
      failed: count('failed'),
      interrupted: count('interrupted'),
      orphans: changes.filter((change) => change.code === 'orphan-result').length,
    }
  })

  it('cost no context of other APIs when a compaction is encrypted', () => {
    const text = readFileSync(join(SHARED, 'codex/00-34f597b72d-1-compacted.jsonl'), 'utf8')
    const calls = (history: 'active' | 'portable'): number =>
      callsOf(readSession(text, { history }).session.messages).length
    expect(calls('portable')).toBe(161 + 16)
    expect(calls('active')).toBeLessThan(100)
  })

  it('are claimed by no reader of another format', () => {
    const formats = readdirSync(SHARED)
    for (const format of formats) {
      for (const name of readdirSync(join(SHARED, format)).filter((file) => /\.jsonl?$/.test(file))) {
        const source = readSource(readFileSync(join(SHARED, format, name)))
        const claims = readers.filter((reader) => reader.format in ORACLES && reader.detect(source) > 0)
        expect(claims.map((reader) => reader.format)).toEqual(format in ORACLES ? [format] : [])
      }
    }
    console.table(table)
  })
})
