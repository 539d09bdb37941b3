import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { repairSessionFile } from '../../src/files/index.ts'
import { fromAnthropic, openThread, readSession, toAnthropic, toOpenAIChat } from '../../src/index.ts'
import { memoryStore, openJournal } from '../../src/journal/index.ts'
import { mockProviders } from '../../src/mock/index.ts'

const { session } = readSession([{ role: 'user', content: 'hi' }])

describe('tools in the form of an API', () => {
  it.each([
    { name: 'a', description: 'd', input_schema: { type: 'object' } },
    { name: 'web_search', type: 'web_search_20250305' },
    { name: 'a', inputSchema: { type: 'object' } },
    { type: 'function', function: { name: 'a' } },
  ])('are refused, since their schema would be lost: %j', (tool) => {
    expect(() => toAnthropic(session, { tools: [tool as never] })).toThrow(/^The option tools .* `parameters`/)
  })

  it('are taken where nothing is lost', () => {
    const parameters = { type: 'object', properties: { a: {} } }
    const tools = [{ name: 'a', parameters }, { name: 'b' }, { type: 'function', name: 'c', parameters }]
    expect(toAnthropic(session, { tools: tools as never }).request.tools).toHaveLength(3)
  })
})

describe('a misspelt option', () => {
  it.each([
    ['modle', 'model', () => toAnthropic(session, { modle: 'm' } as object)],
    ['Model', 'model', () => toAnthropic(session, { Model: 'm' } as object)],
    ['on_loss', 'onLoss', () => toOpenAIChat(session, { on_loss: 'throw' } as object)],
    ['tool', 'tools', () => openThread('openai-chat', { tool: [] } as object)],
    ['nextt', 'next', () => openThread('openai-chat').request({ nextt: 'x' } as object)],
    ['formt', 'format', () => readSession('[]', { formt: 'entries' } as object)],
    ['platfrom', 'platform', () => check('anthropic', {}, { platfrom: 'bedrock' } as object)],
    ['baseURLs', 'baseUrls', () => mockProviders({ baseURLs: {} } as object)],
  ])('%s is refused, and %s offered', (given, meant, run) => {
    expect(run).toThrow(new TypeError(`There is no option ${given}; ${meant} may be meant.`))
  })

  it('is refused before a file is touched', async () => {
    await expect(repairSessionFile('none.jsonl', { wirte: true } as object)).rejects.toThrow(/option wirte; write/)
    await expect(repairSessionFile('none.jsonl', { write: 'yes' as never })).rejects.toThrow(/write must be true or/)
  })

  it('is not what other options are, to any call: they may be those of a request that is sent next', async () => {
    const shared = { max_tokens: 4096, temperature: 1, system: 'Be brief.', stream: true, lasdjf: null } as object
    expect(() => toAnthropic(session, shared)).not.toThrow()
    expect(() => openThread('openai-responses', shared).request(shared)).not.toThrow()
    expect(() => readSession('[{"role":"user","content":"hi"}]', shared)).not.toThrow()
    expect(() => fromAnthropic({ role: 'assistant', content: 'x' }, shared)).not.toThrow()
    expect(() => check('anthropic', {}, shared)).not.toThrow()
    expect(() => mockProviders(shared)).not.toThrow()
    await (await openJournal(memoryStore(), shared)).close()
    await expect(repairSessionFile('none.jsonl', shared)).rejects.toThrow(/none\.jsonl|ENOENT|no such file/)
  })

  it('is not what other options are: one object may serve several calls', () => {
    const shared = { model: 'gpt-5', start: session, store: true, thinking: true, format: 'entries', temperature: 1 }
    const { request } = toOpenAIChat(session, shared as object)
    expect(request.messages).toHaveLength(1)
    for (const name of ['__proto__', 'constructor', 'toString', '', 'x'.repeat(100_000)])
      expect(() => toOpenAIChat(session, JSON.parse(JSON.stringify({ [name]: 1 })) as object)).not.toThrow()
    expect(() => toOpenAIChat(session, { modle: undefined } as object)).not.toThrow()
  })
})
