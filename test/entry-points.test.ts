import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readers } from '../src/read/index.ts'
import { WRITABLE_APIS } from '../src/write/index.ts'
import { entryPoints } from './package/entry-points.ts'

type Row = string | { readonly types: string; readonly default: string }

/** What each entry point exports, but types. Names are added with a minor version, taken away or changed with a major one. */
const NAMES: { readonly [entry: string]: readonly string[] } = {
  '.': [
    'CHANGES',
    'ConvertError',
    'ReadError',
    'collector',
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
  './check': ['check', 'explain'],
  './check/anthropic': ['ANTHROPIC_RULES', 'checkAnthropic', 'checker'],
  './check/openai-chat': ['checkOpenAIChat', 'checker'],
  './check/openai-responses': ['checkOpenAIResponses', 'checker'],
  './mock': ['mockProviders'],
  './journal': [
    'JournalError',
    'LockedError',
    'capture',
    'fileStore',
    'memoryStore',
    'openJournal',
    'summaryOf',
    'writeSummary',
  ],
  './journal/postgres': ['followJournal', 'journalTable', 'journalText', 'postgresStore'],
  './node': ['ReadError', 'RepairError', 'listSessions', 'readSessionDir', 'readSessionFile', 'repairSessionFile'],
  './read': ['detectWith', 'readWith'],
  './write/anthropic': ['toAnthropic', 'writer'],
  './write/openai-chat': ['toOpenAIChat', 'writer'],
  './write/openai-responses': ['toOpenAIResponses', 'writer'],
}

/** All that a format by itself is. */
const READER = ['reader']

describe('the entry points', () => {
  const entries = entryPoints()

  it('are those of the list, and each format and API by itself', () => {
    const formats = readers.map(({ format }) => `./read/${format}`)
    expect(entries.map(({ entry }) => entry).sort()).toEqual([...Object.keys(NAMES), ...formats].sort())
    for (const api of WRITABLE_APIS) {
      expect(NAMES).toHaveProperty([`./write/${api}`])
      expect(NAMES).toHaveProperty([`./check/${api}`])
    }
  })

  it('give the types and the code of one source', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: { [entry: string]: Row } }
    for (const row of Object.values(exports)) {
      if (typeof row !== 'string') expect(row.types.replace(/\.d\.ts$/, '.js')).toBe(row.default)
    }
  })

  it.each(entries)('$entry exports no more and no fewer names', async ({ entry, source }) => {
    const found = (await import(/* @vite-ignore */ resolve(source))) as object
    expect(Object.keys(found).sort()).toEqual([...(NAMES[entry] ?? READER)].sort())
  })
})
