import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listSessions, readSessionDir, readSessionFile, repairSessionFile } from '../../src/files/index.ts'
import { ReadError } from '../../src/index.ts'
import { fileFolder } from '../folders.ts'

const folder = fileFolder()

const stored = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The reason for which a file is refused. */
async function refusal(path: string, options = {}): Promise<string> {
  try {
    await readSessionFile(path, options)
  } catch (error) {
    expect(ReadError.is(error)).toBe(true)
    return (error as Error).message
  }
  throw new Error('the file was read')
}

const body = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
  ],
})

describe('readSessionFile', () => {
  it('reads a plain file, also through a link that the caller names', async () => {
    const path = stored('plain.json', body)
    const link = join(folder, 'link.json')
    symlinkSync(path, link)
    for (const each of [path, link]) {
      const { format, session } = await readSessionFile(each)
      expect(format).toBe('anthropic')
      expect(session.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
    }
  })

  it('reads a file that is compressed by gzip, whatever its name', async () => {
    const path = stored('compressed.json', gzipSync(body))
    expect((await readSessionFile(path)).session.messages).toHaveLength(2)
  })

  it('reads gzip that was appended to', async () => {
    const lines = (JSON.parse(body) as { messages: unknown[] }).messages.map(
      (message) => `${JSON.stringify(message)}\n`,
    )
    const path = stored('members.gz', Buffer.concat(lines.map((line) => gzipSync(line))))
    expect((await readSessionFile(path, { format: 'anthropic' })).session.messages).toHaveLength(2)
  })

  it('passes options on to the reader', async () => {
    const path = stored('named.json', body)
    expect((await readSessionFile(path, { format: 'openai-chat' })).format).toBe('openai-chat')
  })

  it('reads what came before the place where gzip is cut off, and says so', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, index) => `${JSON.stringify({ role: 'user', content: noise(index) })}\n`,
    )
    const whole = gzipSync(lines.join(''))
    const path = stored('cut.gz', whole.subarray(0, whole.length - 500))
    const { session, changes } = await readSessionFile(path, { format: 'anthropic' })
    expect(changes.map((change) => change.code)).toContain('file-cut-off')
    const texts = session.messages.flatMap((message) => message.parts.map((part) => ('text' in part ? part.text : '')))
    expect(texts[0]).toContain(noise(0))
    expect(texts.length).toBeGreaterThan(0)
  })

  it('refuses gzip of which nothing can be read', async () => {
    expect(await refusal(stored('bad.gz', Buffer.from('1f8b0800000000000003ffffffff', 'hex')))).toMatch(/gzip/)
    expect(await refusal(stored('head.gz', gzipSync(body).subarray(0, 6)))).toMatch(/gzip/)
  })
})

describe('what is refused', () => {
  it('is no regular file', async () => {
    const directory = join(folder, 'directory')
    mkdirSync(directory)
    expect(await refusal(directory)).toMatch(/is a directory/)
    if (process.platform !== 'win32') {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      expect(await refusal(pipe)).toMatch(/is not a regular file/)
      expect(await refusal('/dev/null')).toMatch(/is not a regular file/)
    }
  })

  it('is not there, or may not be read', async () => {
    const missing = join(folder, 'missing.jsonl')
    for (const read of [readSessionFile, readSessionDir, repairSessionFile])
      await expect(read(missing)).rejects.toThrow(`${missing}: there is no such file`)
    await expect(listSessions(missing)).rejects.toThrow(`${missing}: there is no such file or directory`)
    expect(await refusal(join(folder, 'plain.json', 'x'))).toMatch(/there is no such file|ENOTDIR/)
    expect(await refusal('a\0b')).toMatch(/cannot be opened/)
  })

  it('is empty', async () => {
    expect(await refusal(stored('empty.jsonl', ''))).toMatch(/empty/)
    expect(await refusal(stored('empty.gz', gzipSync('')))).toMatch(/empty/)
  })

  it('is over the size limit', async () => {
    expect(await refusal(stored('large.json', body), { maxBytes: 20 })).toMatch(/over 20 bytes; maxBytes/)
    expect(await refusal(stored('large.gz', gzipSync(body)), { maxBytes: body.length - 1 })).toMatch(/maxBytes/)
  })

  it('is a bomb', async () => {
    const bomb = stored('bomb.gz', gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')))
    expect(await refusal(bomb)).toMatch(/maxRatio/)
    expect(await refusal(bomb, { maxRatio: 10_000 })).toMatch(/empty/)
  })

  it('is no text, and it is said what it is', async () => {
    expect(await refusal(stored('a.db', sqlite(`{"role":"user","content":"hello"}\n`)))).toMatch(/SQLite database/)
    expect(await refusal(stored('a.zst', Buffer.from('28b52ffd0458', 'hex')))).toMatch(/zstd/)
    expect(await refusal(stored('a.zip', Buffer.from('504b03040a00', 'hex')))).toMatch(/ZIP/)
    expect(await refusal(stored('a.xz', Buffer.from('fd377a585a0000', 'hex')))).toMatch(/xz/)
    expect(await refusal(stored('twice.gz', gzipSync(gzipSync(body))))).toMatch(/gzip/)
  })
})

const sqlite = (text: string): Buffer => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.from(text)])

/** Text that does not compress to nothing. */
function noise(seed: number): string {
  let value = seed + 1
  let text = ''
  for (let index = 0; index < 40; index++) {
    value = (value * 48271) % 2147483647
    text += value.toString(36)
  }
  return text
}
