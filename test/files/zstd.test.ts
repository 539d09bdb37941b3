import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { zstdFrames } from '../../src/files/zstd-frames.ts'
import { ReadError } from '../../src/index.ts'
import type { Session } from '../../src/model/session.ts'
import { fileFolder } from '../folders.ts'

const folder = fileFolder()

let made = 0
const stored = (bytes: Uint8Array, name = `${made++}.jsonl.zst`): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function refusal(bytes: Uint8Array, options = {}): Promise<string> {
  const error = await readSessionFile(stored(bytes), options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(ReadError.is(error)).toBe(true)
  return (error as Error).message
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd]

/** A frame with a window of 1 KiB or as given, made by hand. @see https://www.rfc-editor.org/rfc/rfc8878 */
const frame = (blocks: readonly (readonly number[])[], window = 0): Uint8Array =>
  Uint8Array.from([...MAGIC, 0, window, ...blocks.flat()])

const header = (size: number, type: number, last: boolean): readonly number[] => {
  const value = (size << 3) | (type << 1) | (last ? 1 : 0)
  return [value & 255, (value >> 8) & 255, value >> 16]
}

const raw = (text: string, last = true): readonly number[] => [...header(text.length, 0, last), ...Buffer.from(text)]
const repeated = (byte: number, size: number, last: boolean): readonly number[] => [...header(size, 1, last), byte]

const line = (n: number): string =>
  JSON.stringify({ role: n % 2 === 0 ? 'user' : 'assistant', content: `turn ${n % 10} ${'abc '.repeat(n % 7)}` })
const LINES = 6000

/** So many lines, by the program `zstd -3`: from a pipe, with a window and a checksum; from a file, by its size. */
const PIPED = Buffer.from(
  'KLUv/QRYDA4A4gYWF5CnHUshAQf9am1xd1EmyW6yb2Jyl7MT782aePbNq4n23ryJZ++8mnjvzat49t6riWfvzauJhaCQS6ckNECoAA5FjJyjkIqodEw6RlGBOgwqFFGGYBxlCIDrqOHyNO13gAIhwdVqEmgRVEGKAHAJjSJCQsbsVob93w/y0q08IFCmQ0+Lrf72sZFTJyGRPGHebtymd+gFqhcxhNp7NvnwvVM+pQUovrBk4QUnR5EIQ9/fufvu0ltUQTSB2iu2+EZETPeeFlv9/WMjp05CInnCvN24Te/QC1QvYgi192zy4XunfEoLUHxhycILTo4iEYa+v3P33aW3qIJoArVXbPGNiJjuPS22+vvHRk6dhETyhHm7cZveoReoXsQQau/Z5MP3TvmUFqD4wpKFF5wcRSIMfX/n7rtLb1EF0QRqr9jiGxEx3XtabPX3j42cOgmJ5AnzduM2vUMvUL2IIdTes8mH753yKS1A8YUlCy84OYpEGPr+zt13l96iCqIJ1F6xxTcigJlWrtI9H7+xIlf2cAMyfS5IOM5cKhY1m6Dz+PpdOE3FKgCWvwY2Ls3UjNR0IXGj3sm6FChDSD8LqjwNUQVMAAAIYgEA/P85EAJNAAAIZQEAiB8dCAFL4aYG',
  'base64',
)
const SIZED = Buffer.from(
  'KLUv/aCMnwQADA4A4gYWF5CnHUshAQf9am1xd1EmyW6yb2Jyl7MT782aePbNq4n23ryJZ++8mnjvzat49t6riWfvzauJhaCQS6ckNECoAA5FjJyjkIqodEw6RlGBOgwqFFGGYBxlCIDrqOHyNO13gAIhwdVqEmgRVEGKAHAJjSJCQsbsVob93w/y0q08IFCmQ0+Lrf72sZFTJyGRPGHebtymd+gFqhcxhNp7NvnwvVM+pQUovrBk4QUnR5EIQ9/fufvu0ltUQTSB2iu2+EZETPeeFlv9/WMjp05CInnCvN24Te/QC1QvYgi192zy4XunfEoLUHxhycILTo4iEYa+v3P33aW3qIJoArVXbPGNiJjuPS22+vvHRk6dhETyhHm7cZveoReoXsQQau/Z5MP3TvmUFqD4wpKFF5wcRSIMfX/n7rtLb1EF0QRqr9jiGxEx3XtabPX3j42cOgmJ5AnzduM2vUMvUL2IIdTes8mH753yKS1A8YUlCy84OYpEGPr+zt13l96iCqIJ1F6xxTcigJlWrtI9H7+xIlf2cAMyfS5IOM5cKhY1m6Dz+PpdOE3FKgCWvwY2Ls3UjNR0IXGj3sm6FChDSD8LqjwNUQVMAAAIYgEA/P85EAJNAAAIZQEAiB8dCAE=',
  'base64',
)

const textsOf = ({ messages }: Session): readonly string[] =>
  messages.map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))

const wanted = Array.from({ length: LINES }, (_, n) => (JSON.parse(line(n)) as { content: string }).content)

