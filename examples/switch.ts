/**
 * A session changes its provider in the middle, and comes back: Claude thinks and calls tools, GPT goes on, Claude ends it.
 * Each request goes through the official SDK to a mock that refuses what the real API refuses. Needs no key and no network.
 */
import Anthropic from '@anthropic-ai/sdk'
import { setupServer } from 'msw/node'
import OpenAI from 'openai'
// In a program of yours: from 'provider-history' and 'provider-history/mock'.
import {
  type AssistantMessage,
  type Change,
  fromAnthropic,
  fromOpenAIResponses,
  sessionBuilder,
  toAnthropic,
  toOpenAIResponses,
} from '../src/index.ts'
import { mockProviders } from '../src/mock/index.ts'

const CLAUDE = 'claude-sonnet-4-6'
const GPT = 'gpt-5'

const providers = mockProviders()
const server = setupServer(...providers.handlers)
server.listen({ onUnhandledRequest: 'error' })
const anthropic = new Anthropic({ apiKey: 'none' })
const openai = new OpenAI({ apiKey: 'none' })

const history = sessionBuilder({
  instructions: [{ type: 'text', text: 'You look after a shop.' }],
  tools: [{ name: 'stock', description: 'How many of a thing are left.', parameters: { type: 'object' } }],
})

async function askClaude(): Promise<AssistantMessage> {
  const { request, changes } = toAnthropic(history.build().session, { model: CLAUDE, thinking: true })
  tell('Claude', changes)
  const thinking = { type: 'enabled', budget_tokens: 1024 } as const
  return fromAnthropic(await anthropic.messages.create({ ...request, model: CLAUDE, max_tokens: 2000, thinking }))
}

async function askGPT(): Promise<AssistantMessage> {
  const { request, changes } = toOpenAIResponses(history.build().session, { model: GPT })
  tell('GPT', changes)
  return fromOpenAIResponses(await openai.responses.create({ ...request, model: GPT }))
}

let told = ''
function tell(whom: string, changes: readonly Change[]): void {
  const lines = changes.map(({ severity, code, message }) => `    ${severity} ${code}: ${message}`)
  const text = [`  to ${whom}${lines.length === 0 ? ', all as it is' : ':'}`, ...lines].join('\n')
  if (text !== told) console.log(text)
  told = text
}

/** Asks until no tool is called any more. The history is one and the same, whoever answers. */
async function turn(question: string, ask: () => Promise<AssistantMessage>): Promise<void> {
  console.log(`\n${question}`)
  history.user(question)
  for (;;) {
    const { parts, ...about } = await ask()
    history.assistant(parts, about)
    for (const part of parts) if (part.type === 'text') console.log(`  ${about.by?.model}: ${part.text}`)
    const calls = parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) return
    for (const { id } of calls) history.settle(id, { status: 'completed', result: '3 left' })
  }
}

// What the models will say.
const call = (thing: string) => ({ name: 'stock', args: { thing } })
providers.reply(
  { reasoning: 'I count both.', toolCalls: [call('cups'), call('plates')] },
  { reasoning: 'Three of each.', text: 'There are three of each.' },
  { reasoning: 'The forks, too.', toolCalls: [call('forks')] },
  'There are three forks as well.',
  { reasoning: 'Nine pieces.', text: 'Nine pieces in all.' },
)

await turn('How many cups and plates are left?', askClaude)
await turn('And forks?', askGPT)
await turn('How many pieces are that in all?', askClaude)

providers.expectAccepted()
const [, , gpt = '', , back = ''] = providers.requests.map(({ body }) => JSON.stringify(body))
const kept = !gpt.includes('I count both.') && back.includes('I count both.') && !back.includes('The forks, too.')
console.log(`\n${providers.requests.length} requests, all accepted.`)
console.log(`Signed thinking went back to the model that made it, and to no other: ${kept ? 'yes' : 'NO'}`)
server.close()
process.exitCode = kept ? 0 : 1
