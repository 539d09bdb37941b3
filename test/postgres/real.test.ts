import { describe, it } from 'vitest'
import { real, URL_OF_SERVER } from './real.ts'
import { suite } from './suite.ts'
import { World } from './world.ts'

if (URL_OF_SERVER === '') {
  describe('a server of PostgreSQL', () => {
    it('is not here', () =>
      console.log('PostgreSQL: no PROVIDER_HISTORY_POSTGRES, so no test on a server; .ci/postgres starts one'))
  })
} else suite(new World('a PostgreSQL server', real))
