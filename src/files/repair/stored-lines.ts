import type { SourceRecord } from '../../read/reader.ts'

/** JSON lines as the tools themselves load them: a line that is not JSON by itself is passed over. */
export interface StoredLines {
  readonly records: readonly SourceRecord[]
  readonly tail: Tail
}

/**
 * How a file ends: `ended` by a newline (or empty); `whole`: its last line is JSON, and only the newline is missing;
 * `torn`: its last line is cut off.
 */
export interface Tail {
  readonly state: 'ended' | 'whole' | 'torn'
  /** Bytes of the last line, when no newline ends it. */
  readonly offset: number
  readonly length: number
}

const NEWLINE = 10

export function storedLines(bytes: Uint8Array): StoredLines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const records: SourceRecord[] = []
  let start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  let line = 1
  for (let end = buffer.indexOf(NEWLINE, start); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
    add(records, line, buffer.toString('utf8', start, end))
    start = end + 1
    line++
  }
  const rest = buffer.toString('utf8', start)
  const at = { offset: start, length: buffer.length - start }
  if (isBlank(rest)) return { records, tail: { state: 'ended', ...at } }
  return { records, tail: { state: add(records, line, rest) ? 'whole' : 'torn', ...at } }
}

/** As JSON knows blank space: with any other a record behind it would be none. */
const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

function add(records: SourceRecord[], line: number, text: string): boolean {
  try {
    records.push({ line, value: JSON.parse(text) as unknown })
    return true
  } catch {
    return false
  }
}

/** What is appended to a file that ends so: whole lines, never glued to what stands there. */
export function appendix(tail: Tail, lines: readonly string[]): Uint8Array {
  const begin = tail.state === 'ended' ? '' : '\n'
  return Buffer.from(begin + lines.map((line) => `${line}\n`).join(''))
}
