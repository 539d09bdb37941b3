import type { JournalStore } from '../../src/journal/index.ts'
import { CANCEL, Lines } from '../../src/journal/stores/lines.ts'

export interface BytesStore extends JournalStore {
  readonly bytes: Buffer
}

/** Bytes as a file would hold them, without a file: for tests that open thousands of journals. */
export function bytesStore(stored: Buffer): BytesStore {
  let bytes = stored
  let lineEnd = ''
  return {
    repairs: true,
    get bytes() {
      return bytes
    },
    async open(_owner, maxLineBytes) {
      return {
        async read(take) {
          const lines = new Lines(take, maxLineBytes)
          lines.push(bytes)
          lineEnd = lines.finish() ? '\n' : ''
        },
        endTorn() {
          lineEnd = `${String.fromCharCode(CANCEL)}\n`
        },
        async append(added) {
          bytes = Buffer.concat([bytes, Buffer.from(`${lineEnd}${added.map((line) => `${line}\n`).join('')}`)])
          lineEnd = ''
        },
        async close() {},
      }
    },
  }
}
