import { describe, expect, it } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import type { CheckOptions } from '../../../src/check/rule.ts'
import { audio, call, calls, chat, file, image, type Part, PDF, result, text, user } from './bodies.ts'

const rules = (body: Part, options: CheckOptions = {}): readonly string[] =>
  checkOpenAIChat(body, options).map((violation) => violation.rule.replace('openai-chat/', ''))

const strict: CheckOptions = { level: 'strict' }
const instructed = (role: string): Part => chat({ role, content: 's' }, user())
const toolImage = chat(user(), calls(call()), result('call_A', [image()]))

describe('models', () => {
  it('refuses both instruction roles for o1-mini and o1-preview, by name', () => {
    for (const model of ['o1-mini', 'o1-preview', 'o1-preview-2024-09-12']) {
      for (const role of ['system', 'developer']) {
        expect(rules({ ...instructed(role), model })).toEqual(['role-unsupported-by-model'])
      }
    }
  })

  it('takes both instruction roles for every other model, known or not, at any level', () => {
    for (const model of [
      'o1',
      'o3-mini',
      'o4-mini',
      'gpt-4o',
      'gpt-4',
      'gpt-5',
      'gpt-5.6',
      'gpt-6.2',
      'o1-minimal',
      'x',
      undefined,
    ]) {
      for (const role of ['system', 'developer']) {
        expect(rules({ ...instructed(role), model })).toEqual([])
        expect(rules({ ...instructed(role), model }, strict)).toEqual([])
      }
    }
  })

  it('does not take a longer name for a shorter one', () => {
    expect(rules({ ...chat(user([image()])), model: 'gpt-4' })).toEqual(['image-model-unsupported'])
    for (const model of ['gpt-4o', 'gpt-4.1-mini', 'gpt-4-turbo', 'ft:gpt-4o-mini-2024-07-18:org::id', 'gpt-45']) {
      expect(rules({ ...chat(user([image()])), model })).toEqual([])
    }
    expect(rules({ ...chat(user([image()])), model: 'ft:gpt-3.5-turbo:org::id' })).toEqual(['image-model-unsupported'])
  })

  it('takes audio and images of tools for an unknown model at live, and neither at strict', () => {
    expect(rules(chat(user([audio])))).toEqual([])
    expect(rules(chat(user([audio])), strict)).toEqual(['content-part-not-allowed-for-model'])
    expect(rules(toolImage)).toEqual([])
    expect(rules(toolImage, strict)).toEqual(['image-role'])
  })

  it('refuses images of tools at strict even where the model lets them pass', () => {
    expect(rules({ ...toolImage, model: 'gpt-5' })).toEqual([])
    expect(rules({ ...toolImage, model: 'gpt-5' }, strict)).toEqual(['image-role'])
  })

  it('refuses a temperature with reasoning where the model takes one without', () => {
    const body = { ...chat(user()), model: 'gpt-5.2', temperature: 0.2 }
    expect(rules(body)).toEqual([])
    expect(rules({ ...body, reasoning_effort: 'none' })).toEqual([])
    expect(rules({ ...body, reasoning_effort: 'high' })).toEqual(['temperature-unsupported'])
  })
})

describe('levels', () => {
  it('refuses a name by the older pattern alone at strict only', () => {
    const body = chat({ ...user(), name: 'jo.doe' })
    expect(rules(body)).toEqual([])
    expect(rules(body, strict)).toEqual(['name-pattern'])
  })

  it('takes a refusal beside other parts at live only', () => {
    const body = chat(user(), { role: 'assistant', content: [text(), { type: 'refusal', refusal: 'No.' }] })
    expect(rules(body)).toEqual([])
    expect(rules(body, strict)).toEqual(['assistant-content-parts'])
  })
})

