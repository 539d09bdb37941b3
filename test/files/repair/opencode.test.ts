import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ALL, answered, asked, done, exported, START, text, tool } from '../../read/opencode-samples.ts'
import { at, items, type Loaded, NOW, repaired, stored, textAt } from './kit.ts'
import { describeReplacing, describeSharedValues, pretty } from './replacing.ts'

/**
 * What opencode holds for a call that is over. A call that waits or runs is none; opencode sends its own text for it, and
 * its second version nothing.
 */
function loadOpencode(value: string): Loaded {
  const root: unknown = JSON.parse(value)
  const list = Array.isArray(root) ? items(root) : items(at(root, 'messages'))
  const parts = list.flatMap((message) => [
    ...items(message.parts),
    ...items(message.content),
    ...items([message.data]),
  ])
  const tools = parts.filter(({ type }) => type === 'tool')
  const idOf = (part: unknown): string => textAt(part, 'callID') || textAt(part, 'id')
  return {
    calls: tools.map(idOf),
    results: tools.filter((part) => ['completed', 'error'].includes(textAt(part, 'state', 'status'))).map(idOf),
  }
}

const running = tool('call_2', { status: 'running', title: 'x', metadata: { output: 'half' }, time: { start: 7 } })
const pending = tool('call_3', { status: 'pending', input: {}, raw: '', time: undefined })
const broken = exported([
  asked('msg_a', 1, text('go')),
  answered('msg_b', 2, {}, START, done('call_1', 'one'), running, pending),
])

describeReplacing({
  name: 'opencode',
  file: 'export.json',
  load: loadOpencode,
  broken: { text: pretty(broken), open: ['call_2', 'call_3'] },
  clean: pretty(exported([asked('msg_a', 1, text('go')), answered('msg_b', 2, {}, START, done('call_1', 'one'))])),
})

const partsOf = (path: string): readonly unknown[] =>
  items(at(items(at(JSON.parse(readFileSync(path, 'utf8')), 'messages'))[1], 'parts')).map(({ state }) => state)

describe('a call of opencode without an outcome', () => {
  it('P1: failed in the shape of opencode, with what it had printed, and the rest as it was', async () => {
    const path = stored(pretty(broken), 'export.json')
    const { closed, replaced } = await repaired(path)
    expect(closed).toEqual([
      { id: 'call_2', name: 'bash' },
      { id: 'call_3', name: 'bash', dispatched: false },
    ])
    expect(replaced.map(({ place }) => place)).toEqual(['messages[1].parts[2].state', 'messages[1].parts[3].state'])
    const [, first, second, third] = partsOf(path)
    expect(first).toEqual(at(items(at(items(at(broken, 'messages'))[1], 'parts'))[1], 'state'))
    expect(second).toMatchObject({
      status: 'error',
      input: { command: 'call_2' },
      metadata: { output: 'half' },
      time: { start: 7, end: NOW.getTime() },
    })
    expect(textAt(second, 'error')).toMatch(/outcome is unknown[\s\S]*Output before the interruption:\nhalf$/)
    expect(third).toMatchObject({ status: 'error', input: {}, time: { start: NOW.getTime(), end: NOW.getTime() } })
    expect(textAt(third, 'error')).toMatch(/interrupted before it started; it was not run/)
    expect(Object.keys(third as object)).toEqual(['status', 'input', 'error', 'time'])
  })

  it('is not marked in the way for which opencode would send what was printed as the whole result', async () => {
    const marked = tool('call_2', { status: 'running', metadata: { interrupted: true, output: 'half', exit: 1 } })
    const path = stored(
      pretty(exported([asked('msg_a', 1, text('go')), answered('msg_b', 2, {}, marked)])),
      'export.json',
    )
    await repaired(path)
    expect(at(partsOf(path)[0], 'metadata')).toEqual({ output: 'half', exit: 1 })
  })

  it('is found in every kind of file', async () => {
    const flat = {
      info: { id: 'ses_one' },
      messages: [
        { type: 'user', id: 'msg_1', text: 'go', time: { created: 1 } },
        {
          ...{ type: 'assistant', id: 'msg_2', time: { created: 2 }, model: { id: 'm', providerID: 'p' } },
          content: [
            { type: 'tool', id: 'call_1', name: 'bash', state: { status: 'streaming', input: '{"command":"ec' } },
            {
              type: 'tool',
              id: 'call_2',
              name: 'bash',
              state: { status: 'running', input: { command: 'ls' }, metadata: {} },
            },
            { type: 'tool', id: 'call_3', name: 'bash', state: { status: 'pending', input: '{"a":1.0}' } },
          ],
        },
      ],
    }
    const path = stored(JSON.stringify(flat), 'export.json')
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3'])
    const content = items(at(items(at(JSON.parse(readFileSync(path, 'utf8')), 'messages'))[1], 'content'))
    expect(content.map((part) => at(part, 'state'))).toMatchObject([
      { status: 'error', input: {}, error: { type: 'unknown', message: expect.stringMatching(/not run/) } },
      {
        status: 'error',
        input: { command: 'ls' },
        error: { message: expect.stringMatching(/outcome is unknown/) },
        metadata: {},
      },
      { status: 'error', input: { a: 1 } },
    ])
    const list = stored(JSON.stringify(at(broken, 'messages')), 'list.json')
    expect((await repaired(list)).closed.map(({ id }) => id)).toEqual(['call_2', 'call_3'])
    const message = items(at(broken, 'messages'))[1]
    const shared = [
      { type: 'session', data: at(broken, 'info') },
      { type: 'message', data: at(message, 'info') },
      ...items(at(message, 'parts')).map((data) => ({ type: 'part', data })),
    ]
    const share = stored(JSON.stringify(shared), 'share.json')
    expect((await repaired(share)).closed.map(({ id }) => id)).toEqual(['call_2', 'call_3'])
  })

  it('stands among parts of every other kind, which stay', async () => {
    const path = stored(pretty(ALL), 'export.json')
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['call_6', 'call_7'])
  })

  it('is left to opencode in the form of its first generation, which later versions load as an open call', async () => {
    const invocation = { state: 'call', toolCallId: 'call_1', toolName: 'bash', args: { command: 'ls' } }
    const value = [
      { id: 'msg_1', role: 'user', parts: [text('go')], metadata: { time: { created: 1 }, tool: {} } },
      {
        ...{ id: 'msg_2', role: 'assistant', metadata: { time: { created: 2 }, tool: {} } },
        parts: [{ type: 'tool-invocation', toolInvocation: invocation }],
      },
    ]
    const path = stored(JSON.stringify(value), 'list.json')
    expect(await repaired(path)).toMatchObject({
      written: false,
      closed: [],
      leftToTool: [{ id: 'call_1', name: 'bash' }],
    })
  })

  it('outlives hostile parts', async () => {
    const odd = [
      null,
      7,
      { type: 'tool' },
      { type: 'tool', tool: 'x', callID: 7, state: 'constructor' },
      { type: '__proto__' },
    ]
    const path = stored(
      JSON.stringify({ ...broken, messages: [...items(at(broken, 'messages')), { parts: odd }, null] }),
      'export.json',
    )
    await repaired(path)
    expect(await repaired(path)).toMatchObject({ written: false })
  })
})

describeSharedValues('opencode', loadOpencode, (name) => /^[^/]+\.json$/.test(name))
