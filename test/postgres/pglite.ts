import { PGlite } from '@electric-sql/pglite'
import type { SqlClient, SqlNotification } from '../../src/journal/postgres/index.ts'
import type { Server } from './world.ts'

/** PostgreSQL in this process: one session of the server, which all of its clients share. */
export async function embedded(): Promise<Server> {
  const db = await PGlite.create()
  return {
    async connect() {
      const ends: (() => void)[] = []
      return {
        query: ({ text, values }) => db.query(text, values),
        on(event: 'error' | 'notification', listener: ((error: Error) => void) & ((message: SqlNotification) => void)) {
          if (event === 'notification') ends.push(db.onNotification((channel) => listener({ channel })))
        },
        async end() {
          for (const end of ends) end()
        },
      } satisfies SqlClient
    },
    close: () => db.close(),
  }
}
