import { appendFileSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { JsonText } from '../../../src/files/repair/json-text.ts'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { growth, LINEAR } from '../../hostile/growth.ts'
import { result as claudeResult, said as claudeSaid, user as claudeUser, use } from '../../read/claude-code-lines.ts'
import { call, header, said, user } from '../../read/pi-lines.ts'
import { age, type Fields, jsonl, parsedLines, repair, repaired, stored } from './kit.ts'
import { loadZutJournal } from './zut-loader.ts'

const asked = (count: number): Fields[] => [
  claudeUser('u1', null, 'list files'),
  ...Array.from({ length: count }, (_, index) =>
    claudeSaid(`a${index}`, index === 0 ? 'u1' : `a${index - 1}`, 'm1', use('toolu_A')),
  ),
]

const item = (payload: object): Fields => ({ timestamp: '2026-06-17T22:16:17.978Z', type: 'response_item', payload })
const codexCall = item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'call_1' })
const prompt = item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'list' }] })
const codexMeta: Fields = {
  timestamp: '2026-06-17T22:16:17.978Z',
  type: 'session_meta',
  payload: { id: '0190', timestamp: '2026-06-17T22:16:17.978Z', cwd: '/w', model_provider: 'openai' },
}

const TIME = '2026-08-01T10:00:00Z'
const event = (type: string, fields: Fields = {}): Fields => ({ version: 1, type, time: TIME, ...fields })
const zutCall = (id: string): Fields => ({ id, name: 'bash', arguments: { command: id } })
const answer = (...ids: readonly string[]): Fields =>
  event('message.assistant', { message: { role: 'assistant', content: ids.map(zutCall), time: TIME } })
const zutCalled = (id: string): Fields => event('tool.call', { tool_id: id, tool_name: 'bash', tool_args: {} })
const zutGave = (id: string, text: string, IsError = false): Fields =>
  event('tool.result', {
    tool_id: id,
    tool_result: { Content: [{ text }], IsError, ActivateTools: null, Details: null, Timing: null },
  })
const child = [
  event('child.accepted', {
    spec: { id: 'c', session_id: 's', initial_turn_id: 't1', provider: 'anthropic', model: 'm' },
    prompt: 'go',
  }),
  event('turn.started', { turn_id: 't1' }),
  event('message.user', { message: { role: 'user', content: [{ text: 'go' }], time: TIME } }),
]

/** Repairs twice: what the first repair appends is all, and the second does nothing. */
async function appendedOnce(records: readonly Fields[]): Promise<readonly Fields[]> {
  const path = stored(jsonl(records))
  const { appended } = await repaired(path)
  const text = readFileSync(path, 'utf8')
  expect(text.startsWith(jsonl(records))).toBe(true)
  expect(await repaired(path)).toMatchObject({ written: false, closed: [], appended: [] })
  expect(readFileSync(path, 'utf8')).toBe(text)
  return parsedLines(appended.join('\n'))
}

describe('calls that share one id', () => {
  it('of tools that look for a result by its id get one, and none where there is one', async () => {
    expect(await appendedOnce(asked(3))).toHaveLength(1)
    expect(await appendedOnce([codexMeta, prompt, codexCall, prompt, codexCall, codexCall])).toHaveLength(1)
    expect(await appendedOnce([...asked(2), claudeResult('r1', 'a1', 'toolu_A', 'out')])).toEqual([])
    const output = item({ type: 'function_call_output', call_id: 'call_1', output: 'x' })
    expect(await appendedOnce([codexMeta, prompt, codexCall, codexCall, output])).toEqual([])
  })

  it('get no second result in a journal of zut, which would not load it', async () => {
    const both = [...child, answer('A', 'A'), zutCalled('A')]
    expect((await appendedOnce(both)).map(({ type }) => type)).toEqual(['tool.result', 'child.interrupted'])
    const answered = [...both, zutGave('A', 'out')]
    const added = await appendedOnce(answered)
    expect(added.map(({ type }) => type)).toEqual(['child.interrupted'])
    expect(() => loadZutJournal(jsonl([...answered, ...added]))).not.toThrow()
  })

  it('of one answer of pi get one', async () => {
    const records = [header(), user('a', null, 'list'), said('b', 'a', [call('A'), call('A'), call('B')])]
    const added = await appendedOnce(records)
    expect(added.map(({ message }) => (message as Fields).toolCallId)).toEqual(['A', 'B'])
  })
})

