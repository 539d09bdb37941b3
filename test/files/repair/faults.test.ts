import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RepairError } from '../../../src/files/repair/error.ts'
import { call, header, said, user } from '../../read/pi-lines.ts'
import { faulty } from './faulty.ts'
import { age, jsonl, orphans, repair, repaired, stored } from './kit.ts'
import { loadPi } from './pi-loader.ts'

const lines = jsonl([header(), user('a', null, 'list'), said('b', 'a', [call('A'), call('B')])])

const message = (role: string, content: readonly object[]): object => ({ role, content })
const value = JSON.stringify([
  message('user', [
    { type: 'text', text: '<task>\ngo\n</task>' },
    { type: 'text', text: '<environment_details>' },
  ]),
  {
    ...message('assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }]),
    modelInfo: { providerId: 'anthropic', modelId: 'claude-sonnet-4-5' },
  },
])

const CASES = [
  { name: 'a file that is appended to', content: lines, file: 'session.jsonl' },
  { name: 'a file that is replaced', content: value, file: 'api_conversation_history.json' },
] as const

describe.each(CASES)('$name', ({ name, content, file }) => {
  it.each(['EIO', 'ENOSPC'])('is as it was when the system fails once, wherever that is (%s)', async (code) => {
    let written = 0
    let number = 1
    for (; ; number++) {
      const path = stored(content, file)
      const { files, faults } = faulty(number, 'once', code)
      const result = await repair(path, { write: true }, { files }).catch((error: unknown) => error)
      if (!RepairError.is(result)) expect(result).toMatchObject({ written: true })
      if (faults.asked < number) break
      // What fails behind the last sync of an append undoes nothing.
      if (!RepairError.is(result) && file === 'session.jsonl') {
        written++
        continue
      }
      expect(RepairError.is(result), faults.log.at(-1)).toBe(true)
      expect(result).toMatchObject({ reason: 'io' })
      const isReplaced = faults.log.slice(0, -1).some((one) => one.startsWith('rename'))
      if (readFileSync(path, 'utf8') === content) {
        if (!isReplaced) expect(readdirSync(dirname(path)), faults.log.at(-1)).toEqual([file])
        continue
      }
      // Durable or not, the new file is whole; the old one stands beside it.
      written++
      expectWhole(path, content, file, isReplaced)
    }
    console.info(`${name}: ${number - 1} faults (${code}), ${written} of them when all was written`)
  })

  it('is whole after a crash at each call of the system, and repaired by the next run', async () => {
    let number = 1
    for (; ; number++) {
      const path = stored(content, file)
      const { files, faults } = faulty(number, 'crash')
      await repair(path, { write: true }, { files }).catch(() => {})
      if (faults.asked < number) break
      const text = readFileSync(path, 'utf8')
      if (file === 'session.jsonl') expect(text.startsWith(content)).toBe(true)
      else expect([content, wholeOf(path)]).toContain(text)
      age(path)
      await repaired(path)
      age(path)
      expect(await repair(path, { write: true })).toMatchObject({ written: false, closed: [] })
    }
    console.info(`${name}: a crash at each of ${number - 1} calls`)
  })
})

/** The text that a finished repair leaves. */
function wholeOf(path: string): string {
  const text = readFileSync(path, 'utf8')
  const messages: unknown = JSON.parse(text)
  return Array.isArray(messages) && messages.length === 3 ? text : ''
}

function expectWhole(path: string, content: string, file: string, isReplaced: boolean): void {
  if (file === 'session.jsonl') {
    expect(orphans(loadPi(readFileSync(path, 'utf8')))).toEqual([])
    return
  }
  expect(isReplaced).toBe(true)
  expect(wholeOf(path)).not.toBe('')
  const backup = readdirSync(dirname(path)).find((name) => name.endsWith('.backup'))
  expect(readFileSync(join(dirname(path), backup!), 'utf8')).toBe(content)
}
