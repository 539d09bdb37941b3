import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { at, type Fields, items, type Loaded, NOW, orphans, repair, repaired, stored, textAt } from './kit.ts'
import { describeReplacing, describeSharedValues } from './replacing.ts'

const messagesOf = (text: string): readonly Fields[] => {
  const value: unknown = JSON.parse(text)
  return items(Array.isArray(value) ? value : at(value, 'messages'))
}

const idsOf = (message: unknown, type: string, key: string): string[] =>
  items(at(message, 'content'))
    .filter((block) => block.type === type)
    .map((block) => textAt(block, key))

/** Cline sends its messages as they are: a result counts in the message right behind the call, and nowhere else. */
function loadCline(text: string): Loaded {
  const messages = messagesOf(text)
  const calls: string[] = []
  const results: string[] = []
  for (const [index, message] of messages.entries()) {
    const uses = message.role === 'assistant' ? idsOf(message, 'tool_use', 'id') : []
    const before = messages[index - 1]
    const asked = before?.role === 'assistant' ? idsOf(before, 'tool_use', 'id') : []
    calls.push(...uses)
    for (const id of idsOf(message, 'tool_result', 'tool_use_id'))
      results.push(asked.includes(id) ? id : `misplaced ${id}`)
  }
  return { calls, results }
}

const INFO = { modelInfo: { providerId: 'anthropic', modelId: 'claude-sonnet-4-5', mode: 'act' } }
const text = (value: string): Fields => ({ type: 'text', text: value })
const use = (id: string, name = 'read_file'): Fields => ({ type: 'tool_use', id, name, input: { path: 'a' } })
const gave = (id: string, content: unknown = 'out'): Fields => ({ type: 'tool_result', tool_use_id: id, content })
const user = (...content: readonly Fields[]): Fields => ({ role: 'user', content })
const said = (...content: readonly Fields[]): Fields => ({ role: 'assistant', content, ...INFO })
const task = user(text('<task>\nfix it\n</task>'), text('<environment_details>\nx\n</environment_details>'))

const killed = [
  task,
  said(text('I read.'), use('toolu_1')),
  user(gave('toolu_1')),
  said(use('toolu_2'), use('toolu_3')),
]

describeReplacing({
  name: 'Cline',
  file: 'api_conversation_history.json',
  load: loadCline,
  broken: { text: JSON.stringify(killed), open: ['toolu_2', 'toolu_3'] },
  clean: JSON.stringify(killed.slice(0, 3)),
})

const storedAt = (path: string): readonly Fields[] => messagesOf(readFileSync(path, 'utf8'))
const contentOf = (path: string, index: number): readonly Fields[] => items(storedAt(path)[index]?.content)

