import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readers } from '../src/read/index.ts'
import { WRITABLE_APIS } from '../src/write/index.ts'

interface Row {
  readonly types: string
  readonly default: string
}

/** What each entry point exports, but types. Names are added with a minor version, taken away or changed with a major one. */
const NAMES: { readonly [entry: string]: readonly string[] } = {
  '.': [
    'CHANGES',
    'ConvertError',
    'ReadError',
    'convert',
    'detectFormat',
    'fromAnthropic',
    'fromOpenAIChat',
    'fromOpenAIResponses',
    'openThread',
    'readSession',
    'repairSession',
    'resolveSession',
    'sessionBuilder',
    'toAnthropic',
    'toOpenAIChat',
    'toOpenAIResponses',
  ],
  './schema': ['parseSession', 'sessionSchema'],
  './check': ['check'],
  './check/anthropic': ['ANTHROPIC_RULES', 'checkAnthropic', 'checker'],
  './check/openai-chat': ['checkOpenAIChat', 'checker'],
  './check/openai-responses': ['checkOpenAIResponses', 'checker'],
  './mock': ['mockProviders'],
  './node': ['ReadError', 'readSessionFile'],
  './read': ['detectWith', 'readWith'],
  './read/anthropic': ['reader'],
  './read/claude-code': ['reader'],
  './read/dirge': ['reader'],
  './read/entries': ['reader'],
  './read/openai-chat': ['reader'],
  './read/openai-responses': ['reader'],
  './write/anthropic': ['toAnthropic', 'writer'],
  './write/openai-chat': ['toOpenAIChat', 'writer'],
  './write/openai-responses': ['toOpenAIResponses', 'writer'],
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: { [entry: string]: Row } }
const entries = Object.keys(exports).filter((entry) => entry !== './package.json')

/** The source from which the file of an entry point is built. */
const sourceOf = (entry: string): string => exports[entry]!.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')

describe('the entry points', () => {
  it('are those of the list', () => {
    expect([...entries].sort()).toEqual(Object.keys(NAMES).sort())
  })

  it('give the types and the code of one source', () => {
    for (const entry of entries) {
      expect(exports[entry]!.types.replace(/\.d\.ts$/, '.js')).toBe(exports[entry]!.default)
      expect(existsSync(sourceOf(entry)), sourceOf(entry)).toBe(true)
    }
  })

  it('offer each format that is read and each API that is written by itself', () => {
    expect(entries.filter((entry) => entry.startsWith('./read/'))).toEqual(
      readers.map(({ format }) => `./read/${format}`).sort(),
    )
    expect(entries.filter((entry) => entry.startsWith('./write/'))).toEqual(
      WRITABLE_APIS.map((api) => `./write/${api}`),
    )
    expect(entries.filter((entry) => entry.startsWith('./check/'))).toEqual(
      WRITABLE_APIS.map((api) => `./check/${api}`),
    )
  })

  it.each(entries)('%s exports no more and no fewer names', async (entry) => {
    const found = (await import(`../${sourceOf(entry)}`)) as object
    expect(Object.keys(found).sort()).toEqual([...(NAMES[entry] ?? [])].sort())
  })
})
