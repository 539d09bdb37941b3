import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../../../src/check/anthropic/index.ts'
import { check } from '../../../src/check/index.ts'
import type { CheckOptions } from '../../../src/check/rule.ts'
import * as b from './bodies.ts'
import { BEDROCK, STRICT, VERTEX } from './case.ts'

const rules = (body: unknown, options: CheckOptions = {}): readonly string[] =>
  checkAnthropic(body, options).map(({ rule }) => rule.replace('anthropic/', ''))

const pair = [b.hi, b.assistant(b.call('t1')), b.user(b.result('t1'))]

describe('models that are not known', () => {
  const unknown = (messages: readonly unknown[]) => b.body(messages, { model: 'claude-opus-9' })

  it.each([
    ['an assistant message at the end', unknown([b.hi, b.ok]), 'prefill-unsupported'],
    ['a system message', unknown([b.hi, b.system('x')]), 'system-role-unsupported'],
    [
      'a forced tool',
      b.asking({ model: 'claude-opus-9', tool_choice: { type: 'any' } }),
      'tool-choice-forced-unsupported',
    ],
  ])('are lenient at live and strict at strict: %s', (_what, body, rule) => {
    expect(rules(body)).toEqual([])
    expect(rules(body, STRICT)).toEqual([rule])
  })

  it.each(['m', 'my-tuned-model', 'claude-sonnet-99', 'claude-haiku-latest', 'anthropic/claude-opus-4.5'])(
    'pass when they may be models: %s',
    (model) => expect(rules(b.asking({ model }))).toEqual([]),
  )

  it.each(['claude-nope', 'gpt-4o', 'gemini-2.5-pro'])('are unknown when they cannot be: %s', (model) =>
    expect(rules(b.asking({ model }))).toEqual(['model-unknown']),
  )
})

describe('names of models', () => {
  it.each([
    'claude-haiku-4-5-20251001',
    'claude-haiku-4-5@20251001',
    'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    'anthropic/claude-haiku-4-5',
    'claude-3-5-sonnet-20241022',
    'claude-sonnet-4-20250514',
  ])('are read with what platforms and releases add: %s', (model) => {
    expect(rules(b.body([b.hi, b.ok], { model }))).toEqual([])
    expect(rules(b.body([b.hi, b.system('x')], { model }))).toEqual(['system-role-unsupported'])
  })

  it('with contested gates are refused at strict only', () => {
    const body = b.body([b.hi, b.system('x')], { model: 'claude-sonnet-5' })
    expect(rules(body)).toEqual([])
    expect(rules(body, STRICT)).toEqual(['system-role-unsupported'])
  })
})

describe('the platforms', () => {
  it('differ in what they run', () => {
    const body = b.body([b.hi, b.assistant(b.search('srvtoolu_1'), b.found('srvtoolu_1')), b.hi])
    expect(rules(body)).toEqual([])
    expect(rules(body, VERTEX)).toEqual([])
    expect(rules(body, BEDROCK)).toEqual(['bedrock-unsupported', 'bedrock-unsupported'])
  })

  it('take no files and no URLs', () => {
    const body = b.ask(
      b.imageFrom({ type: 'url', url: 'https://a.example' }),
      b.documentFrom({ type: 'file', file_id: 'f' }),
    )
    expect(rules(body)).toEqual([])
    expect(rules(body, BEDROCK)).toEqual(['image-url-platform', 'bedrock-unsupported'])
    expect(rules(body, VERTEX)).toEqual(['image-url-platform', 'vertex-unsupported'])
  })

  it('refuse tools that they do not run', () => {
    const body = b.asking({ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] })
    expect(rules(body)).toEqual([])
    expect(rules(body, BEDROCK)).toEqual(['bedrock-unsupported'])
    expect(rules(body, VERTEX)).toEqual(['vertex-unsupported'])
  })

  it('of Bedrock name their betas in the body', () => {
    const compaction = b.body([b.assistant({ type: 'compaction', content: 'c' }), b.hi])
    expect(rules({ ...compaction, anthropic_beta: ['compact-2026-01-12'] }, BEDROCK)).toEqual([])
    expect(rules({ ...compaction, anthropic_beta: [] }, BEDROCK)).toEqual(['compaction-beta'])
    expect(rules({ ...compaction, anthropic_beta: 7 }, BEDROCK)).toEqual([])
  })

  it('wants tools on Bedrock, and everywhere at strict', () => {
    const body = b.body(pair, { tools: undefined })
    expect(rules(body)).toEqual([])
    expect(rules(body, STRICT)).toEqual(['tools-must-be-defined'])
    expect(rules(body, BEDROCK)).toEqual(['tools-must-be-defined'])
    expect(rules(body, VERTEX)).toEqual([])
  })
})

describe('all violations', () => {
  it('come in the order of the API, later phases though earlier ones failed', () => {
    const body = b.body([b.user(b.text(''), b.result('t9')), b.assistant(b.call('a b')), b.hi, b.ok], {
      model: 'claude-opus-4-8',
      temperature: 3,
      max_tokens: undefined,
    })
    expect(rules(body)).toEqual([
      'tool-use-id-pattern',
      'max-tokens',
      'temperature-range',
      'temperature-range',
      'empty-text-block',
      'tool-result-orphan',
      'tool-result-missing',
      'prefill-unsupported',
    ])
  })

  it('tell pairs by the joined turns, and messages by the array that was sent', () => {
    const body = b.body([
      b.hi,
      b.assistant(b.text('a')),
      b.assistant(b.call('t1')),
      b.assistant(b.call('t2')),
      b.user(b.result('t2')),
    ])
    const [first] = checkAnthropic(body)
    expect(first?.path).toBe('messages.2')
    expect(first?.message).toContain('immediately after: t1. Each')
  })

  it('name a broken result once', () => {
    expect(rules(b.body([b.hi, b.assistant(b.call(undefined)), b.hi]))).toEqual(['block-field-required'])
  })

  it('leave rules out by their id', () => {
    expect(
      rules(b.body([b.hi, b.ok, b.hi, b.hi]), { ...STRICT, without: ['anthropic/role-alternation-legacy'] }),
    ).toEqual([])
  })
})

describe('the table of checkers', () => {
  it('has this API', () => {
    expect(check('anthropic', b.asking({}))).toEqual([])
    expect(check('anthropic', null)).toMatchObject([{ rule: 'anthropic/body-object' }])
  })

  it('refuses to call the bodies of others accepted', () => {
    expect(() => check('bedrock', {})).toThrow(TypeError)
  })
})
