/** Short ways to write request bodies. */

export type Fields = { readonly [key: string]: unknown }

export const MODEL = 'claude-haiku-4-5'

export const text = (value: unknown, more: Fields = {}): Fields => ({ type: 'text', text: value, ...more })
export const call = (id: unknown, more: Fields = {}): Fields => ({
  type: 'tool_use',
  id,
  name: 'look',
  input: {},
  ...more,
})
export const result = (id: unknown, more: Fields = {}): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
})
export const thinking = (more: Fields = {}): Fields => ({
  type: 'thinking',
  thinking: 'hm',
  signature: 'c2ln',
  ...more,
})
export const search = (id: unknown, more: Fields = {}): Fields => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'q' },
  ...more,
})
export const found = (id: unknown, more: Fields = {}): Fields => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [{ type: 'web_search_result', title: 't', url: 'https://a.example', encrypted_content: 'abc' }],
  ...more,
})

export const user = (...content: unknown[]): Fields => ({ role: 'user', content })
export const assistant = (...content: unknown[]): Fields => ({ role: 'assistant', content })
export const system = (content: unknown, more: Fields = {}): Fields => ({ role: 'system', content, ...more })

export const hi: Fields = { role: 'user', content: 'hi' }
export const ok: Fields = { role: 'assistant', content: 'ok' }

export const TOOL: Fields = { name: 'look', input_schema: { type: 'object', properties: {} } }

/** A request of a few messages. */
export const body = (messages: unknown, more: Fields = {}): Fields => ({
  model: MODEL,
  max_tokens: 4096,
  tools: [TOOL],
  messages,
  ...more,
})

/** A request of one user message. */
export const ask = (...content: unknown[]): Fields => body([user(...content)])

/** A request whose one result holds these blocks. */
export const answered = (content: unknown, more: Fields = {}): Fields =>
  body([hi, assistant(call('t1')), user(result('t1', { content, ...more }))])

/** A request of one user message and these parameters. */
export const asking = (more: Fields): Fields => body([hi], more)

export const marked = { cache_control: { type: 'ephemeral' } }
export const markedFor = (ttl: unknown): Fields => ({ cache_control: { type: 'ephemeral', ttl } })

const base64 = (...bytes: readonly number[]): string => Buffer.from(bytes).toString('base64')

const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(33)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

export const PNG: string = png(10, 10)
export const bigPng: (width: number, height: number) => string = png
export const JPEG: string = base64(
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
  ...[0xff, 0xc0, 0, 17, 8, 0, 10, 0, 10, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
)
export const PDF: string = Buffer.from('%PDF-1.4\n').toString('base64')

export const image = (data: unknown, mediaType: unknown = 'image/png', more: Fields = {}): Fields => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
  ...more,
})
export const imageFrom = (source: unknown): Fields => ({ type: 'image', source })
export const documentFrom = (source: unknown): Fields => ({ type: 'document', source })
export const pdf = (data: unknown, mediaType: unknown = 'application/pdf'): Fields =>
  documentFrom({ type: 'base64', media_type: mediaType, data })
