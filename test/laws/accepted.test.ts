import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolDefinition } from '../../src/model/session.ts'
import { APIS, awaitsAnswer, violationsOf, write } from './apis.ts'
import { next, sessions } from './arbitrary/session.ts'
import { known } from './arbitrary/target.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('accepted')

/** The tools of the coming request: those of the session, or others. */
const GIVEN_TOOLS: readonly { readonly tools?: readonly ToolDefinition[] }[] = [
  {},
  {},
  { tools: [] },
  { tools: [{ name: 'read', parameters: { type: 'object', properties: {} } }, { name: 'bad name!' }] },
]

/** Law 1. Whatever was stored, the API takes what is written of it, on the least tolerant row. */
describe.each(APIS)('$id accepts every session', (api) => {
  test('with a coming user turn', () => {
    const cases = fc.tuple(sessions(), api.target, next, fc.constantFrom(...GIVEN_TOOLS))
    forAll(`${api.id} with next`, cases, ([{ session }, target, coming, tools]) => {
      const { request } = write(api, session, { ...target.options, ...tools, next: coming })
      expect(violationsOf(api, request, target)).toEqual([])
    })
  })

  test('as it ends, when a model would answer it', () => {
    forAll(`${api.id} as it ends`, fc.tuple(sessions(), api.target), ([{ session }, target]) => {
      const { request } = write(api, session, target.options)
      if (!awaitsAnswer(api, request)) return
      count(`${api.id} awaiting an answer`)
      expect(violationsOf(api, request, target)).toEqual([])
    })
  })

  test('at level live, as the API of today', () => {
    forAll(`${api.id} live`, fc.tuple(sessions(), api.target, next), ([{ session }, target, coming]) => {
      const { request } = write(api, session, { ...target.options, next: coming, level: 'live' })
      expect(violationsOf(api, request, known(target), 'live')).toEqual([])
    })
  })
})
