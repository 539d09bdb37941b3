import { describe, it } from 'vitest'
import { crashing } from './crashing.ts'
import { cutting } from './cutting.ts'
import { foreign } from './foreign.ts'
import { pausing } from './pausing.ts'
import { real, URL_OF_SERVER } from './real.ts'
import { suite } from './suite.ts'
import { World } from './world.ts'

if (URL_OF_SERVER === '') {
  describe('a server of PostgreSQL', () => {
    it('is not here', () =>
      console.log('PostgreSQL: no PROVIDER_HISTORY_POSTGRES, so no test on a server; .ci/postgres starts one'))
  })
} else {
  const world = new World('a PostgreSQL server', real)
  suite(world)
  foreign(world)
  cutting(world)
  pausing(world)
  crashing(world)
}