describe('the end of a file', () => {
  it.each([
    ['a no-break space', '\u00a0'],
    ['a byte order mark', '\ufeff'],
    ['a vertical tab', '\v'],
    ['a line separator', '\u2028'],
    ['zeros of a crashed disk', '\0\0\0'],
  ])('is torn by %s, to which no record is glued', async (_name, tail) => {
    const text = jsonl(asked(1)) + tail
    const path = stored(text)
    const { appended } = await repaired(path)
    expect(readFileSync(path, 'utf8')).toBe(`${text}\n${appended.map((line) => `${line}\n`).join('')}`)
    expect(appended).toHaveLength(1)
    expect(await repaired(path)).toMatchObject({ written: false })
  })

  it('may be blank as JSON knows it', async () => {
    const path = stored(`${jsonl(asked(1))} \t\r`)
    const { appended, changes } = await repaired(path)
    expect(appended).toHaveLength(1)
    expect(changes.map(({ code }) => code)).toEqual(['call-closed'])
    expect(parsedLines(readFileSync(path, 'utf8'))).toHaveLength(3)
  })
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('values that are nested beyond all use', () => {
  it('are not taken over into closers of Claude Code', async () => {
    const text = jsonl(asked(1)).replaceAll('"cwd":"/w"', `"cwd":${nested(20_000)}`)
    const path = stored(text)
    const { appended } = await repaired(path)
    expect(appended).toHaveLength(1)
    expect(appended[0]).not.toContain('"cwd"')
    expect(appended[0]).toContain('"gitBranch":"main"')
    expect(readFileSync(path, 'utf8').startsWith(text)).toBe(true)
  })

  it('stay in a file of Cline', async () => {
    let block = '{"type":"text","text":"deep"}'
    for (let depth = 0; depth < 50_000; depth++) block = `{"type":"tool_result","tool_use_id":"q","content":[${block}]}`
    const first = '{"role":"user","content":[{"type":"text","text":"<environment_details>"}]}'
    const use =
      '{"role":"assistant","content":[{"type":"tool_use","id":"A","name":"a","input":{}}],"modelInfo":{"modelId":"m"}}'
    const start = `[${first},{"role":"user","content":[{"type":"text","text":"x"}],"kept":${block}},${use}`
    const path = stored(`${start}]`, 'api_conversation_history.json')
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['A'])
    expect(readFileSync(path, 'utf8').startsWith(start)).toBe(true)
    const inContent = stored(
      `[${first},{"role":"user","content":[{"type":"text","text":"x"},${block}]},${use}]`,
      'a.json',
    )
    expect((await repaired(inContent)).closed.map(({ id }) => id)).toEqual(['A'])
  })
})

describe('very many calls', () => {
  const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `c${index}`)

  it('in messages of their own of a journal of zut take no longer each than few do', async () => {
    const closes = async (count: number): Promise<void> => {
      const path = stored(jsonl([...child, ...ids(count).map((id) => answer(id))]))
      expect((await repair(path)).closed).toHaveLength(count)
    }
    expect(await growth(2048, closes)).toBeLessThan(LINEAR)
  }, 60_000)

  it('that were made up and undone at once in a journal of zut', async () => {
    const replaces = async (count: number): Promise<void> => {
      const calls = ids(count)
      const made = calls.map((id) => zutGave(id, 'tool interrupted by resident host restart', true))
      const real = calls.map((id) => zutGave(id, 'out'))
      const path = stored(jsonl([...child, answer(...calls), ...calls.map(zutCalled), ...made, ...real]))
      expect((await repair(path)).replaced).toHaveLength(count)
    }
    expect(await growth(2048, replaces)).toBeLessThan(LINEAR)
  }, 60_000)

  it('in one JSON text are found at once', async () => {
    const sets = (count: number): void => {
      const text = new JsonText(JSON.stringify({ messages: Array.from({ length: count }, () => ({ state: 1 })) }))
      for (let index = 0; index < count; index++) text.set(['messages', index], 'state', '2')
      const [first] = JSON.parse(text.edited()).messages
      expect(first).toEqual({ state: 2 })
    }
    expect(await growth(65_536, sets)).toBeLessThan(LINEAR)
  }, 60_000)
})

describe('another process that writes in the moment of the repair', () => {
  const more = `${JSON.stringify(claudeUser('u2', 'a0', 'hello?'))}\n`
  const meanwhile = (path: string): RepairFiles => {
    let isDone = false
    return {
      ...NODE_FILES,
      async open(...values) {
        const file = await NODE_FILES.open(...values)
        const sync = file.sync.bind(file)
        file.sync = async () => {
          if (!isDone) appendFileSync(path, more)
          isDone = true
          await sync()
        }
        return file
      },
    }
  }

  it('is told, with what was appended all the same; when forced the repair counts as written', async () => {
    const text = jsonl(asked(1))
    const path = stored(text)
    const refused = repair(path, { write: true }, { files: meanwhile(path) })
    await expect(refused).rejects.toMatchObject({
      reason: 'changed',
      message: expect.stringContaining('were appended'),
    })
    const forced = stored(text)
    const told = await repair(forced, { write: true, force: true }, { files: meanwhile(forced) })
    expect(told).toMatchObject({ written: true, closed: [{ id: 'toolu_A' }] })
    expect(readFileSync(forced, 'utf8')).toBe(`${text}${told.appended[0]}\n${more}`)
    age(forced)
  })
})
