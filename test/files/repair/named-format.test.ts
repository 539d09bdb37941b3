import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ReadError } from '../../../src/model/error.ts'
import type { FormatId } from '../../../src/model/session.ts'
import { said, use, user } from '../../read/claude-code-lines.ts'
import { CONVERSATIONS } from '../../read/conversations.ts'
import { conversation, makeDatabase, OPENCODE } from '../database.ts'
import { age, jsonl, repair, stored } from './kit.ts'

const REPAIRED = ['claude-code', 'codex', 'pi', 'oino', 'zut', 'dirge', 'opencode', 'cline'] as const

/** Cline stores one list. */
const textOf = (format: FormatId, value: object): string =>
  Array.isArray(value) && format !== 'cline' ? jsonl(value) : JSON.stringify(value)

describe('a format that is named', () => {
  it.each(CONVERSATIONS)('is refused for a file of %s that it is not of', async (format, conversation) => {
    const text = textOf(format, conversation)
    for (const named of REPAIRED) {
      const path = stored(text)
      const result: unknown = await repair(path, { format: named, write: true }).catch((error: unknown) => error)
      if (named === format && format !== 'oino') expect(result, named).toMatchObject({ format: named })
      else if (named !== format) {
        expect(ReadError.is(result), named).toBe(true)
        expect(result).toMatchObject({ message: `this is a file of ${format}, not of ${named}` })
      }
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  })

  it.each(REPAIRED)('is refused for a file that is of none: %s', async (named) => {
    for (const text of ['{"some":"thing"}', '{"some":"thing"}\n{"other":1}\n', 'words\n', '\n']) {
      const path = stored(text)
      const result: unknown = await repair(path, { format: named, write: true }).catch((error: unknown) => error)
      expect(ReadError.is(result), text).toBe(true)
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  })

  it('is taken for a file that is recognised for no other, when it holds something of the format', async () => {
    const { type: _, ...untyped } = user('u1', null, 'list files')
    const path = stored(jsonl([untyped, said('a1', 'u1', 'm1', use('toolu_A'))]))
    expect((await repair(path, { format: 'claude-code' })).closed.map(({ id }) => id)).toEqual(['toolu_A'])
  })

  it('is refused for a database of another, and for a compressed file before it is read', async () => {
    const path = stored('', 'opencode.db')
    makeDatabase(path, OPENCODE, conversation('ses_a', 5))
    age(path)
    await expect(repair(path, { format: 'zut' })).rejects.toThrow('this is a database of opencode, not of zut')
    const gzip = stored(Uint8Array.of(0x1f, 0x8b, 8, 0), 'session.jsonl.gz')
    await expect(repair(gzip, { format: 'zut' })).rejects.toMatchObject({ reason: 'unsupported' })
    await expect(repair(stored('PK\u0003\u0004'), { format: 'zut' })).rejects.toThrow('this is a ZIP archive')
  })
})

it('an id that is named is that of the session in the file', async () => {
  const path = stored(jsonl([user('u1', null, 'list files'), said('a1', 'u1', 'm1', use('toolu_A'))]))
  expect((await repair(path, { id: 'S' })).closed).toHaveLength(1)
  await expect(repair(path, { id: 'other', write: true })).rejects.toThrow(
    'the session of this file has the id "S", not "other"',
  )
})
