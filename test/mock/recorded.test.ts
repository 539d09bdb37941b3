import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isObject, stringAt, valueAt } from '../../src/model/json.ts'
import { mocked } from './server.ts'

const RECORDED = new URL('../../../shared/recorded/', import.meta.url)
const present = existsSync(RECORDED)
if (!present) console.log('skipped: the keys of recorded answers, since ../shared is absent')

const mock = mocked()

/** The keys of a value and of all within it; of a list, those of its members by their type. What names things is no shape. */
function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return [`${path}[]`, ...value.flatMap((item) => keysOf(item, `${path}[${stringAt(item, 'type') ?? ''}]`))]
  }
  if (!isObject(value) || FREE.some((key) => path.endsWith(key))) return [path]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))
}

/** Values that repeat the request, or hold what the model says. */
const FREE = ['.input', '.tools', '.tools[function]', '.text', '.metadata', '.tool_choice', '.reasoning']

interface Row {
  readonly server: string
  readonly status: number
  readonly request: object
  readonly answer: object | null
}

function rowsOf(file: string, server: string): readonly (Row & { readonly answer: object })[] {
  if (!present) return []
  const lines = readFileSync(new URL(file, RECORDED), 'utf8').split('\n')
  const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
  return rows.flatMap((row) => (row.server === server && row.answer !== null ? [{ ...row, answer: row.answer }] : []))
}

async function answered(url: string, body: object): Promise<object> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as object
}

const CALL = { name: 'weather', args: { city: 'Oslo' } }
const MESSAGES = [{ role: 'user', content: 'Hello' }]
const CHAT_TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
const TOOLS = [{ type: 'function', name: 'weather', strict: true, parameters: { type: 'object' } }]

const APIS = [
  {
    file: 'anthropic.jsonl',
    server: 'anthropic',
    url: 'https://api.anthropic.com/v1/messages',
    body: { model: 'claude-opus-4-8', max_tokens: 8, messages: MESSAGES },
    refused: { model: 'claude-opus-4-8', max_tokens: 8, messages: MESSAGES, temperature: -5 },
  },
  {
    file: 'chat.jsonl',
    server: 'openai',
    url: 'https://api.openai.com/v1/chat/completions',
    body: { model: 'gpt-4o', messages: MESSAGES, tools: CHAT_TOOLS },
    refused: { model: 'gpt-4o', messages: MESSAGES, temperature: 99 },
  },
  {
    file: 'responses.jsonl',
    server: 'openai',
    url: 'https://api.openai.com/v1/responses',
    body: { model: 'gpt-5', input: 'Hello', tools: TOOLS, include: ['reasoning.encrypted_content'] },
    refused: { model: 'gpt-5', input: 'Hello', temperature: 99 },
  },
] as const

const sorted = (keys: readonly string[]): string[] => [...new Set(keys)].sort()

describe.skipIf(!present).each(APIS)('answers of $file', ({ file, server, url, body, refused }) => {
  const rows = rowsOf(file, server)
  const shapes = rows.filter(({ status }) => status === 200).map(({ answer }) => sorted(keysOf(answer)))
  const isRecorded = (answer: object): boolean => {
    const keys = sorted(keysOf(answer)).join('\n')
    return shapes.some((shape) => shape.join('\n') === keys)
  }

  it('have the keys of a recorded answer, for text and for a call', async () => {
    expect(shapes.length).toBeGreaterThan(20)
    mock.reply('Hello.', { toolCalls: [CALL] })
    for (const answer of [await answered(url, body), await answered(url, body)]) {
      const nearest = shapes.find((shape) => sorted(keysOf(answer)).every((key) => shape.includes(key)))
      expect(isRecorded(answer), `${sorted(keysOf(answer)).join(' ')}\n\nnearest: ${nearest?.join(' ')}`).toBe(true)
    }
  })

  it('have no key that was never recorded, for all at once', async () => {
    const known = new Set(shapes.flat())
    mock.reply({ text: 'Hello.', toolCalls: [CALL, CALL], ...(file === 'chat.jsonl' ? {} : { reasoning: 'Hm.' }) })
    const answer = await answered(url, body)
    expect(sorted(keysOf(answer)).filter((key) => !known.has(key))).toEqual([])
  })

  it('have the keys of a recorded refusal', async () => {
    const recorded = rows.filter(({ status }) => status === 400).map(({ answer }) => sorted(keysOf(answer)))
    const answer = await answered(url, refused)
    expect(valueAt(answer, 'error')).toBeDefined()
    expect(recorded).toContainEqual(sorted(keysOf(answer)))
  })
})
