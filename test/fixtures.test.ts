import { describe, expect, it } from 'vitest'
import { check } from '../src/check/index.ts'
import { convert, readSession, type WritableApi } from '../src/index.ts'
import { WRITABLE_APIS } from '../src/write/index.ts'
import { type Expectation, fixtures, matched } from './fixtures/expectation.ts'
import { callLines, codes, messageLines } from './fixtures/session-lines.ts'
import { wireLines } from './fixtures/wire-lines.ts'

const FIXTURES = fixtures()

describe.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
  const { source, expected } = fixture
  const read = () => readSession(source)

  it('is read as expected', () => {
    const { messages, calls, changes } = expected.reading
    const found = read()
    expect(found.format).toBe(expected.format)
    expect(messageLines(found.session)).toEqual(messages)
    expect(matched(calls, callLines(found.session))).toEqual(calls)
    expect(codes(found.changes)).toEqual([...changes].sort())
  })

  it('is refused as it stands, where the fault is one of a body', () => {
    const { refused, format } = expected
    if (refused === undefined) return
    const body = { ...BESIDE[format as WritableApi], ...(JSON.parse(source) as object) }
    const rules = check(format as WritableApi, body, { level: 'strict' }).map((violation) => violation.rule)
    expect(rules).toContain(refused)
  })

  describe.each(WRITABLE_APIS)('%s', (api) => {
    const written = () => convert(read().session, api, optionsOf(expected, api))

    it('is written as expected', () => {
      const wanted = expected[api]
      const { request, changes } = written()
      const lines = wireLines(api, request)
      expect(lines.messages).toEqual(wanted.messages)
      expect(matched(wanted.results, lines.results)).toEqual(wanted.results)
      if (wanted.inputs !== undefined) expect(matched(wanted.inputs, lines.inputs)).toEqual(wanted.inputs)
      expect(codes(changes)).toEqual([...wanted.changes].sort())
    })

    it('holds exactly one result for each call', () => {
      const { callIds, resultIds } = wireLines(api, written().request)
      expect(new Set(callIds).size).toBe(callIds.length)
      expect([...resultIds].sort()).toEqual([...callIds].sort())
    })

    it('is accepted, and stays as it was', async () => {
      const text = `${JSON.stringify(written().request, null, 2)}\n`
      const { level = 'strict' } = expected.options ?? {}
      const body = { ...besideOf(expected, api), ...(JSON.parse(text) as object) }
      expect(check(api, body, { level })).toEqual([])
      await expect(text).toMatchFileSnapshot(fixture.golden(api))
    })
  })
})

/** What a caller puts beside the request. */
const BESIDE: { readonly [api in WritableApi]: object } = {
  anthropic: { model: 'claude-tomorrow-9', max_tokens: 4096 },
  'openai-chat': { model: 'some-model' },
  'openai-responses': { model: 'some-model' },
}

function besideOf({ options }: Expectation, api: WritableApi): object {
  const { model } = options?.[api] ?? {}
  const thinking = options?.anthropic?.thinking === true && api === 'anthropic'
  return {
    ...BESIDE[api],
    ...(model === undefined ? {} : { model }),
    ...(thinking ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
  }
}

function optionsOf({ options = {} }: Expectation, api: WritableApi): object {
  const { anthropic: _a, 'openai-chat': _c, 'openai-responses': _r, ...shared } = options
  return { ...shared, ...options[api] }
}
