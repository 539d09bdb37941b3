/**
 * A session goes on after a crash in the middle of a tool call: what became of the call is asked where it can be known, and
 * else the model is told that nobody knows. Needs no key and no network.
 */
import Anthropic from '@anthropic-ai/sdk'
import { setupServer } from 'msw/node'
// In a program of yours: from 'provider-history', 'provider-history/node' and 'provider-history/mock'.
import { readSessionFile } from '../src/files/index.ts'
import { fromAnthropic, openThread, resolveSession, type Session, type ToolCallEntry } from '../src/index.ts'
import { mockProviders } from '../src/mock/index.ts'

const MODEL = 'claude-sonnet-4-6'

const providers = mockProviders()
const server = setupServer(...providers.handlers)
server.listen({ onUnhandledRequest: 'error' })
const client = new Anthropic({ apiKey: 'none' })

const { session } = await readSessionFile('examples/session.jsonl')

/** Goes on with the session until the model calls no more tools. */
async function goOn(start: Session): Promise<void> {
  const thread = openThread('anthropic', { model: MODEL, start })
  for (const { severity, code, message } of thread.request().changes) console.log(`  ${severity} ${code}: ${message}`)
  for (;;) {
    const { request } = thread.request()
    const answer = fromAnthropic(await client.messages.create({ ...request, model: MODEL, max_tokens: 1000 }))
    thread.push(answer)
    for (const part of answer.parts) if (part.type === 'text') console.log(`  Claude: ${part.text}`)
    const calls = answer.parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) return
    for (const { id } of calls) thread.settle(id, { status: 'completed', result: 'shop@1.4.2' })
  }
}

console.log('Nobody knows what became of the call, so the model looks for itself:')
providers.reply(
  { text: 'I look at what is published.', toolCalls: [{ name: 'Bash', args: { command: 'npm view shop version' } }] },
  'It is out.',
)
await goOn(session)

console.log('\nThe registry knows, so the call gets its real result:')
/** Where an effect leaves a trace, ask for it. Undefined: nothing is known there either. */
async function lookUp(call: ToolCallEntry) {
  const command = JSON.stringify(call.args)
  return command.includes('npm publish') ? ({ status: 'completed', result: '+ shop@1.4.2' } as const) : undefined
}
const resolved = await resolveSession(session, { call: lookUp })
providers.reply('It is out.')
await goOn(resolved.session)

providers.expectAccepted()
const [unknown = '', , known = ''] = providers.requests.map(({ body }) => JSON.stringify(body))
const truthful = unknown.includes('its outcome is unknown') && known.includes('+ shop@1.4.2')
console.log(`\n${providers.requests.length} requests, all accepted; the truth was told: ${truthful ? 'yes' : 'NO'}`)
server.close()
process.exitCode = truthful ? 0 : 1
