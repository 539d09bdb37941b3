import { ReadError } from '../model/error.ts'
import type { FormatId, Session } from '../model/session.ts'
import { readSession } from '../read/index.ts'
import type { ReadResult } from '../read/reader.ts'
import { closedJson, trailingFields } from './cut-json.ts'
import { opened } from './file-bytes.ts'
import { unpackedHead } from './unpack.ts'

/** What the beginning and the end of a file tell of its session. */
export interface Glimpse {
  readonly format: FormatId
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly parent?: Session['parent']
}

const HEAD = 32 * 1024
/** Some tools write long instructions into the first record. */
const LONGEST_HEAD = 512 * 1024
const TAIL = 32 * 1024

/** Undefined when no known format fits, or the file cannot be read. Reads no more than the beginning and the end. */
export async function glimpse(path: string): Promise<Glimpse | undefined> {
  try {
    const { head, tail } = await endsOf(path)
    const whole = tail === undefined ? attempt(head) : glimpsed(head, tail)
    return whole === undefined ? undefined : toldBy(whole, tail === undefined ? whole : attempt(headText(head)))
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

/** `head` is the session whose first prompt is the first one. */
function toldBy({ format, session }: ReadResult, head: ReadResult | undefined): Glimpse {
  const { id, title, parent } = session
  return { format, id, title: title ?? firstPrompt(head?.session ?? session), parent }
}

/** Titles and summaries may stand at the end, and so may what tells the format. */
function glimpsed(head: string, tail: string): ReadResult | undefined {
  const text = headText(head)
  const whole = isLines(head) ? `${text}\n${tail}` : withFields(text, trailingFields(tail.slice(-LAST_FIELDS)))
  return attempt(whole) ?? attempt(text)
}

const LAST_FIELDS = 8 * 1024

/** The beginning has the last word: the end may be of another value. */
function withFields(text: string, fields: object): string {
  if (!text.startsWith('{') || text === '{}' || Object.keys(fields).length === 0) return text
  return `${JSON.stringify(fields).slice(0, -1)},${text.slice(1)}`
}

function attempt(text: string): ReadResult | undefined {
  try {
    return readSession(text)
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

/** Whether the first line is a record of its own. */
function isLines(head: string): boolean {
  const line = head.slice(0, Math.max(0, head.indexOf('\n')))
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

/** The beginning of a file without what is cut at its end: whole lines, or what of a value is whole. */
function headText(head: string): string {
  return isLines(head) ? head.slice(0, head.lastIndexOf('\n')) : (closedJson(head) ?? head)
}

/** Without a tail when the head is all of it. */
async function endsOf(path: string): Promise<{ readonly head: string; readonly tail?: string }> {
  const file = await opened(path)
  try {
    const { size } = await file.stat()
    const stretch = async (from: number, length: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(length)
      const { bytesRead } = await file.read(bytes, 0, length, from)
      return bytes.subarray(0, bytesRead)
    }
    const first = await stretch(0, Math.min(size, HEAD))
    const packed = await unpackedHead(first, LONGEST_HEAD)
    if (packed !== undefined) return { head: text(packed.bytes), ...(packed.isCutOff ? { tail: '' } : {}) }
    if (size <= HEAD + TAIL) return { head: text(await stretch(0, size)) }
    const head = first.includes(NEWLINE) ? first : await stretch(0, Math.min(size, LONGEST_HEAD))
    const tail = text(await stretch(size - TAIL, TAIL))
    return { head: text(head), tail: tail.slice(tail.indexOf('\n') + 1) }
  } finally {
    await file.close()
  }
}

const NEWLINE = 10

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const LONGEST_TITLE = 80

/** The beginning of what the user first asked: what tools show where nobody gave a title. */
function firstPrompt({ messages }: Session): string | undefined {
  for (const message of messages) {
    if (message.role !== 'user' || (message.kind ?? 'prompt') !== 'prompt') continue
    const said = message.parts.find((part) => part.type === 'text' && /\S/.test(part.text))
    if (said?.type !== 'text') continue
    const line = said.text
      .slice(0, 4 * LONGEST_TITLE)
      .replace(/\s+/g, ' ')
      .trim()
    return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1)}…`
  }
  return undefined
}
