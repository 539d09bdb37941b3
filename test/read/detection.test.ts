import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { detectFormat, readers } from '../../src/read/index.ts'
import type { Source } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { fixtures } from '../fixtures/expectation.ts'
import { SAMPLES } from './samples.ts'

/**
 * Where two readers claim one source: `the surer one > the other`, and why the first is right. A source that has no row here is
 * claimed by the reader of its format alone.
 */
const PREFERENCES: { readonly [preference: string]: string } = {
  'oino > pi': 'oino also stores in the form of pi; a record of its own among them tells',
  'roo > cline': 'Roo Code is a fork of Cline; keys of its own, or a time on every prompt, tell',
  'cline > anthropic': 'Cline stores blocks of the Anthropic API; what it tells the model behind every prompt tells',
  'roo > anthropic': 'as Cline',
  'codex > openai-responses':
    'rollouts of the first generation are items of the Responses API behind a line of their own',
  'opencode > ai-sdk': 'the first generation stored messages of the AI SDK, with metadata that only opencode has',
  'ai-sdk > anthropic': 'messages of plain text beside messages with parts that only the AI SDK has',
  'ai-sdk > entries': 'the same',
  'opencode > entries': 'the same',
  'entries > ai-sdk': 'parts of our own canonical form, whose session has a version',
  'entries > anthropic': 'messages of plain text beside calls that carry their outcome, which no API has',
  'anthropic > entries': 'messages of plain text beside blocks that only this API has',
  'openai-chat > anthropic': 'plain texts fit both; most people who store them by hand mean this one',
  'openai-chat > entries': 'plain texts mean the same in both',
  'cline > openai-chat': 'messages of plain text within an envelope of its own',
  'roo > openai-chat': 'as Cline',
  'cline > entries': 'as before openai-chat',
  'roo > entries': 'as Cline',
  'goose > openai-chat': 'messages of plain text with a time in seconds',
  'goose > anthropic': 'the same',
  'goose > entries': 'the same',
  'langchain > openai-chat': 'the state of a graph may hold messages in the form of an API',
  'langchain > anthropic': 'the same',
  'langchain > entries': 'the same',
  'letta > openai-chat': 'an agent file holds messages within its own envelope',
  'letta > anthropic': 'the same',
  'letta > entries': 'the same',
}

const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../shared/sessions')

/** `[name, format, source]` */
type Case = readonly [string, string, Source]

const samples: readonly Case[] = SAMPLES.map(([format, value], index) => [
  `sample ${index}, ${JSON.stringify(value).slice(0, 60)}`,
  format,
  readSource(value as object),
])

const damaged: readonly Case[] = fixtures().map(({ name, source, expected }) => [
  `fixtures/${name}`,
  expected.format,
  readSource(source),
])

/** Not what a tool stores: what pi makes of a session, and one record of many in a file of its own. */
const isNoSession = (path: string): boolean =>
  path.endsWith('.context.json') || path.endsWith('.db') || path.includes('storage-')

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesOf(path) : [path]
  })
}

function storedCases(): readonly Case[] {
  if (!existsSync(SHARED)) {
    console.info('skipped: the stored sessions, since ../shared/sessions is absent')
    return []
  }
  const paths = filesOf(SHARED).map((path) => relative(SHARED, path))
  const cases = paths.filter((path) => !isNoSession(path))
  console.info(
    `detection: ${cases.length} stored sessions; ${paths.length - cases.length} other files are not asked for`,
  )
  return cases.map((path) => [path, path.split('/')[0]!, readSource(readFileSync(join(SHARED, path)))])
}

interface Claim {
  readonly format: string
  readonly score: number
}

/** As `detectFormat` asks: a list that nobody claims may be what stood on lines. */
function claimsOf(source: Source): readonly Claim[] {
  const { value } = source
  const claims = readers
    .map((reader) => ({ format: reader.format, score: reader.detect(source) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  if (claims.length > 0 || !Array.isArray(value)) return claims
  return claimsOf({ records: value.map((record, index) => ({ line: index + 1, value: record })), changes: [] })
}

const used = new Set<string>()

describe('exactly one reader claims it, or the order of preference is written down', () => {
  it.each([...samples, ...damaged, ...storedCases()])('%s: %s', (_name, format, source) => {
    const [first, ...others] = claimsOf(source)
    expect(first?.format).toBe(format)
    for (const other of others) {
      const preference = `${format} > ${other.format}`
      expect(Object.keys(PREFERENCES)).toContain(preference)
      used.add(preference)
      // The order of the table of readers never decides.
      expect(first!.score).toBeGreaterThan(other.score)
    }
  })

  it('and every format has a sample to be claimed', () => {
    const formats = new Set(SAMPLES.map(([format]) => format))
    expect(readers.map(({ format }) => format).filter((format) => !formats.has(format))).toEqual([])
  })

  it('and no preference is written down that nothing wants', () => {
    expect(Object.keys(PREFERENCES).filter((preference) => !used.has(preference))).toEqual([])
  })
})

/** Tells of any look at it. */
function untouchable(): object {
  const refuse = (): never => {
    throw new Error('looked at')
  }
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse })
}

const LIST: readonly unknown[] = Array.from({ length: 80 }, (_, index) =>
  index < 50 ? { role: 'user', content: `message ${index}` } : untouchable(),
)

describe('what a reader looks at', () => {
  const forms: readonly (readonly [string, Source])[] = [
    ['a list', { value: LIST, changes: [] }],
    ['lines', { records: LIST.map((value, index) => ({ line: index + 1, value })), changes: [] }],
    ...['messages', 'input', 'output', 'history', 'clientHistory', 'conversation', 'items'].map(
      (key) => [`a list under ${key}`, { value: { [key]: LIST }, changes: [] }] as const,
    ),
    ['an agent', { value: { agents: [{ messages: LIST }] }, changes: [] }],
    ['a session of ours', { value: { version: 1, messages: LIST }, changes: [] }],
  ]

  it.each(forms)('of %s is at most 50 records', (_name, source) => {
    for (const reader of readers) expect(() => reader.detect(source), reader.format).not.toThrow()
  })

  it('of a text is no more than that either', () => {
    const line = `${JSON.stringify({ role: 'user', content: 'x'.repeat(1000) })}\n`
    // As bytes first: a repeated text is put together only when it is looked at.
    const [few, many] = [60, 60_000].map((times) => new TextDecoder().decode(Buffer.from(line.repeat(times))))
    const time = (text: string): number => {
      const start = process.cpuUsage()
      expect(detectFormat(text)).toBe('openai-chat')
      return process.cpuUsage(start).user
    }
    time(few!)
    expect(time(many!)).toBeLessThan(50_000)
  })

  it.each([
    ['gzip', '\x1f\x8b\x08'],
    ['zstd', '\x28\xb5\x2f\xfd'],
    ['SQLite', 'SQLite format 3\0'],
    ['ZIP', 'PK\x03\x04'],
  ])('of bytes is first what they are: %s', (_name, magic) => {
    const chat = JSON.stringify(SAMPLES[0]![1])
    const bytes = Uint8Array.from(`${magic}\n${chat}\n`, (unit) => unit.charCodeAt(0))
    expect(detectFormat(bytes)).toBeUndefined()
  })
})
