import pg from 'pg'
import type { SqlClient } from '../../src/journal/postgres/index.ts'
import type { Server } from './world.ts'

/** Of a server that tests may do anything to; empty where there is none. */
export const URL_OF_SERVER: string = process.env.PROVIDER_HISTORY_POSTGRES ?? ''

/** A server of its own, over connections of `pg`. */
export async function real(): Promise<Server> {
  return { connect: () => connectTo(URL_OF_SERVER), async close() {} }
}

export async function connectTo(url: string): Promise<SqlClient> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
