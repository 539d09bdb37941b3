import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSession } from '../../src/model/schema.ts'
import type { Session } from '../../src/model/session.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { type OptionsOf, repairSession, type WritableApi } from '../../src/write/index.ts'
import { APIS, type Api, write } from './apis.ts'
import { sessions } from './arbitrary/session.ts'
import { frozen } from './freeze.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('idempotent')

function repair(api: Api, session: Session, options: WriteOptions) {
  return repairSession(session, api.id, options as OptionsOf<WritableApi>)
}

/** Law 7. What is repaired stays as it is. */
describe.each(APIS)('$id', (api) => {
  test('repairs a repaired session no further', () => {
    forAll(api.id, fc.tuple(sessions(), api.target), ([{ session }, target]) => {
      const first = repair(api, frozen(session), target.options)
      if (first.changes.length > 0) count(`${api.id} repaired`)
      const second = repair(api, frozen(first.session), target.options)
      expect(second.changes).toEqual([])
      expect(second.session).toBe(first.session)
    })
  })

  test('gives a session that the schema takes', () => {
    forAll(`${api.id} valid`, fc.tuple(sessions(), api.target), ([{ session }, target]) => {
      expect(() => parseSession(repair(api, session, target.options).session)).not.toThrow()
    })
  })

  test('is what a conversion writes', () => {
    forAll(`${api.id} same request`, fc.tuple(sessions(), api.target), ([{ session }, target]) => {
      const repaired = repair(api, session, target.options).session
      expect(write(api, repaired, target.options).request).toEqual(write(api, session, target.options).request)
    })
  })
})
