/**
 * A session that died in the middle of a tool call goes on at three APIs, and is refused by each of them as it is stored.
 * The official SDKs speak to mocks that refuse what the real APIs refuse, in their words. Needs no key and no network.
 */
import Anthropic from '@anthropic-ai/sdk'
import { setupServer } from 'msw/node'
import OpenAI from 'openai'
// In a program of yours: from 'provider-history', 'provider-history/node' and 'provider-history/mock'.
import { readSessionFile } from '../src/files/index.ts'
import { type Change, toAnthropic, toOpenAIChat, toOpenAIResponses } from '../src/index.ts'
import { mockProviders } from '../src/mock/index.ts'
import { asChat, asResponses, storedMessages } from './unrepaired.ts'

const FILE = 'examples/session.jsonl'
const CLAUDE = 'claude-sonnet-4-6'
const GPT = 'gpt-4.1'

const server = setupServer(...mockProviders().handlers)
server.listen({ onUnhandledRequest: 'error' })
const anthropic = new Anthropic({ apiKey: 'none', maxRetries: 0 })
const openai = new OpenAI({ apiKey: 'none', maxRetries: 0 })

const { session, format } = await readSessionFile(FILE)
const forAnthropic = toAnthropic(session, { model: CLAUDE })
const forChat = toOpenAIChat(session, { model: GPT })
const forResponses = toOpenAIResponses(session, { model: GPT })
const stored = storedMessages(FILE)

interface Try {
  readonly api: string
  readonly changes: readonly Change[]
  repaired(): Promise<unknown>
  unrepaired(): Promise<unknown>
  /** What the real API says to the stored history. */
  readonly refusal: RegExp
}

const TRIES: readonly Try[] = [
  {
    api: 'Anthropic Messages',
    changes: forAnthropic.changes,
    repaired: () => anthropic.messages.create({ ...forAnthropic.request, model: CLAUDE, max_tokens: 1000 }),
    unrepaired: () => anthropic.messages.create({ messages: stored, model: CLAUDE, max_tokens: 1000 }),
    refusal: /`tool_use` ids were found without `tool_result` blocks immediately after: toolu_01push\./,
  },
  {
    api: 'OpenAI Chat Completions',
    changes: forChat.changes,
    repaired: () => openai.chat.completions.create({ ...forChat.request, model: GPT }),
    unrepaired: () => openai.chat.completions.create({ messages: asChat(stored), model: GPT }),
    refusal: /'tool_calls' must be followed by tool messages .* did not have response messages: toolu_01push/,
  },
  {
    api: 'OpenAI Responses',
    changes: forResponses.changes,
    repaired: () => openai.responses.create({ ...forResponses.request, model: GPT }),
    unrepaired: () => openai.responses.create({ input: asResponses(stored), model: GPT }),
    refusal: /No tool output found for function call toolu_01push\./,
  },
]

/** The status and words of a refusal; undefined when the request is accepted. */
async function refused(send: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await send()
    return undefined
  } catch (error) {
    if (error instanceof Anthropic.APIError || error instanceof OpenAI.APIError) return error.message
    throw error
  }
}

let failures = 0
function expectThat(holds: boolean, told: string): void {
  if (!holds) failures++
  console.log(`  ${holds ? 'ok     ' : 'NOT OK '} ${told}`)
}

console.log(`${FILE}: ${format}, ${session.messages.length} messages; the program died while a tool was running.`)

console.log('\nRead, repaired, converted, and sent with the official SDKs:')
for (const { api, repaired, changes } of TRIES) {
  const words = await refused(repaired)
  expectThat(words === undefined, words === undefined ? `${api} accepts it` : `${api} refuses it: ${words}`)
  for (const { severity, code, message } of changes)
    console.log(`            ${severity.padEnd(6)} ${code}: ${message}`)
}

console.log('\nThe same history as it is stored:')
for (const { api, unrepaired, refusal } of TRIES) {
  const words = await refused(unrepaired)
  expectThat(words !== undefined && refusal.test(words), `${api} ${words === undefined ? 'accepts it' : 'refuses it:'}`)
  if (words !== undefined) console.log(`          ${words}`)
}

server.close()
console.log(failures === 0 ? '\nAll as it should be.' : `\n${failures} not as it should be.`)
process.exitCode = failures === 0 ? 0 : 1
