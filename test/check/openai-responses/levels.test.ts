import { describe, expect, it } from 'vitest'
import { checkOpenAIResponses, type ResponsesCheckOptions } from '../../../src/check/openai-responses/index.ts'
import {
  body,
  call,
  custom,
  customOutput,
  type Item,
  message,
  output,
  reasoning,
  shell,
  shellOutput,
  user,
} from './bodies.ts'

const rules = (request: Item, options: ResponsesCheckOptions = {}): readonly string[] =>
  checkOpenAIResponses(request, options).map((violation) => violation.rule.replace('openai-responses/', ''))

const strict: ResponsesCheckOptions = { level: 'strict' }
const plain = reasoning({ encrypted_content: undefined })
const unstored = { ...body(user(), plain, call(), output()), store: false }

describe('models', () => {
  it('knows reasoning of an unknown model for good at any level', () => {
    const request = { ...body(user(), reasoning(), message()), include: ['reasoning.encrypted_content'] }
    for (const model of ['x', undefined, 'constructor']) {
      expect(rules({ ...request, model })).toEqual([])
      expect(rules({ ...request, model }, strict)).toEqual([])
    }
    expect(rules({ ...request, model: 'gpt-4.1-mini' })).toEqual([
      'encrypted-content-unsupported',
      'reasoning-items-unsupported',
    ])
  })

  it('blocks control tokens for gpt-5.6 and later, and at strict for a model it does not know', () => {
    const request = body(user(), call(), output({ output: 'raw <|channel|> text' }))
    expect(rules({ ...request, model: 'gpt-5.6-sol' })).toEqual(['harmony-tokens'])
    expect(rules({ ...request, model: 'gpt-6.2' })).toEqual(['harmony-tokens'])
    expect(rules(request)).toEqual([])
    expect(rules(request, strict)).toEqual(['harmony-tokens'])
    expect(rules({ ...body(user('a <| b |> <|other|>')), model: 'gpt-5.6' })).toEqual([])
  })
})

describe('levels', () => {
  it('knows by measure the prefix of some items, by custom that of others', () => {
    const files = { type: 'file_search_call', id: 'x_1', queries: [], status: 'completed' }
    expect(rules(body(user(), files))).toEqual([])
    expect(rules(body(user(), files), strict)).toEqual(['item-id-prefix'])
    expect(rules(body(user(), { ...files, id: 'fs_1' }), strict)).toEqual([])
    expect(rules(body(user(), reasoning({ id: 'x_1' }), message()))).toEqual(['item-id-prefix'])
  })
})

describe('platforms', () => {
  it('answers on Azure with 400 where OpenAI answers with 404', () => {
    expect(checkOpenAIResponses(unstored).map(({ status }) => status)).toEqual([404])
    expect(checkOpenAIResponses(unstored, { platform: 'azure' }).map(({ status }) => status)).toEqual([400])
  })
})

describe('other servers', () => {
  it('takes what a server was recorded to take, at live only', () => {
    const opaque = body(user(), reasoning({ id: `${'x'.repeat(400)}+/=` }), call({ id: 'fc_1' }), output())
    const local = body(user(), reasoning({ content: [{ type: 'reasoning_text', text: 't' }] }), call(), output())
    const rows: readonly (readonly [string, Item, string])[] = [
      ['xai', unstored, 'item-not-persisted'],
      ['openrouter', unstored, 'item-not-persisted'],
      ['copilot', opaque, 'item-id-too-long'],
      ['llamacpp', local, 'reasoning-content-forbidden'],
    ]
    for (const [dialect, request, rule] of rows) {
      expect(rules(request)).toContain(rule)
      expect(rules(request, { dialect })).toEqual([])
      expect(rules(request, { dialect, level: 'strict' })).toContain(rule)
    }
  })

  it('lets parameters of other servers pass at any level', () => {
    const request = { ...body(user()), search_parameters: {}, max_output_tokens: 8 }
    for (const dialect of ['xai', 'some-other-server']) {
      expect(rules(request, { dialect })).toEqual([])
      expect(rules(request, { dialect, level: 'strict' })).toEqual([])
    }
  })

  it('pairs calls and outputs whatever the server', () => {
    expect(rules(body(user(), call()), { dialect: 'xai' })).toEqual(['function-call-output-missing'])
  })
})

describe('chains', () => {
  it('does not judge what may answer an item of the server', () => {
    for (const chain of [{ previous_response_id: 'resp_1' }, { conversation: { id: 'conv_1' } }]) {
      expect(rules({ ...body(output(), shellOutput({ call_id: 's' })), ...chain })).toEqual([])
      expect(rules({ ...body(call(), output(), output()), ...chain })).toEqual(['duplicate-call-output'])
      expect(rules({ ...body(call()), ...chain })).toEqual(['function-call-output-missing'])
    }
  })
})

describe('order', () => {
  it('tells faults phase by phase, each in the order of the list', () => {
    const request = {
      ...body(
        user('half \ud800'),
        custom({ call_id: 'call_C' }),
        output({ call_id: 'call_B' }),
        shell({ call_id: '' }),
        { role: 'oops', content: 'x' },
        reasoning(),
      ),
      model: 'gpt-4o',
      oops: 1,
    }
    expect(rules(request)).toEqual([
      'body-not-json',
      'unknown-parameter',
      'call-id-empty',
      'role-invalid',
      'reasoning-items-unsupported',
      'function-call-output-orphan',
      'reasoning-following-item-missing',
      'custom-tool-call-output-missing',
      'shell-call-output-missing',
    ])
  })

  it('names the place of the item that the words do not name', () => {
    expect(checkOpenAIResponses(body(user(), custom(), customOutput(), call({ call_id: 'call_B' })))[0]?.path).toBe(
      'input[3]',
    )
  })
})

describe('reasoning', () => {
  const rule = 'reasoning-following-item-missing'

  it('wants a follower in the same run of the model’s items', () => {
    expect(rules(body(user(), reasoning()))).toEqual([rule])
    expect(rules(body(user(), reasoning(), { role: 'developer', content: 'd' }, message()))).toEqual([rule])
    expect(rules(body(user(), call(), reasoning(), output(), message()))).toEqual([rule])
    expect(rules(body(user(), reasoning(), reasoning({ id: 'rs_2' }), user()))).toEqual([rule, rule])
    expect(rules(body(user(), reasoning(), reasoning({ id: 'rs_2' }), message()))).toEqual([])
  })

  it('wants the id of a message that follows at strict only, of a call never', () => {
    const easy = { role: 'assistant', content: 'x' }
    expect(rules(body(user(), reasoning(), easy))).toEqual([])
    expect(rules(body(user(), reasoning(), easy), strict)).toEqual([rule])
    expect(rules(body(user(), reasoning(), call(), output()), strict)).toEqual([])
  })
})
