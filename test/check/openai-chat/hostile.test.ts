import { describe, expect, it } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import type { CheckOptions } from '../../../src/check/rule.ts'
import { growth, LINEAR } from '../../hostile/growth.ts'
import { cyclic, deep, ODD_VALUES, PROTOTYPE_NAMES, withEach } from '../openai/hostile.ts'
import { audio, call, calls, chat, file, image, type Part, PDF, result, text, tool, user } from './bodies.ts'

const OPTIONS: readonly CheckOptions[] = [
  {},
  { level: 'strict' },
  { level: 'strict', platform: 'azure', dialect: 'mistral' },
]

const WHOLE: Part = {
  ...chat(
    { role: 'system', content: [text()], name: 'n' },
    user([text(), image(), audio, file({ file_data: PDF, filename: 'a.pdf' })]),
    {
      ...calls(call(), { id: 'call_B', type: 'custom', custom: { name: 'f', input: 'i' } }),
      refusal: null,
      audio: null,
    },
    result('call_A'),
    result('call_B', [text()]),
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'r' },
  ),
  model: 'gpt-4o',
  tools: [tool('f', { parameters: { type: 'object' } })],
  tool_choice: 'auto',
  response_format: { type: 'json_object' },
}

describe('hostile bodies of chat completions', () => {
  it('answers any value in the place of the body', () => {
    for (const value of [...ODD_VALUES, deep(100_000), cyclic()]) {
      for (const options of OPTIONS) expect(Array.isArray(checkOpenAIChat(value, options))).toBe(true)
    }
  })

  it('answers any value in any place', () => {
    let count = 0
    const unclear: string[] = []
    for (const value of ODD_VALUES) {
      for (const changed of withEach(WHOLE, value)) {
        const told = checkOpenAIChat(changed, OPTIONS[count++ % OPTIONS.length])
        unclear.push(...told.map((one) => one.message).filter((words) => words.includes('undefined')))
      }
    }
    expect(unclear).toEqual([])
    expect(count).toBeGreaterThan(1_000)
  })

  it('takes no name of a prototype for one of its own', () => {
    for (const name of PROTOTYPE_NAMES) {
      const rules = (body: unknown): readonly string[] =>
        checkOpenAIChat(body).map((violation) => violation.rule.replace('openai-chat/', ''))
      expect(rules(chat({ role: name, content: 'x' }))).toEqual(['role-invalid'])
      expect(rules(chat(user([{ type: name, text: 'a' }])))).toEqual(['content-part-type-invalid'])
      expect(rules(chat(user(), calls({ ...call(), type: name }), result()))).toEqual(['tool-call-type-invalid'])
      expect(rules(chat(user(), calls(call(name)), result(name)))).toEqual([])
      expect(rules(chat(user(), calls(call('call_A', { name })), result()))).toEqual([])
      expect(rules(chat(user(), result(name)))).toEqual(['tool-message-orphan'])
      expect(rules(JSON.parse(`{"messages":[{"role":"user","content":"x"}],"${name}":1}`))).toEqual([
        'unknown-parameter',
      ])
      expect(rules({ ...chat(user()), model: name })).toEqual([])
    }
  })

  it('ends on what is nested deeper than the stack, and still finds ill-formed text there', () => {
    expect(checkOpenAIChat(chat(user(deep(200_000)))).map((violation) => violation.rule)).not.toContain(
      'openai-chat/body-not-json',
    )
    let holder: unknown = '\ud800'
    for (let level = 0; level < 50_000; level++) holder = { deeper: holder }
    const body = { ...chat(user()), metadata: holder }
    expect(checkOpenAIChat(body).map((violation) => violation.rule)).toEqual(['openai-chat/body-not-json'])
  })

  it('ends on a body that holds itself', () => {
    expect(checkOpenAIChat(chat(cyclic())).length).toBeGreaterThan(0)
  })

  it('is quick with many orphans and many calls', async () => {
    const results = (count: number) => Array.from({ length: count }, (_, index) => result(`call_${index}`))
    const asked = (count: number) => calls(...Array.from({ length: count }, (_, index) => call(`call_${index}`)))
    const orphans = (count: number) => expect(checkOpenAIChat(chat(user(), ...results(count)))).toHaveLength(count)
    const answered = (count: number) =>
      expect(checkOpenAIChat(chat(user(), asked(count), ...results(count)))).toMatchObject([
        { rule: 'openai-chat/tool-calls-too-many' },
      ])
    expect(await growth(20_000, orphans)).toBeLessThan(LINEAR)
    expect(await growth(20_000, answered)).toBeLessThan(LINEAR)
  })
})
