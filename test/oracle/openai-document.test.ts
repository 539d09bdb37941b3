import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkOpenAIChat } from '../../src/check/openai-chat/index.ts'
import { checkOpenAIResponses } from '../../src/check/openai-responses/index.ts'
import { recordings } from '../check/openai/shared.ts'
import { CASES as CHAT_CASES } from '../check/openai-chat/rule-cases.ts'
import { CASES as RESPONSES_CASES } from '../check/openai-responses/rule-cases.ts'
import { APIS, write } from '../laws/apis.ts'
import { next, sessions } from '../laws/arbitrary/session.ts'
import { count, counted, forAll, printCounts } from '../laws/runs.ts'
import { documentGaps, fillDocumentGaps } from './document-gaps.ts'
import { documentFaults, documentIsThere } from './openai-document.ts'

printCounts("OpenAI's own document of its API")

type Fields = { readonly [key: string]: unknown }

const CHECKED = [
  { api: 'openai-chat', file: 'chat', check: checkOpenAIChat, cases: CHAT_CASES },
  { api: 'openai-responses', file: 'responses', check: checkOpenAIResponses, cases: RESPONSES_CASES },
] as const

describe.skipIf(!documentIsThere).each(CHECKED)('what is accepted on $api', ({ api, file, check, cases }) => {
  const faults = (body: Fields): readonly string[] => documentFaults(api, fillDocumentGaps(api, body))

  test('by the API and by the checker fits the document', () => {
    for (const { from, server, status, request } of recordings(file)) {
      if (server !== 'openai' || status !== 200 || check(request).length > 0) continue
      count(`${api} recorded`)
      expect({ from, faults: faults(request) }).toEqual({ from, faults: [] })
    }
    expect(counted(`${api} recorded`)).toBeGreaterThan(50)
  })

  test('by the checker, as near misses of its rules, fits the document', () => {
    for (const { rule, passes } of cases) {
      if (check(passes).length > 0) continue
      count(`${api} near misses`)
      const body = { model: 'some-model', ...(passes as Fields) }
      expect({ rule, faults: faults(body) }).toEqual({ rule, faults: [] })
    }
    expect(counted(`${api} near misses`)).toBeGreaterThan(50)
  })

  test('by the writer, whatever the session, fits the document', () => {
    const laws = APIS.find(({ id }) => id === api)!
    forAll(`${api} written`, fc.tuple(sessions(), laws.target, next), ([{ session }, target, coming]) => {
      const { request } = write(laws, session, { ...target.options, next: coming })
      expect(faults({ ...target.beside, ...request })).toEqual([])
    })
  })
})

describe.skipIf(!documentIsThere)('the document', () => {
  test.each([
    ['openai-chat', { model: 'm', messages: [] }],
    ['openai-chat', { model: 'm', messages: [{ role: 'tool', content: 'x' }] }],
    ['openai-chat', { model: 'm', messages: [{ role: 'user' }] }],
    ['openai-responses', { model: 'm', input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['openai-responses', { model: 'm', input: [{ type: 'function_call_output', call_id: 'c', output: {} }] }],
  ] as const)('of %s refuses %j', (api, body) => {
    expect(documentFaults(api, fillDocumentGaps(api, body))).not.toEqual([])
  })

  test('has no gap that nothing falls into', () => {
    const gaps = documentGaps()
    for (const { name, why, times } of gaps) console.log(`gap, filled ${times} times: ${name} (${why})`)
    expect(gaps.filter(({ times }) => times === 0).map(({ name }) => name)).toEqual([])
  })
})
