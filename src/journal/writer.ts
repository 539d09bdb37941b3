import { JournalError } from './error.ts'
import type { OpenStore } from './store.ts'

/** A record on its way to the store. */
export interface Pending {
  readonly line: string
  /** Whether it is durable before it is acknowledged; else when the next record that is. */
  readonly sync: boolean
  /** It may be seen. */
  written(): void
  /** It is durable: observers may hear of it. */
  durable(): void
}

interface Waiting {
  readonly pending: Pending
  resolve(): void
  reject(error: unknown): void
}

/** Bytes that are handed to the store at once, about. */
const BATCH_CHARACTERS = 8 * 1024 * 1024

/**
 * Group commit: while one group is being written and synced, the records that come meanwhile make up the next one, and
 * share its sync. After a fault nothing is written any more, since what is stored is not known then.
 */
export class Writer {
  readonly #store: OpenStore
  #waiting: Waiting[] = []
  /** Written, not yet durable. */
  #unsynced: Pending[] = []
  #running: Promise<void> | undefined
  #fault: Error | undefined

  constructor(store: OpenStore) {
    this.#store = store
  }

  /** Why nothing is written any more. */
  get fault(): Error | undefined {
    return this.#fault
  }

  add(pending: Pending): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pending, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Writes and syncs what waits, and refuses all that comes. */
  async close(): Promise<void> {
    const closed = new JournalError('closed', 'the journal is closed')
    const before = this.#fault
    this.#fault ??= closed
    await this.#running
    if (before === undefined && this.#fault === closed && this.#unsynced.length > 0) await this.#sync()
  }

  async #sync(): Promise<void> {
    await this.#store.append([], true)
    this.#tell()
  }

  async #run(): Promise<void> {
    // So that what is handed in within one turn of the event loop is one group.
    await undefined
    while (this.#waiting.length > 0) await this.#write(this.#nextGroup())
    this.#running = undefined
  }

  #nextGroup(): Waiting[] {
    let characters = 0
    let count = 0
    for (const { pending } of this.#waiting) {
      const { line } = pending
      if (count > 0 && characters + line.length > BATCH_CHARACTERS) break
      characters += line.length
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const sync = group.some(({ pending }) => pending.sync)
      await this.#store.append(
        group.map(({ pending }) => pending.line),
        sync,
      )
      for (const { pending } of group) {
        pending.written()
        this.#unsynced.push(pending)
      }
      if (sync) this.#tell()
      for (const { resolve } of group) resolve()
    } catch (error) {
      this.#fail(error as Error, group)
    }
  }

  #tell(): void {
    const durable = this.#unsynced
    this.#unsynced = []
    for (const pending of durable) pending.durable()
  }

  #fail(error: Error, group: readonly Waiting[]): void {
    this.#fault = error
    const refused = [...group, ...this.#waiting]
    this.#waiting = []
    for (const { reject } of refused) reject(error)
  }
}
