import { type Connection, connected, type SqlClient } from './client.ts'
import { answered, isPassing } from './passing.ts'

export interface LinkSettings {
  readonly connection: Connection
  /** How long an answer may take at first, in milliseconds. */
  readonly answerMs: number
  /** Said over each new connection, before anything else. */
  readonly greet: (client: SqlClient) => Promise<void>
  /** Told when a connection broke, which may be between two queries. */
  readonly lost?: (() => void) | undefined
}

/** A connection that is made anew by the next query when it broke. */
export class Link {
  readonly #settings: LinkSettings
  #client: SqlClient | undefined
  #connections = 0
  #isClosed = false
  /** How long an answer may take from now on, in milliseconds. */
  answerMs: number

  constructor(settings: LinkSettings) {
    this.#settings = settings
    this.answerMs = settings.answerMs
  }

  /** Number of the connection that stands, from 1; 0 while none does. */
  get connection(): number {
    return this.#client === undefined ? 0 : this.#connections
  }

  /** `name` is for what is asked often: preparing a statement takes the server longer than to run it. */
  async query(text: string, values: unknown[] = [], name?: string): Promise<readonly unknown[]> {
    const client = this.#client ?? (await this.#connect())
    try {
      return (await answered(client.query({ name, text, values }), this.answerMs)).rows
    } catch (error) {
      if (isPassing(error)) this.#drop(client)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await this.#end(client)
  }

  async #connect(): Promise<SqlClient> {
    const { answerMs } = this
    const { connection, greet } = this.#settings
    const connecting = connected(connection)
    const client = await answered(connecting, answerMs).catch((error: unknown) => {
      // One that comes after all is not wanted any more.
      connecting.then((late) => this.#end(late)).catch(() => {})
      throw error
    })
    // Without a listener a connection that breaks between two queries would end the process.
    client.on('error', () => this.#drop(client))
    try {
      await answered(greet(client), answerMs)
      if (this.#isClosed) throw new Error('the connection is closed')
    } catch (error) {
      void this.#end(client)
      throw error
    }
    this.#client = client
    this.#connections++
    return client
  }

  #drop(client: SqlClient): void {
    if (this.#client !== client) return
    this.#client = undefined
    void this.#end(client)
    this.#settings.lost?.()
  }

  /** A connection that is dead without a word may never end. */
  async #end(client: SqlClient): Promise<void> {
    try {
      await answered(client.end(), this.answerMs)
    } catch {
      // It is gone, one way or the other.
    }
  }
}
