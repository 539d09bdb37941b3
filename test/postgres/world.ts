import { afterAll, beforeAll, expect } from 'vitest'
import { type Connection, journalText, type PostgresOptions, type SqlClient } from '../../src/journal/postgres/index.ts'
import { Link } from '../../src/journal/postgres/link.ts'
import { persisting } from '../../src/journal/postgres/passing.ts'
import type { ToolCallState } from '../../src/model/session.ts'

/** A PostgreSQL for tests. */
export interface Server {
  connect(): Promise<SqlClient>
  close(): Promise<void>
}

export interface StoredRow {
  readonly seq: number
  readonly token: number
  readonly record: string
}

export const TABLE = 'provider_history_journal'

/** What the tests of one file share: a server, and somebody who looks into its table. */
export class World {
  readonly name: string
  readonly #run = `${process.pid}-${Date.now()}`
  #server: Server | undefined
  /** Comes back when the server does. */
  readonly #admin = new Link({ connection: () => this.connect(), answerMs: 30_000, greet: async () => {} })
  #count = 0

  constructor(name: string, start: () => Promise<Server>) {
    this.name = name
    beforeAll(async () => {
      this.#server = await start()
      await this.sql(`drop table if exists ${TABLE}`)
    }, 120_000)
    afterAll(async () => {
      await this.#admin.close()
      await this.#server?.close()
    })
  }

  readonly connect = (): Promise<SqlClient> => this.#server!.connect()

  /** Of a journal of its own. Its lease holds longer than any test takes. */
  place(more: Partial<PostgresOptions> = {}): PostgresOptions & { readonly connection: Exclude<Connection, string> } {
    const place = { connection: this.connect, session: `${this.#run}-${this.#count++}`, leaseMs: 600_000, ...more }
    return place as PostgresOptions & { readonly connection: Exclude<Connection, string> }
  }

  sql(text: string, ...values: unknown[]): Promise<readonly unknown[]> {
    return persisting(() => this.#admin.query(text, values), 30_000)
  }

  /** Row 0 is the lease. */
  async rows(session: string): Promise<StoredRow[]> {
    const text = `select seq::int4 as seq, token::int4 as token, record from ${TABLE} where session = $1 order by seq`
    return (await this.sql(text, session)) as StoredRow[]
  }

  /** Lets time pass for the lease of a journal. */
  async expire(session: string): Promise<void> {
    await this.sql(`update ${TABLE} set until = now() - interval '1 second' where session = $1 and seq = 0`, session)
  }

  /** The texts of all messages of the user, as a reader without a lease finds them. */
  async texts(session: string): Promise<string[]> {
    const text = await journalText({ connection: this.connect, session })
    return textsIn(text.split('\n').slice(0, -1))
  }
}

interface Told {
  readonly type: string
  readonly message?: { readonly parts: readonly { readonly text: string }[] }
}

export const textsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => JSON.parse(line) as Told).flatMap(({ message }) => message?.parts.map(({ text }) => text) ?? [])

export const done = (result: string): ToolCallState => ({ status: 'completed', result })

export const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => index + from)

export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !holds(); tries++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(holds()).toBe(true)
}

/** Numbers below 1 that are the same in every run. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
