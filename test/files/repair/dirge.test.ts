import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dirgeFile } from '../../read/dirge-file.ts'
import { at, items, type Loaded, repaired, stored, textAt } from './kit.ts'
import { describeReplacing, pretty } from './replacing.ts'

/**
 * As dirge loads a session and converts it: one state of an unknown kind, or without its text, fails the whole file, whichever
 * branch it stands in; each call is sent with its outcome.
 */
function loadDirge(text: string): Loaded {
  const session: unknown = JSON.parse(text)
  const all = [
    ...items(at(session, 'messages')),
    ...items(Object.values((at(session, 'message_store') ?? {}) as object)),
  ]
  for (const message of all) for (const call of items(message.tool_calls)) known(at(call, 'state'))
  const calls = items(at(session, 'messages')).flatMap(({ tool_calls }) =>
    items(tool_calls).map((call) => textAt(call, 'id')),
  )
  return { calls, results: calls }
}

function known(state: unknown): void {
  const kind = at(state, 'kind')
  const isKnown =
    kind === 'interrupted' ||
    (kind === 'completed' && typeof at(state, 'result') === 'string') ||
    (kind === 'failed' && typeof at(state, 'error') === 'string')
  if (!isKnown) throw new Error(`unknown variant of a state: ${JSON.stringify(state)}`)
}

const message = (role: string, id: string, content: string, more: object = {}) => ({
  ...{ role, content, estimated_tokens: 2, id, timestamp: 1_780_000_000, tool_calls: [] },
  ...more,
})
const call = (id: string, state: unknown) => ({ id, name: 'bash', args: { command: id }, state })

const user = message('user', 'u', 'go')
const done = call('A', { kind: 'completed', result: 'out' })
const broken = dirgeFile([
  user,
  message('assistant', 'a', 'Here:', { tool_calls: [done, call('B', { kind: 'running' }), call('C', null)] }),
])

describeReplacing({
  name: 'dirge',
  file: '1b0c.json',
  load: loadDirge,
  broken: { text: pretty(broken), open: ['B', 'C'] },
  clean: pretty(
    dirgeFile([
      user,
      message('assistant', 'a', '', {
        tool_calls: [done, call('B', { kind: 'interrupted' }), call('C', { kind: 'failed', error: 'no' })],
      }),
    ]),
  ),
})

describe('a session of dirge', () => {
  it('D2: from before calls were kept has none, and is left alone', async () => {
    const { tool_calls: _, ...plain } = message('assistant', 'a', 'Here.')
    const text = pretty(dirgeFile([user, plain]))
    const path = stored(text, '1b0c.json')
    expect(await repaired(path)).toMatchObject({ format: 'dirge', written: false, closed: [], replaced: [] })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('D8: keeps each byte but those of the states: permissions, extra entries, labels, and numbers that JavaScript cannot hold', async () => {
    const entry = (id: string, parent: string | null, label: string | null) => [id, { id, parent, timestamp: 1, label }]
    const entries = Object.fromEntries([entry('u', null, 'start'), entry('a', 'u', null)])
    const text = pretty({ ...broken, tree: { entries, leaf_id: 'a' } })
      .replace('"total_cost": 0', '"total_cost": 0.0')
      .replace('"total_tokens": 0', '"total_tokens": 18446744073709551615')
    const path = stored(text, '1b0c.json')
    const { replaced } = await repaired(path)
    expect(replaced.map(({ place }) => place)).toEqual([
      'messages[1].tool_calls[1].state',
      'messages[1].tool_calls[2].state',
    ])
    const wanted = text
      .replace(/\{\s*"kind": "running"\s*\}/, '{"kind":"interrupted"}')
      .replace('"state": null', '"state": {"kind":"interrupted"}')
    expect(readFileSync(path, 'utf8')).toBe(wanted)
  })

  it('is mended on its other branches too, since one state costs the whole file', async () => {
    const store = { a: message('assistant', 'a', '', { tool_calls: [call('B', 'interrupted')] }), constructor: user }
    const path = stored(JSON.stringify(dirgeFile([user], { message_store: store })), '1b0c.json')
    expect((await repaired(path)).replaced.map(({ place }) => place)).toEqual(['message_store.a.tool_calls[0].state'])
    expect(() => loadDirge(readFileSync(path, 'utf8'))).not.toThrow()
  })

  it('keeps what a tool gave, as the text that dirge wants there', async () => {
    const calls = [call('A', { kind: 'completed', result: { rows: [1.0] } }), call('B', { kind: 'failed', error: 7 })]
    const path = stored(
      JSON.stringify(dirgeFile([user, message('assistant', 'a', '', { tool_calls: calls })])),
      '1b0c.json',
    )
    const { closed } = await repaired(path)
    expect(closed).toEqual([])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      messages: [
        {},
        {
          tool_calls: [
            { state: { kind: 'completed', result: '{"rows":[1]}' } },
            { state: { kind: 'failed', error: '7' } },
          ],
        },
      ],
    })
  })

  it('gets a state where there is none', async () => {
    const { state: _, ...bare } = call('B', null)
    const path = stored(
      JSON.stringify(dirgeFile([user, message('assistant', 'a', '', { tool_calls: [bare] })])),
      '1b0c.json',
    )
    expect((await repaired(path)).closed).toEqual([{ id: 'B', name: 'bash' }])
    expect(() => loadDirge(readFileSync(path, 'utf8'))).not.toThrow()
  })
})
