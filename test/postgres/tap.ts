import type { SqlClient, SqlNotification } from '../../src/journal/postgres/index.ts'

/** When a connection breaks: before the server has what is asked, or after it has done it and before it could say so. */
export type Cut = 'before' | 'after' | undefined

export const isAppend = (text: string): boolean => text.includes('string_to_array')

/** A way to a server that a test can cut, and where it hears what is asked. */
export class Tap {
  readonly #connect: () => Promise<SqlClient>
  readonly #open = new Set<() => void>()
  /** What was asked over all connections. */
  readonly asked: { readonly text: string; readonly values: readonly unknown[] }[] = []
  connections = 0
  /** No new connection comes about. */
  isAway = false
  cuts: (text: string) => Cut = () => undefined

  constructor(connect: () => Promise<SqlClient>) {
    this.#connect = connect
  }

  /** Breaks all connections, whatever goes over them. */
  cut(): void {
    for (const cut of [...this.#open]) cut()
  }

  readonly connect = async (): Promise<SqlClient> => {
    if (this.isAway) throw broken()
    const client = await this.#connect()
    this.connections++
    const listeners: ((error: Error) => void)[] = []
    let isCut = false
    const cut = (): void => {
      if (isCut) return
      isCut = true
      this.#open.delete(cut)
      for (const listener of listeners) listener(broken())
    }
    this.#open.add(cut)
    return {
      query: async (query) => {
        const { text, values = [] } = query
        this.asked.push({ text, values })
        const when = this.cuts(text)
        if (when === 'before') cut()
        if (isCut) throw broken()
        const answer = await client.query(query)
        if (when === 'after') cut()
        if (isCut) throw broken()
        return answer
      },
      on(event: 'error' | 'notification', listener: ((error: Error) => void) & ((message: SqlNotification) => void)) {
        if (event === 'error') listeners.push(listener)
        else client.on('notification', (message) => (isCut ? undefined : listener(message)))
      },
      end: () => {
        this.#open.delete(cut)
        return client.end()
      },
    }
  }
}

const broken = (): Error => new Error('Connection terminated unexpectedly')
