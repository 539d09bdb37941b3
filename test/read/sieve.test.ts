import { describe, expect, it } from 'vitest'
import { readers } from '../../src/read/index.ts'
import { readSource } from '../../src/read/lines.ts'
import type { Reader } from '../../src/read/reader.ts'
import { sharedFiles } from '../oracle/shared.ts'
import { link, said, user } from './claude-code-lines.ts'

const jsonLines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n')

const OWN: { readonly [format: string]: string } = {
  'claude-code': jsonLines([
    { type: 'file-history-snapshot', messageId: 'a', snapshot: { big: 'x'.repeat(100) } },
    user('a', null, 'Hello'),
    said('b', 'a', 'msg_1', { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }),
    link('progress', 'c', 'b', { data: { output: 'y'.repeat(100) } }),
    user('d', 'c', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'out' }], {
      toolUseResult: { stdout: 'out' },
    }),
    { type: 'ai-title', aiTitle: 'A title' },
    { type: 'never heard of', uuid: 'e' },
    { type: '__proto__' },
  ]),
  codex: jsonLines([
    { timestamp: 't', type: 'session_meta', payload: { id: 'S', cwd: '/w' } },
    { timestamp: 't', type: 'turn_context', payload: { model: 'gpt-5' } },
    { timestamp: 't', type: 'event_msg', payload: { type: 'exec_command_output_delta', chunk: 'x'.repeat(100) } },
    { timestamp: 't', type: 'event_msg', payload: { type: 'constructor' } },
    { timestamp: 't', type: 'event_msg', payload: 'broken' },
    { timestamp: 't', type: 'world_state', payload: { all: 'y'.repeat(100) } },
    { timestamp: 't', type: 'response_item', payload: { type: 'message', role: 'user', content: [] } },
    {
      timestamp: 't',
      type: 'event_msg',
      payload: { type: 'token_count', info: { last_token_usage: { input_tokens: 3 } } },
    },
    { timestamp: 't', type: 'constructor', payload: {} },
  ]),
}

const sieved = readers.filter(
  (reader): reader is Reader & Required<Pick<Reader, 'sieve'>> => reader.sieve !== undefined,
)

describe.each(sieved)('what $format holds of large files', (reader) => {
  const { sieve } = reader
  const texts = [OWN[reader.format]!, ...sharedFiles(`sessions/${reader.format}`).map(({ text }) => text)]

  it('is all that it reads', () => {
    let before = 0
    let after = 0
    for (const text of texts) {
      const source = readSource(text)
      if (source.records === undefined) continue
      const records = source.records.map(({ line, value }) => ({ line, value: sieve(value) }))
      for (const history of ['active', 'full'] as const) {
        expect(reader.read({ ...source, records }, { history })).toEqual(reader.read(source, { history }))
      }
      before += JSON.stringify(source.records).length
      after += JSON.stringify(records).length
    }
    expect(after).toBeLessThan(before)
    console.log(`${reader.format}: ${texts.length} files, ${Math.round((100 * after) / before)} % are held`)
  })

  it('takes anything', () => {
    for (const value of [null, 1, 'x', [], {}, { type: 1 }, { type: 'progress' }, { payload: {} }])
      expect(() => sieve(value)).not.toThrow()
  })
})
