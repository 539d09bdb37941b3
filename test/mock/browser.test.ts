import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * What touches no file also runs in browsers. The mocks are bundled for them with msw, and answer in a context that has what
 * a page has, and nothing of Node: the function of msw that asks its handlers is the one that its worker's client asks.
 */

const folder = mkdtempSync(join(tmpdir(), 'provider-history-browser-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Bundled for browsers; fails on whatever only Node has. */
function bundled(entry: string): string {
  const file = join(folder, 'out.js')
  const args = [entry, '--bundle', '--platform=browser', '--format=iife', '--global-name=bundle', `--outfile=${file}`]
  execFileSync(resolve('node_modules/.bin/esbuild'), [...args, '--log-level=error'], { stdio: 'pipe' })
  return readFileSync(file, 'utf8')
}

const NODE = /(?:require|import)\(?\s*["'](?:node:|fs|path|crypto|zlib|stream|buffer|process|util|os)\b/

describe('a bundle for browsers', () => {
  it.each([
    'src/index.ts',
    'src/check/index.ts',
    'src/mock/index.ts',
    'src/model/schema.ts',
    'src/read/choose.ts',
    'src/read/claude-code/index.ts',
    'src/write/anthropic/index.ts',
    'src/write/openai-chat/index.ts',
    'src/write/openai-responses/index.ts',
  ])('of %s needs nothing of Node', (entry) => {
    const code = bundled(entry)
    expect(code).toContain('bundle')
    expect(NODE.exec(code)).toBeNull()
    expect(code).not.toMatch(/\bBuffer\./)
  })

  it('would say so', () => {
    expect(() => bundled('src/files/index.ts')).toThrow('Could not resolve "node:')
  })
})

/** The names of the web that the code may use. Their objects are those of this process, which are made after the web's. */
const WEB = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'DOMException',
  'Event',
  'EventTarget',
  'FormData',
  'Headers',
  'MessageChannel',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'clearTimeout',
  'console',
  'crypto',
  'fetch',
  'performance',
  'queueMicrotask',
  'setTimeout',
  'structuredClone',
] as const

const ENTRY = `
import { getResponse } from 'msw'
import { mockProviders } from ${JSON.stringify(resolve('src/mock/index.ts'))}
export const mock = mockProviders()
export const ask = (url, body) =>
  getResponse(mock.handlers, new Request(url, { method: 'POST', body: JSON.stringify(body) }))
`

interface Bundle {
  readonly mock: {
    readonly requests: readonly { readonly violations: readonly unknown[] }[]
    reply(...replies: readonly unknown[]): void
    reset(): void
  }
  ask(url: string, body: unknown): Promise<Response | undefined>
}

const HELLO = [{ role: 'user', content: 'Hello' }]
const CALL = { reasoning: 'Hm.', text: 'I look.', toolCalls: [{ name: 'look', args: { at: 'é🧭' } }] }

const APIS = [
  {
    url: 'https://api.anthropic.com/v1/messages',
    body: { model: 'claude-opus-4-8', max_tokens: 8, messages: HELLO },
    refused: { model: 'claude-opus-4-8', max_tokens: 8, messages: [] },
    end: 'event: message_stop',
  },
  {
    url: 'https://api.openai.com/v1/chat/completions',
    body: { model: 'gpt-4o', messages: HELLO },
    refused: { model: 'gpt-4o', messages: [] },
    end: 'data: [DONE]',
  },
  {
    url: 'https://api.openai.com/v1/responses',
    body: { model: 'gpt-5', input: 'Hello' },
    refused: { model: 'gpt-5', input: {} },
    end: 'event: response.completed',
  },
]

describe('in a context without Node', () => {
  let bundle: Bundle

  beforeAll(() => {
    // Where packages are found from.
    const entry = resolve('node_modules/.cache/provider-history/browser.js')
    mkdirSync(dirname(entry), { recursive: true })
    writeFileSync(entry, ENTRY)
    const code = bundled(entry)
    rmSync(entry)
    const globals: { [name: string]: unknown } = Object.fromEntries(WEB.map((name) => [name, globalThis[name]]))
    globals.location = new URL('https://app.example/')
    globals.document = { cookie: '' }
    // Where msw keeps cookies.
    globals.localStorage = { getItem: () => null, setItem: () => {} }
    const context = createContext(globals)
    bundle = runInContext(`${code}\nbundle`, context) as Bundle
    expect(runInContext('typeof process + typeof Buffer + typeof require + typeof global', context)).toBe(
      'undefined'.repeat(4),
    )
  })

  it.each(APIS)('$url is answered plain and as a stream', async ({ url, body, end }) => {
    bundle.mock.reset()
    bundle.mock.reply(CALL, CALL)
    const plain = await bundle.ask(url, body)
    expect(plain?.status).toBe(200)
    expect(JSON.stringify(await plain?.json())).toContain('é🧭')
    const streamed = await bundle.ask(url, { ...body, stream: true })
    expect(streamed?.headers.get('content-type')).toContain('text/event-stream')
    expect(await streamed?.text()).toContain(end)
  })

  it.each(APIS)('$url refuses in its words', async ({ url, refused }) => {
    bundle.mock.reset()
    const response = await bundle.ask(url, { ...refused, stream: true })
    expect(response?.status).toBe(400)
    expect(response?.headers.get('content-type')).toBe('application/json')
    expect(await response?.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(bundle.mock.requests[0]?.violations).not.toHaveLength(0)
  })
})
