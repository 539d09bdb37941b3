import { expect } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { isJson } from '../../src/model/is-json.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Reader, ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { damaged } from '../hostile/damaged.ts'
import { FULL } from '../laws/runs.ts'

export { damaged }

export type Line = { readonly [key: string]: unknown }

export const jsonl = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export const PROTOTYPE_NAMES: readonly string[] = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

const WRONG: readonly unknown[] = [
  null,
  true,
  7,
  -1,
  1e308,
  '',
  'x',
  '\0\ud800',
  [],
  [null],
  [[]],
  {},
  { type: {} },
  { text: 1 },
  [{ id: 1 }],
]

/** Reads whatever it is given: a session that holds to the model, or a ReadError. */
export function survives(reader: Reader, source: string | Uint8Array | object, options: ReadOptions = {}) {
  try {
    const form = readSource(source)
    const score = reader.detect(form)
    expect(score).toBeGreaterThanOrEqual(0)
    const result = reader.read(form, options)
    parseSession(result.session)
    expect(isJson(result.changes)).toBe(true)
    for (const message of result.session.messages) {
      if (message.role !== 'assistant') continue
      for (const part of message.parts)
        if (part.type === 'tool-call' && part.executor !== 'provider') expect(part.state.status).not.toBe('pending')
    }
    return result
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

/**
 * The lines with one wrong value, once for each place, and which line it is in. Of all wrong values every third only, another in
 * each place, unless all is to be tried.
 */
export function* damagedLines(
  lines: readonly Line[],
  skip: readonly string[] = [],
): Generator<{ readonly lines: readonly Line[]; readonly index: number }> {
  let place = 0
  for (const wrong of [...WRONG, ...(FULL ? PROTOTYPE_NAMES : PROTOTYPE_NAMES.slice(0, 2))]) {
    for (const [index, line] of lines.entries())
      for (const bad of damaged(line, wrong, skip))
        if (FULL || place++ % 3 === 0) yield { lines: lines.with(index, bad as Line), index }
  }
}

/** Small and seeded, so that a failure can be seen again. */
export function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Cuts the text at every byte, and flips bytes of it. */
export function batter(reader: Reader, text: string, options: ReadOptions = {}): number {
  const bytes = new TextEncoder().encode(text)
  for (let end = 1; end <= bytes.length; end += FULL ? 1 : 31) survives(reader, bytes.subarray(0, end), options)
  const below = random(1)
  const flips = FULL ? 5_000 : 100
  for (let run = 0; run < flips; run++) {
    const flipped = bytes.slice()
    for (let count = 0; count <= below(4); count++) flipped[below(bytes.length)]! ^= 1 << below(8)
    survives(reader, flipped, options)
  }
  return bytes.length + flips
}

/** Reads every damaged form of the lines, in each way; gives the number of runs. */
export function batterValues(reader: Reader, lines: readonly Line[], options: readonly ReadOptions[]): number {
  let runs = 0
  for (const { lines: bad } of damagedLines(lines)) {
    for (const option of options) {
      survives(reader, jsonl(bad), option)
      runs++
    }
  }
  return runs
}
