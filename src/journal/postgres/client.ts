import { JournalError } from '../error.ts'

/** What is asked of a connection; a `Client` of `pg` has it. One connection, not a pool: a lease is of one owner. */
export interface SqlClient {
  query(query: SqlQuery): Promise<{ readonly rows: readonly unknown[] }>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notification', listener: (message: SqlNotification) => void): unknown
  end(): Promise<void>
}

export interface SqlQuery {
  /** A statement that has one is prepared, and known by it as long as the connection stands. */
  readonly name?: string | undefined
  readonly text: string
  readonly values?: unknown[] | undefined
}

export interface SqlNotification {
  readonly channel: string
}

/**
 * How to come by a connection: a URL for the package `pg`, or a function that connects. It is asked again whenever a
 * connection broke.
 */
export type Connection = string | (() => Promise<SqlClient>)

export async function connected(connection: Connection): Promise<SqlClient> {
  if (typeof connection !== 'string') return connection()
  const { Client } = await pgPackage()
  const client = new Client({
    connectionString: connection,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    fallback_application_name: 'provider-history',
  })
  // The server may end a connection with the very bytes that tell that it stands: without a listener that ends the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}

async function pgPackage(): Promise<typeof import('pg')['default']> {
  try {
    return (await import('pg')).default
  } catch (error) {
    throw new JournalError('io', 'a journal in PostgreSQL wants the package pg: install it', { cause: error })
  }
}
