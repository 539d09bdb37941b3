import { LockedError } from '../error.ts'
import type { JournalStore, StoredLine } from '../store.ts'

/** A journal that ends with the process: for tests, and for sessions that nobody wants to keep. Nothing in it is repaired. */
export interface MemoryStore extends JournalStore {
  /** The records as JSON lines, for a reader; '' while there is none. */
  text(): string
}

/**
 * A new journal in memory. It is opened by one at a time, and again after `close`, with all its records: a second opening rejects
 * with a `LockedError`.
 */
export function memoryStore(): MemoryStore {
  const stored: string[] = []
  let isOpen = false
  return {
    repairs: false,
    text: () => stored.map((line) => `${line}\n`).join(''),
    async open(owner) {
      if (isOpen) throw new LockedError('the memory store', holder(owner))
      isOpen = true
      return {
        async read(take) {
          for (const [index, text] of stored.entries()) take(lineOf(text, index))
        },
        endTorn() {},
        async append(lines) {
          stored.push(...lines)
        },
        async close() {
          isOpen = false
        },
      }
    },
  }
}

const holder = (name: string | undefined): LockedError['owner'] => ({
  host: 'this process',
  pid: process.pid,
  since: '',
  ...(name === undefined ? {} : { name }),
})

function lineOf(text: string, index: number): StoredLine {
  return { text, number: index + 1, offset: index, length: text.length, end: 'whole' }
}
