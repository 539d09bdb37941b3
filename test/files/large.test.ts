import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../bundle.ts'
import { fileFolder } from '../folders.ts'
import { FULL } from '../laws/runs.ts'
import { compactedFile, FILLER, TOOLS } from './large/compacted.ts'

const MB = 1024 * 1024
const folder = fileFolder()
const reader = bundled('test/files/large/read.ts', folder)

/** A file of pieces that are written one after the other. */
function written(name: string, pieces: Iterable<string>): string {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  for (const piece of pieces) writeSync(file, piece)
  closeSync(file)
  return path
}

interface Found {
  readonly format: string
  readonly messages: number
  readonly last: string
  readonly longest: number
  readonly changes: readonly string[]
}

/** What a process reads of a file that may hold no more than so many MiB in its heap. */
async function readWithin(heap: number, path: string): Promise<Found> {
  const started = Date.now()
  const flags = [`--max-old-space-size=${heap}`, await reader, path]
  const out = execFileSync(process.execPath, flags, { encoding: 'utf8' })
  const size = Math.round(statSync(path).size / MB)
  console.log(`${size} MiB read within a heap of ${heap} MiB in ${Date.now() - started} ms`)
  rmSync(path)
  return JSON.parse(out) as Found
}

const claude = (uuid: string, parentUuid: string | null, content: string): string =>
  `${JSON.stringify({ type: 'user', uuid, parentUuid, sessionId: 'S', message: { role: 'user', content } })}\n`

function* longLine(megabytes: number): Generator<string> {
  yield claude('a', null, 'first')
  const [before, after] = claude('b', 'a', 'LONG').split('LONG')
  yield before!
  for (let count = 0; count < megabytes; count++) yield 'x'.repeat(MB)
  yield after!
  yield claude('c', 'b', 'the end')
}

describe('a file', () => {
  // To hold all of it would take more than its size.
  const size = FULL ? 1024 : 112

  it.each(FULL ? TOOLS : TOOLS.slice(0, 1))(
    `of ${size} MiB of $format is read in memory for its conversation`,
    async (tool) => {
      const found = await readWithin(FULL ? 640 : 128, written('compacted.jsonl', compactedFile(tool, size * MB)))
      expect(found).toMatchObject({ format: tool.format, messages: 2, last: 'the end' })
      // The summary, with what the tool says in front of it, and nothing from before.
      expect(found.longest).toBeLessThan(FILLER.length)
    },
    600_000,
  )

  const long = FULL ? 200 : 12

  it(`with a line of ${long} MiB is read, with all before and behind it`, async () => {
    const found = await readWithin(1024, written('long.jsonl', longLine(long)))
    expect(found).toEqual({ format: 'claude-code', messages: 3, last: 'the end', longest: long * MB, changes: [] })
  }, 600_000)

  it(`that is one line of ${long} MiB is read`, async () => {
    function* body(): Generator<string> {
      yield '{"model":"claude-opus-5","messages":[{"role":"user","content":"'
      for (let count = 0; count < long; count++) yield 'x'.repeat(MB)
      yield '"}]}'
    }
    expect(await readWithin(1024, written('body.json', body()))).toMatchObject({
      format: 'anthropic',
      longest: long * MB,
    })
  }, 600_000)
})
