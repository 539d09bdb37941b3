import { JournalError } from '../error.ts'

/** What is asked of a connection; a `Client` of `pg` has it. One connection, not a pool: a lease is of one owner. */
export interface SqlClient {
  /** Rows as objects, by the names of their columns; bigints may be texts. Rejects with what the server or the connection says. */
  query(query: SqlQuery): Promise<{ readonly rows: readonly unknown[] }>
  /** The connection broke, also between two queries. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Of the channels that the connection listens to. */
  on(event: 'notification', listener: (message: SqlNotification) => void): unknown
  /** Ends the connection. */
  end(): Promise<void>
}

/** A statement, with values for its `$1`, `$2` and so on. */
export interface SqlQuery {
  /** A statement that has one is prepared, and known by it as long as the connection stands. */
  readonly name?: string | undefined
  readonly text: string
  readonly values?: unknown[] | undefined
}

/** What PostgreSQL tells those who listen. */
export interface SqlNotification {
  /** The name that was listened to. */
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
