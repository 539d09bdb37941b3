/** How a tool writes lines, a line for each number in order: its first one, what is said, and a compaction of all before. */
interface Tool {
  readonly format: string
  readonly first?: object
  said(number: number, text: string): object
  compaction(number: number): object
}

const AT = '2026-01-01T00:00:00.000Z'
const uuid = (number: number): string => `uuid-${String(number).padStart(31, '0')}`
const parentOf = (number: number): string | null => (number === 0 ? null : uuid(number - 1))
const parts = (text: string) => ({ role: 'user', parts: [{ text }] })
const content = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const linked = (number: number) => ({ uuid: uuid(number), parentUuid: parentOf(number), sessionId: 'S', timestamp: AT })
const entry = (number: number) => ({ id: uuid(number), parentId: parentOf(number), timestamp: AT })

export const TOOLS: readonly Tool[] = [
  {
    format: 'claude-code',
    said: (number, text) => ({ type: 'user', ...linked(number), message: { role: 'user', content: text } }),
    compaction: (number) => ({
      type: 'user',
      ...linked(number),
      parentUuid: null,
      isCompactSummary: true,
      message: { role: 'user', content: 'summary' },
    }),
  },
  {
    format: 'codex',
    first: { timestamp: AT, type: 'session_meta', payload: { id: 'S', cwd: '/w' } },
    said: (_, text) => ({
      timestamp: AT,
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    }),
    compaction: () => ({
      timestamp: AT,
      type: 'compacted',
      payload: { message: '', replacement_history: [{ ...content('summary'), type: 'message' }] },
    }),
  },
  {
    format: 'gemini-cli',
    first: { sessionId: 'S', projectHash: 'H', startTime: AT },
    said: (number, text) => ({ id: uuid(number), type: 'user', timestamp: AT, content: [{ text }] }),
    compaction: (number) => ({
      $set: { messages: [{ id: uuid(number), type: 'user', content: [{ text: 'summary' }] }] },
    }),
  },
  {
    format: 'pi',
    first: { type: 'session', version: 3, id: 'S', timestamp: AT, cwd: '/w' },
    said: (number, text) => ({ type: 'message', ...entry(number), message: { ...content(text), timestamp: 1 } }),
    compaction: (number) => ({
      type: 'compaction',
      ...entry(number),
      summary: 'summary',
      firstKeptEntryId: uuid(number),
      tokensBefore: 1,
    }),
  },
  {
    format: 'qwen-code',
    said: (number, text) => ({ type: 'user', ...linked(number), message: parts(text) }),
    compaction: (number) => ({
      type: 'system',
      subtype: 'chat_compression',
      ...linked(number),
      systemPayload: { compressedHistory: [parts('summary')] },
    }),
  },
  {
    format: 'zut',
    first: { type: 'meta', meta: { id: 'S', cwd: '/w', started: AT, provider: 'anthropic', model: 'm' } },
    said: (_, text) => ({ type: 'message', message: content(text) }),
    compaction: () => ({ type: 'compaction', messages: [content('summary')] }),
  },
]

export const FILLER: string = 'x'.repeat(600)
const BETWEEN = 2000

/** A file of about so many bytes: compactions among what is said, and behind the last of them the end. */
export function* compactedFile(tool: Tool, bytes: number): Generator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`
  if (tool.first !== undefined) yield line(tool.first)
  let number = 0
  for (let size = 0; size < bytes; ) {
    let block = ''
    for (let count = 0; count < BETWEEN; count++) block += line(tool.said(number++, FILLER))
    block += line(tool.compaction(number++))
    size += block.length
    yield block
  }
  yield line(tool.said(number, 'the end'))
}
