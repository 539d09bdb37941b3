import { breaking } from './breaking.ts'
import { following } from './following.ts'
import { leasing } from './leasing.ts'
import { storing } from './storing.ts'
import type { World } from './world.ts'

/** What holds of every PostgreSQL. */
export function suite(world: World): void {
  storing(world)
  leasing(world)
  breaking(world)
  following(world)
}