describe('platforms', () => {
  const azure: CheckOptions = { level: 'strict', platform: 'azure' }
  const pdf = chat(user([file({ file_data: PDF, filename: 'a.pdf' })]))

  it('refuses developer messages and files on Azure at strict only', () => {
    expect(rules(instructed('developer'), azure)).toEqual(['role-unsupported-by-model'])
    expect(rules(instructed('system'), azure)).toEqual([])
    expect(rules({ ...instructed('developer'), model: 'o3' }, azure)).toEqual([])
    expect(rules(pdf, azure)).toEqual(['content-part-not-allowed-for-model'])
    for (const body of [instructed('developer'), pdf]) {
      expect(rules(body, { platform: 'azure' })).toEqual([])
      expect(rules(body, strict)).toEqual([])
    }
  })
})

describe('other servers', () => {
  it('lets their own parameters, fields and parts pass at any level', () => {
    const body = {
      ...chat(
        user([{ type: 'video_url', video_url: { url: 'https://example.com/v' } }]),
        { role: 'assistant', content: 'a', reasoning_content: 'b', prefix: false },
        user(),
      ),
      thinking: { type: 'enabled' },
    }
    for (const dialect of ['deepseek', 'mistral', 'openrouter', 'some-other-server']) {
      expect(rules(body, { dialect })).toEqual([])
      expect(rules(body, { dialect, level: 'strict' })).toEqual([])
    }
    expect(rules(body)).toEqual(['unknown-parameter', 'content-part-type-invalid'])
    expect(rules(body, strict)).toContain('unknown-message-field')
  })

  it('still refuses at strict a message field that no server is known to take', () => {
    const body = chat({ ...user(), createdAt: 1 })
    expect(rules(body, { dialect: 'deepseek', level: 'strict' })).toEqual(['unknown-message-field'])
  })

  it('takes what a server was recorded to take, at live only', () => {
    const rows: readonly (readonly [string, Part, string])[] = [
      ['openrouter', chat(user(), calls(call('x'.repeat(64))), result('x'.repeat(64))), 'tool-call-id-too-long'],
      ['mistral', chat(user(), { role: 'assistant', content: 'a', tool_calls: [] }), 'tool-calls-empty'],
      ['llamacpp', toolImage, 'image-role'],
    ]
    for (const [dialect, body, rule] of rows) {
      expect(rules(body, { dialect })).toEqual([])
      expect(rules(body, { dialect, level: 'strict' })).toContain(rule)
    }
  })

  it('judges no model of another server by the names of OpenAI', () => {
    const body = { ...instructed('system'), model: 'o1-mini' }
    expect(rules(body, { dialect: 'openai' })).toEqual(['role-unsupported-by-model'])
    expect(rules(body, { dialect: 'openrouter' })).toEqual([])
  })

  it('pairs calls and results whatever the server', () => {
    for (const dialect of ['deepseek', 'groq', 'constructor', '__proto__']) {
      expect(rules(chat(user(), calls(call())), { dialect })).toEqual(['tool-message-missing'])
    }
  })
})

describe('order', () => {
  it('tells faults phase by phase, each in the order of the list', () => {
    const body = {
      ...chat(
        { role: 'system', content: 'half \udc00' },
        { role: 'tool', content: 'r', tool_call_id: 'call_A' },
        calls(call('', { name: 'a b' })),
        { role: 'oops', content: 'x' },
      ),
      model: 'o1-mini',
      oops: 1,
    }
    expect(rules(body)).toEqual([
      'body-not-json',
      'unknown-parameter',
      'tool-call-id-empty',
      'tool-call-name-pattern',
      'role-invalid',
      'role-unsupported-by-model',
      'tool-message-orphan',
      'tool-message-missing',
    ])
  })

  it('forgets a result of another id when its turn ends', () => {
    const body = chat(user(), calls(call()), result(), result('call_B'), user(), calls(call()))
    expect(rules(body)).toEqual(['tool-message-id-unmatched', 'tool-message-missing'])
  })

  it('reads keys as it reads texts', () => {
    const body = { ...chat(user()), metadata: { 'half \ud800': 'x' } }
    expect(checkOpenAIChat(body).map(({ rule, path }) => [rule, path])).toEqual([
      ['openai-chat/body-not-json', 'metadata.half \ud800'],
    ])
  })

  it('says where in the body the ill-formed text stands', () => {
    expect(checkOpenAIChat(chat(user(), user([text('\ud800')])))[0]?.path).toBe('messages[1].content[0].text')
  })
})