describe('a file that is compressed by zstd', () => {
  it.each([
    ['from a pipe', PIPED],
    ['from a file', SIZED],
  ])('is read, %s', async (_name, bytes) => {
    const { session, changes } = await readSessionFile(stored(bytes))
    expect(textsOf(session)).toEqual(wanted)
    expect(changes).toEqual([])
  })

  it('may be of many frames, with others between them', async () => {
    const skipped = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    const frames = [0, 1, 2, 3].map((n) => frame([raw(`${line(n)}\n`)]))
    const { session } = await readSessionFile(stored(Buffer.concat([...frames, Uint8Array.from(skipped), frames[0]!])))
    expect(session.messages).toHaveLength(5)
    // Tens of thousands of them are no call of each other.
    const many = Buffer.concat(Array.from({ length: 20_000 }, (_, n) => frame([raw(`${line(n % 6)}\n`)])))
    expect((await readSessionFile(stored(many))).session.messages).toHaveLength(20_000)
  })

  it('is found in a folder', async () => {
    stored(PIPED, 'rollout.jsonl.zst')
    const { sessions } = await readSessionDir(folder)
    expect(sessions.some(({ session }) => session.messages.length === LINES)).toBe(true)
  })

  it('is read as far as it goes when it is cut off or damaged', async () => {
    const blocks = [raw(`${line(0)}\n`, false), raw(`${line(1)}\n`, false), raw(`${line(2)}\n`)]
    const whole = frame(blocks)
    for (let end = whole.length - 1; end > 6 + blocks[0]!.length; end--) {
      const { session, changes } = await readSessionFile(stored(whole.subarray(0, end), 'cut.zst'))
      expect(session.messages.length).toBeGreaterThanOrEqual(1)
      expect(changes.map(({ code }) => code)).toContain('file-cut-off')
    }
    const { session } = await readSessionFile(stored(Buffer.concat([whole, PIPED.subarray(0, 200)])))
    expect(session.messages.length).toBeGreaterThanOrEqual(3)
    // Every byte of a real one may be damaged: some of it is read, or the reason is told.
    for (let at = 0; at < PIPED.length; at += 7) {
      const damaged = Buffer.from(PIPED)
      damaged[at] = damaged[at]! ^ 0x5a
      const outcome = await readSessionFile(stored(damaged, 'damaged.zst')).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(ReadError.is(outcome)).toBe(true)
    }
  })

  it('is refused when nothing of it can be read', async () => {
    expect(await refusal(Uint8Array.from(MAGIC))).toMatch(/zstd data cannot be read/)
    expect(await refusal(PIPED.subarray(0, 9))).toMatch(/zstd data cannot be read/)
    expect(await refusal(frame([header(5, 3, true)]))).toMatch(/zstd data cannot be read/)
  })

  it('is refused when it grows beyond all measure', async () => {
    const bomb = (blocks: number): Uint8Array =>
      frame(
        Array.from({ length: blocks }, (_, n) => repeated(0x20, 128 * 1024, n === blocks - 1)),
        0x38,
      )
    expect(await refusal(bomb(1000))).toMatch(/more than 200 times when unpacked; maxRatio/)
    expect(await refusal(bomb(1000), { maxBytes: 1e6 })).toMatch(/over 1000000 bytes unpacked; maxBytes/)
    expect(await refusal(frame([raw('{}')], 0xff))).toMatch(/too much memory/)
    const tiny = Array.from({ length: 100_000 }, (_, n) => repeated(0x20, 1, n === 99_999))
    expect(await refusal(frame(tiny, 0x70))).toMatch(/too much memory/)
  })

  it('names the package that is missing', async () => {
    vi.resetModules()
    vi.doMock('fzstd', () => {
      throw new Error('not installed')
    })
    const own = process.getBuiltinModule
    // As on a Node that has no zstd of its own.
    Object.assign(process, { getBuiltinModule: () => ({}) })
    try {
      const { readSessionFile: read } = await import('../../src/files/index.ts')
      await expect(read(stored(PIPED))).rejects.toThrow(/Node 22\.15 or later, or install the package fzstd/)
    } finally {
      Object.assign(process, { getBuiltinModule: own })
      vi.doUnmock('fzstd')
      vi.resetModules()
    }
  })
})

describe('zstdFrames', () => {
  it('tells window and blocks of each frame', () => {
    const frames = [...zstdFrames(Buffer.concat([PIPED, SIZED, frame([raw('a', false), raw('b')], 0x11)]))]
    expect(frames.map(({ window, blocks }) => [window, blocks])).toEqual([
      [2 ** 21, 3],
      [302_988, 3],
      [4096 + 512, 2],
    ])
    expect(frames.map(({ bytes }) => bytes.length)).toEqual([PIPED.length, SIZED.length, 6 + 8])
  })

  it('ends with the data, wherever it is cut', () => {
    for (let end = 0; end < SIZED.length; end++) expect([...zstdFrames(SIZED.subarray(0, end))].length).toBeLessThan(2)
  })
})