describe('a history of Cline', () => {
  it('gets a message of results behind an answer that none follows, and keeps all else byte for byte', async () => {
    const before = JSON.stringify(killed).replace('"path":"a"', '"path" : "a", "n":1.0')
    const path = stored(before, 'api_conversation_history.json')
    const { replaced } = await repaired(path)
    expect(replaced.map(({ place }) => place)).toEqual(['behind [3]'])
    expect(readFileSync(path, 'utf8').startsWith(before.slice(0, -1))).toBe(true)
    expect(storedAt(path).at(-1)).toMatchObject({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          is_error: true,
          content: expect.stringContaining('outcome is unknown'),
        },
        { type: 'tool_result', tool_use_id: 'toolu_3', is_error: true },
      ],
    })
    expect(storedAt(path).at(-1)).not.toHaveProperty('ts')
  })

  it('gets the results of an earlier answer in front of what the user said then', async () => {
    const path = stored(
      JSON.stringify([...killed, user(text('[TASK RESUMPTION] go on'))]),
      'api_conversation_history.json',
    )
    await repaired(path)
    expect(contentOf(path, 4).map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text'])
    const plain = stored(
      JSON.stringify([...killed, { role: 'user', content: 'go "on"' }]),
      'api_conversation_history.json',
    )
    await repaired(plain)
    expect(contentOf(plain, 4)[2]).toEqual(text('go "on"'))
    expect(orphans(loadCline(readFileSync(plain, 'utf8')))).toEqual([])
  })

  it('has its results as results where they were told as text', async () => {
    const told = text("[read_file for 'b.ts'] Result:\nexport const b = 1")
    const notRun = text('Tool [write_to_file] was not executed because a tool has already been used in this message.')
    const path = stored(
      JSON.stringify([
        task,
        said(use('toolu_1'), use('toolu_2', 'write_to_file')),
        user(told, notRun, text('<environment_details>')),
      ]),
      'api_conversation_history.json',
    )
    const { closed, before, after: then } = await repaired(path)
    expect(closed).toEqual([])
    expect(before?.violations[0]?.rule).toBe('anthropic/tool-result-missing')
    expect(then?.violations).toEqual([])
    expect(contentOf(path, 2)).toEqual([
      gave('toolu_1', [told]),
      gave('toolu_2', [notRun]),
      text('<environment_details>'),
    ])
  })

  it('has a result where the API looks for it, when it was stored later', async () => {
    const path = stored(
      JSON.stringify([
        task,
        said(use('toolu_1')),
        user(text('wait')),
        said(text('ok')),
        user(gave('toolu_1'), text('here')),
      ]),
      'api_conversation_history.json',
    )
    const { closed, changes } = await repaired(path)
    expect(closed).toEqual([])
    expect(changes.map(({ code }) => code)).toEqual(['result-moved'])
    expect(contentOf(path, 2)).toEqual([gave('toolu_1'), text('wait')])
    expect(contentOf(path, 4)).toEqual([text('here')])
  })

  it('loses results without a call, and further ones, and says so', async () => {
    const path = stored(
      JSON.stringify([
        user(gave('toolu_0'), text('task')),
        said(use('toolu_1')),
        user(gave('toolu_1'), gave('toolu_1', 'again')),
        said(text('ok')),
        user(gave('toolu_9')),
      ]),
      'api_conversation_history.json',
    )
    const { changes, after: then } = await repair(path, { write: true, format: 'cline' })
    expect(changes.map(({ code, at: place }) => [code, place.callId])).toEqual([
      ['orphan-result', 'toolu_0'],
      ['duplicate-result', 'toolu_1'],
      ['orphan-result', 'toolu_9'],
    ])
    expect(orphans(loadCline(readFileSync(path, 'utf8')))).toEqual([])
    expect(then?.violations).toEqual([])
  })

  it('may be one of the newer store, with times on its messages', async () => {
    const timed = killed.map((message) => ({ ...message, ts: 1_700_000_000_000 }))
    const store = { version: 1, updated_at: 't', agent: 'lead', sessionId: 's', origin: {}, messages: timed }
    const path = stored(JSON.stringify(store, null, 2), 's.messages.json')
    expect((await repaired(path)).replaced.map(({ place }) => place)).toEqual(['behind messages[3]'])
    expect(storedAt(path).at(-1)).toMatchObject({ role: 'user', ts: NOW.getTime() })
    expect(orphans(loadCline(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('is not what the screen showed', async () => {
    const shown = [
      { ts: 1, type: 'say', say: 'task', text: 'x' },
      { ts: 2, type: 'ask', ask: 'resume_task', modelInfo: {} },
    ]
    await expect(repair(stored(JSON.stringify(shown), 'ui_messages.json'))).rejects.toMatchObject({
      reason: 'unsupported',
    })
  })

  it('outlives hostile messages', async () => {
    const odd = [
      null,
      7,
      { role: '__proto__' },
      { role: 'user', content: [null, { type: 'tool_result' }, { type: 'tool_result', tool_use_id: 'constructor' }] },
    ]
    const path = stored(JSON.stringify([...killed, ...odd]), 'api_conversation_history.json')
    await repaired(path)
    expect(await repaired(path)).toMatchObject({ written: false })
  })
})

describeSharedValues('cline', loadCline, (name) => name.endsWith('api_conversation_history.json'))
