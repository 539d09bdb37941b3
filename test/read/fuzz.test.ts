import { afterAll, describe, expect, it } from 'vitest'
import { readers, readSession } from '../../src/read/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { FULL } from '../laws/runs.ts'
import { CONVERSATIONS, TOKENS } from './conversations.ts'
import { jsonl, type Line, random } from './hostile.ts'
import { callsOf, mutations, survived } from './stored.ts'

const counts: string[] = []
afterAll(() => console.log(`fuzzed: ${counts.join(', ')}`))

const isLines = (value: readonly Line[] | Line): value is readonly Line[] => Array.isArray(value)
const textOf = (value: readonly Line[] | Line): string => (isLines(value) ? jsonl(value) : JSON.stringify(value))

/** So many of each kind; with every byte cut, over 10,000 for each format. */
const RUNS = FULL ? 5_000 : 100

const tokensIn = (text: string): readonly string[] => TOKENS.filter((token) => text.includes(token))

it('every format has a conversation here', () => {
  expect(CONVERSATIONS.map(([format]) => format).sort()).toEqual(readers.map(({ format }) => format).sort())
})

describe.each(CONVERSATIONS)('%s', (format, value) => {
  const reader = readers.find((one) => one.format === format)!
  const text = textOf(value)
  const bytes = new TextEncoder().encode(text)
  let runs = 0
  const read = (source: string | Uint8Array | object, options: ReadOptions = {}) => {
    runs++
    return survived(reader, source, options)
  }

  it('is read whole as it stands', () => {
    const { session, changes, format: found } = readSession(text)
    expect(found).toBe(format)
    expect(tokensIn(JSON.stringify(session))).toEqual(TOKENS)
    expect(callsOf(session)).toMatchObject([{ id: 'A', name: 'look', state: { status: 'completed' } }])
    expect(changes).toEqual([])
  })

  it('cut at any byte keeps all records that are whole', () => {
    for (let end = 1; end <= bytes.length; end++) {
      const told = read(bytes.subarray(0, end))
      if (!isLines(value)) continue
      const whole = text.slice(0, text.lastIndexOf('\n', end - 1) + 1)
      const wanted = whole === '' ? [] : tokensIn(JSON.stringify(survived(reader, whole) ?? {}))
      expect({ end, found: tokensIn(JSON.stringify(told ?? {})) }).toMatchObject({
        found: expect.arrayContaining([...wanted]),
      })
    }
  })

  it('with flipped bytes costs no other record', () => {
    const below = random(3)
    for (let run = 0; run < RUNS; run++) {
      const bad = bytes.slice()
      const at = below(bytes.length)
      for (let count = 0; count <= below(3); count++) bad[Math.min(at + below(4), bad.length - 1)]! ^= 1 << below(8)
      const told = read(bad)
      if (!isLines(value)) continue
      expect({ run, isRead: told !== undefined }).toEqual({ run, isRead: true })
      if (told === undefined) continue
      const others = text.split('\n').filter((_line, index, all) => !touched(all, index, at, at + 4))
      // A record that has lost its link is on a branch of its own, and what it hung on on another, which is told of.
      const branches = told.branches.map(({ leaf }) => read(bad, { leaf }))
      const found = JSON.stringify([told, ...branches])
      expect({ run, lost: tokensIn(others.join('\n')).filter((token) => !found.includes(token)) }).toEqual({
        run,
        lost: [],
      })
    }
  })

  it('with changed values is survived', () => {
    for (const bad of mutations(value, FULL ? 5_000 : RUNS)) read(bad as object)
    counts.push(`${format} ${runs}`)
    if (FULL) expect(runs).toBeGreaterThan(10_000)
  })
})

/** Whether a line, with the newlines around it, has one of the bytes. */
function touched(lines: readonly string[], index: number, from: number, to: number): boolean {
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0)
  return to >= start - 1 && from <= start + lines[index]!.length + 1
}
