import { describe, expect, it } from 'vitest'
import { checkOpenAIResponses, type ResponsesCheckOptions } from '../../../src/check/openai-responses/index.ts'
import { ITEMS } from '../../../src/check/openai-responses/items.ts'
import { growth, LINEAR } from '../../hostile/growth.ts'
import { cyclic, deep, ODD_VALUES, PROTOTYPE_NAMES, withEach } from '../openai/hostile.ts'
import {
  body,
  call,
  computer,
  computerOutput,
  custom,
  customOutput,
  inputFile,
  inputImage,
  inputText,
  localShell,
  message,
  output,
  PDF,
  patch,
  patchOutput,
  reasoning,
  search,
  shell,
  shellOutput,
  tool,
  user,
} from './bodies.ts'

const OPTIONS: readonly ResponsesCheckOptions[] = [
  {},
  { level: 'strict', known: { items: new Map([['fc_1', 'rs_9']]), responses: new Set() } },
  { level: 'strict', platform: 'azure', dialect: 'xai' },
]

const WHOLE = {
  ...body(
    user([inputText(), inputImage(), inputFile({ filename: 'a.pdf', file_data: PDF })]),
    reasoning({ summary: [{ type: 'summary_text', text: 's' }] }),
    call({ id: 'fc_1', caller: { type: 'program', caller_id: 'p' } }),
    output({ output: [inputText()], caller: { type: 'program', caller_id: 'p' } }),
    ...[
      custom({ call_id: 'c' }),
      customOutput({ call_id: 'c' }),
      shell({ call_id: 's' }),
      shellOutput({ call_id: 's' }),
    ],
    ...[localShell({ call_id: 'l' }), patch({ call_id: 'p' }), patchOutput({ call_id: 'p' })],
    ...[computer({ call_id: 'k' }), computerOutput({ call_id: 'k' }), search(), message()],
    { type: 'item_reference', id: 'msg_2' },
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'n', tools: [tool()] }] },
    { type: 'mcp_approval_response', approval_request_id: 'm', approve: true },
  ),
  model: 'gpt-5.6',
  store: false,
  include: ['reasoning.encrypted_content'],
  tools: [tool(), { type: 'tool_search', execution: 'client', description: 'd' }],
  text: { format: { type: 'json_object' } },
}

describe('hostile bodies of the Responses API', () => {
  it('answers any value in the place of the body', () => {
    for (const value of [...ODD_VALUES, deep(100_000), cyclic()]) {
      for (const options of OPTIONS) expect(Array.isArray(checkOpenAIResponses(value, options))).toBe(true)
    }
  })

  it('answers any value in any place', () => {
    let count = 0
    const unclear: string[] = []
    for (const value of ODD_VALUES) {
      for (const changed of withEach(WHOLE, value)) {
        const told = checkOpenAIResponses(changed, OPTIONS[count++ % OPTIONS.length])
        unclear.push(...told.map((one) => one.message).filter((words) => words.includes('undefined')))
      }
    }
    expect(unclear).toEqual([])
    expect(count).toBeGreaterThan(3_000)
  })

  it('answers every type of item with nothing else in it', () => {
    for (const type of Object.keys(ITEMS)) {
      for (const options of OPTIONS) expect(Array.isArray(checkOpenAIResponses(body({ type }), options))).toBe(true)
    }
  })

  it('takes no name of a prototype for one of its own', () => {
    const rules = (request: unknown): readonly string[] =>
      checkOpenAIResponses(request).map((violation) => violation.rule.replace('openai-responses/', ''))
    for (const name of PROTOTYPE_NAMES) {
      expect(rules(body(user(), { type: name }))).toEqual(['item-type-invalid'])
      expect(rules(body({ role: name, content: 'x' }))).toEqual(['role-invalid'])
      expect(rules(body(user([{ type: name, text: 'a' }])))).toEqual(['content-part-type-user'])
      expect(rules(body(user(), call({ call_id: name }), output({ call_id: name })))).toEqual([])
      expect(rules(body(user(), output({ call_id: name })))).toEqual(['function-call-output-orphan'])
      expect(rules({ ...body(user()), tools: [{ type: name }] })).toEqual([])
      expect(rules(JSON.parse(`{"input":"x","${name}":1}`))).toEqual(['unknown-parameter'])
    }
  })

  it('ends on what is nested deeper than the stack, and on a body that holds itself', () => {
    const ill = { ...body(user(deep(200_000))), instructions: '\udc00' }
    expect(checkOpenAIResponses(ill)[0]?.path).toBe('instructions')
    expect(checkOpenAIResponses(body(cyclic())).length).toBeGreaterThan(0)
    expect(checkOpenAIResponses({ ...body(user(deep(200_000))), model: 'gpt-5.6' }).length).toBeGreaterThan(0)
  })

  it('is quick with many items that wait, and many orphans', async () => {
    const refuses = (one: (index: number) => object) => (count: number) =>
      expect(
        checkOpenAIResponses(body(user(), ...Array.from({ length: count }, (_, index) => one(index)))),
      ).toHaveLength(count)
    expect(
      await growth(
        20_000,
        refuses((index) => reasoning({ id: `rs_${index}` })),
      ),
    ).toBeLessThan(LINEAR)
    expect(
      await growth(
        20_000,
        refuses((index) => call({ call_id: `c${index}` })),
      ),
    ).toBeLessThan(LINEAR)
    expect(
      await growth(
        20_000,
        refuses((index) => output({ call_id: `c${index}` })),
      ),
    ).toBeLessThan(LINEAR)
  })
})
