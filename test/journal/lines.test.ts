import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredLine } from '../../src/journal/index.ts'
import { Lines } from '../../src/journal/stores/lines.ts'
import { forAll, printCounts } from '../laws/runs.ts'

printCounts('journal lines')

const ENDS = new Map<number | undefined, StoredLine['end']>([
  [0x18, 'torn'],
  [0x20, 'unsynced'],
  [0, 'lost'],
])

/** Byte by byte, as slowly as can be. */
function expected(bytes: Buffer, maxLineBytes: number): StoredLine[] {
  const found: StoredLine[] = []
  const add = (offset: number, stop: number, end: StoredLine['end']): void => {
    const line = bytes.subarray(offset, stop)
    const isRead = line.length <= maxLineBytes && isUtf8(line)
    const text = isRead ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(line) : undefined
    const stored = { text, number: found.length + 1, offset, length: line.length, end }
    found.push(text === undefined ? { ...stored, hasHole: line.includes(0) } : stored)
  }
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 10) continue
    const end = ENDS.get(at === start ? undefined : bytes[at - 1]) ?? 'whole'
    add(start, end === 'torn' || end === 'unsynced' ? at - 1 : at, end)
    start = at + 1
  }
  if (start < bytes.length) add(start, bytes.length, 'none')
  return found
}

function read(bytes: Buffer, maxLineBytes: number, cuts: readonly number[]): StoredLine[] {
  const found: StoredLine[] = []
  const lines = new Lines((line) => found.push(line), maxLineBytes)
  const piece = Buffer.alloc(bytes.length)
  let start = 0
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    // One buffer for all pieces, as a file is read.
    bytes.copy(piece, 0, start, end)
    lines.push(piece.subarray(0, end - start))
    start = end
  }
  expect(lines.finish()).toBe(found.at(-1)?.end === 'none')
  return found
}

const part = fc.oneof(
  fc.constantFrom('\n', ' \n', '\u0018\n', '\u0018', '{"a":1}', 'é', '→', '😀', '').map((text) => Buffer.from(text)),
  fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.alloc(3)),
  fc.integer({ min: 0, max: 40_000 }).map((length) => Buffer.alloc(length, 'x')),
)

it('cuts bytes into lines, wherever the pieces end in which they come', () => {
  forAll(
    'byte strings',
    fc.tuple(
      fc.array(part, { maxLength: 30 }).map((parts) => Buffer.concat(parts)),
      fc.constantFrom(0, 7, 20_000, 1e9),
      fc.array(fc.nat(), { maxLength: 6 }),
    ),
    ([bytes, maxLineBytes, cuts]) => expect(read(bytes, maxLineBytes, cuts)).toEqual(expected(bytes, maxLineBytes)),
  )
})
