import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadCodex } from './codex-loader.ts'
import { describeAppending, describeShared, type Fields, jsonl, NOW, orphans, repair, repaired, stored } from './kit.ts'

const record = (type: string, payload: object): Fields => ({ timestamp: '2026-06-17T22:16:17.978Z', type, payload })
const item = (payload: object): Fields => record('response_item', payload)
const prompt = (text: string): Fields =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const call = (id: string, more: object = {}): Fields =>
  item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: id, ...more })
const output = (id: string): Fields => item({ type: 'function_call_output', call_id: id, output: 'x' })
const meta = record('session_meta', {
  id: '0190',
  timestamp: '2026-06-17T22:16:17.978Z',
  cwd: '/w',
  model_provider: 'openai',
})

const killed = [meta, prompt('list'), call('call_1'), call('call_2'), call('call_3'), output('call_2')]

describeAppending({
  name: 'Codex',
  load: loadCodex,
  killed: { text: jsonl(killed), open: ['call_1', 'call_3'] },
  clean: jsonl([meta, prompt('list'), call('call_1'), output('call_1')]),
})

const values = (lines: readonly string[]): Fields[] => lines.map((line) => JSON.parse(line) as Fields)

describe('closers of Codex', () => {
  it('are outputs of the kind of their call', async () => {
    const kinds = [
      call('call_f'),
      item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin',
        call_id: 'call_c',
        status: 'completed',
      }),
      item({
        type: 'local_shell_call',
        call_id: 'call_s',
        status: 'in_progress',
        action: { type: 'exec', command: ['ls'] },
      }),
      item({ type: 'tool_search_call', call_id: 'call_t', execution: 'client', status: 'completed', arguments: {} }),
    ]
    const path = stored(jsonl([meta, prompt('go'), ...kinds]))
    const { appended } = await repaired(path)
    expect(values(appended)).toMatchObject([
      {
        timestamp: NOW.toISOString(),
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: 'call_f' },
      },
      { payload: { type: 'custom_tool_call_output', call_id: 'call_c' } },
      { payload: { type: 'function_call_output', call_id: 'call_s' } },
      {
        payload: { type: 'tool_search_output', call_id: 'call_t', status: 'completed', execution: 'client', tools: [] },
      },
    ])
    expect(JSON.stringify(appended[0])).toContain('its outcome is unknown')
    expect(orphans(loadCodex(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('stand bare in a bare rollout, and go on counting in a numbered one', async () => {
    const bare = [
      { id: '0190', timestamp: '2025-09-01T10:00:00Z', instructions: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_1' },
    ]
    expect(values((await repaired(stored(jsonl(bare)))).appended)).toMatchObject([
      { type: 'function_call_output', call_id: 'call_1' },
    ])
    const numbered = [meta, prompt('go'), call('call_1'), call('call_2')].map((one, ordinal) => ({ ...one, ordinal }))
    const { appended } = await repaired(stored(jsonl(numbered)))
    expect(values(appended).map(({ ordinal }) => ordinal)).toEqual([4, 5])
  })

  it('are written for what a compaction kept, and not for what was rolled back or compacted away', async () => {
    const kept = { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_kept' }
    const path = stored(
      jsonl([
        meta,
        prompt('one'),
        call('call_gone'),
        record('compacted', {
          message: '',
          replacement_history: [{ type: 'message', role: 'user', content: [] }, kept],
        }),
        prompt('two'),
        call('call_undone'),
        record('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      ]),
    )
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['call_kept'])
    expect(orphans(loadCodex(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('are not appended to what is no JSON lines', async () => {
    const legacy = {
      session: { id: '1', timestamp: 't', instructions: '' },
      items: [{ type: 'message', role: 'user' }],
    }
    await expect(repair(stored(JSON.stringify(legacy)))).rejects.toMatchObject({ reason: 'unsupported' })
    await expect(repair(stored(JSON.stringify(legacy, null, 2)))).rejects.toMatchObject({ reason: 'unsupported' })
  })
})

describeShared('codex', loadCodex, ['legacy-ts-cli.json', 'main-019ede24.jsonl'])
