import { describe, expect, test } from 'vitest'
import { readSession } from '../../src/read/index.ts'
import { APIS, write } from './apis.ts'
import { normal } from './raw/normal.ts'
import { plans } from './raw/plan.ts'
import { rendered } from './raw/render/index.ts'
import { forAll, printCounts } from './runs.ts'

printCounts('verbatim')

/** Law 6. A valid history that is read and written to the API it came from is what came in. */
describe.each(APIS)('$id', (api) => {
  test.each(['live', 'strict'] as const)('gives back what it was given at %s', (level) => {
    forAll(`${api.id} ${level}`, plans, (plan) => {
      const body = rendered(api.id as 'anthropic', plan) as { readonly model: string }
      const { session, changes } = readSession(body, { format: api.id })
      expect(changes).toEqual([])
      const written = write(api, session, { model: body.model, level })
      expect(normal(api.id, written.request)).toEqual(normal(api.id, body))
      expect(written.changes.filter((change) => change.severity !== 'info')).toEqual([])
    })
  })
})
