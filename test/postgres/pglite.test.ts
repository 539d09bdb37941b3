import { embedded } from './pglite.ts'
import { suite } from './suite.ts'
import { World } from './world.ts'

suite(new World('PostgreSQL within this process', embedded))
