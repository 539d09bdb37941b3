import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectFormat, readSession } from '../../src/read/index.ts'
import { callsOf, type Line } from './claude-code-lines.ts'

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/claude-code')
const present = existsSync(FOLDER)
const files = present ? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl')) : []
if (!present) console.info('claude-code: no stored sessions here, skipped')

interface Expected {
  /** In the active conversation. */
  readonly calls: ReadonlySet<string>
  /** By call id, over the whole file: whether the result is an error. */
  readonly results: ReadonlyMap<string, boolean>
}

/** A plain scan that shares no code with the reader. */
function scan(file: string): Expected {
  const rows = file.split('\n').flatMap(parse)
  const main = rows.some((row) => isTurn(row) && row.isSidechain !== true)
  const byUuid = new Map<unknown, Line>()
  const uuids = new Set(rows.map((row) => row.uuid))
  for (const row of rows) {
    const known = byUuid.get(row.uuid)
    if (known === undefined || (!uuids.has(known.parentUuid) && uuids.has(row.parentUuid))) byUuid.set(row.uuid, row)
  }
  const ours = (row: Line): boolean => isTurn(row) && (row.isSidechain === true) !== main
  const ids = new Set<unknown>()
  let row = rows.findLast(ours)
  const seen = new Set<unknown>()
  while (row !== undefined && !seen.has(row.uuid)) {
    seen.add(row.uuid)
    if (row.type === 'assistant') ids.add((row.message as Line).id)
    row = byUuid.get(row.parentUuid) ?? (row.parentUuid ? rows.slice(0, rows.indexOf(row)).findLast(ours) : undefined)
  }
  const spoken = rows.filter((other) => other.type === 'assistant' && ids.has((other.message as Line).id))
  const calls = new Set(
    spoken
      .flatMap(blocks)
      .filter((block) => block.type === 'tool_use')
      .map((block) => String(block.id)),
  )
  const results = new Map<string, boolean>()
  for (const block of rows.filter(isTurn).flatMap(blocks)) {
    const id = String(block.tool_use_id)
    if (block.type === 'tool_result' && !results.has(id)) results.set(id, block.is_error === true)
  }
  return { calls, results }
}

const isTurn = (row: Line): boolean => row.type === 'user' || row.type === 'assistant'

function blocks(row: Line): Line[] {
  const content = (row.message as Line).content
  return Array.isArray(content) ? (content as Line[]) : []
}

function parse(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line]
  } catch {
    const [first = '', second = ''] = line.split(/(?<=\})(?=\{"type":)/)
    return [JSON.parse(first) as Line, JSON.parse(second) as Line]
  }
}

describe.skipIf(!present)('stored sessions of Claude Code', () => {
  const table: Record<string, Record<string, number>> = {}

  it.each(files)('%s: every call has its own outcome', (name) => {
    const file = readFileSync(join(FOLDER, name), 'utf8')
    expect(detectFormat(file)).toBe('claude-code')
    const { session, changes } = readSession(file)
    const calls = callsOf(session.messages)
    const { calls: expected, results } = scan(file)
    expect(new Set(calls.map((call) => call.id))).toEqual(expected)
    const wanted = calls.map(({ id }) => [
      id,
      results.has(id) ? (results.get(id) ? 'failed' : 'completed') : 'interrupted',
    ])
    expect(calls.map(({ id, state }) => [id, state.status])).toEqual(wanted)
    expect(session.messages.some((message) => message.role === 'user')).toBe(true)
    const count = (status: string): number => calls.filter((call) => call.state.status === status).length
    table[name] = {
      messages: session.messages.length,
      calls: calls.length,
      completed: count('completed'),
      failed: count('failed'),
      interrupted: count('interrupted'),
      orphans: changes.filter((change) => change.code === 'orphan-result').length,
    }
  })

  it('are read in full history and by every branch', () => {
    for (const name of files) {
      const file = readFileSync(join(FOLDER, name), 'utf8')
      const active = readSession(file)
      const full = readSession(file, { history: 'full' })
      expect(full.session.messages.length).toBeGreaterThanOrEqual(active.session.messages.length)
      for (const { leaf, messages } of active.branches) {
        const other = readSession(file, { leaf })
        expect(other.session.messages.length).toBeGreaterThan(0)
        expect(messages).toBeGreaterThan(0)
        expect(other.branches.map((branch) => branch.leaf)).not.toContain(leaf)
      }
    }
    console.table(table)
  })
})
