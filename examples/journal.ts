/**
 * An agent on Claude writes each step into a journal, and is killed while a tool runs. Another process opens the journal, goes on
 * with GPT, and tells it the truth about both calls. Needs no key and no network.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { setupServer } from 'msw/node'
import OpenAI from 'openai'
// In a program of yours: from 'provider-history', 'provider-history/journal' and 'provider-history/mock'.
import * as history from '../src/index.ts'
import { type Journal, openJournal } from '../src/journal/index.ts'
import { mockProviders } from '../src/mock/index.ts'

const CLAUDE = 'claude-sonnet-4-6'
const GPT = 'gpt-5'

type Ask = (session: history.Session) => Promise<history.AssistantMessage>

const askClaude: Ask = async (session) => {
  const { request } = history.toAnthropic(session, { model: CLAUDE })
  const client = new Anthropic({ apiKey: 'none' })
  return history.fromAnthropic(await client.messages.create({ ...request, model: CLAUDE, max_tokens: 1000 }))
}

const askGPT: Ask = async (session) => {
  const { request } = history.toOpenAIResponses(session, { model: GPT })
  return history.fromOpenAIResponses(await new OpenAI({ apiKey: 'none' }).responses.create({ ...request, model: GPT }))
}

/** The loop of an agent. What is awaited of the journal is on the disk. */
async function turn(journal: Journal, question: string, ask: Ask): Promise<void> {
  const id = await journal.beginTurn()
  await journal.user(question)
  for (;;) {
    const { role: _, ...answer } = await ask(journal.session())
    await journal.assistant(answer)
    for (const part of answer.parts) if (part.type === 'text') console.log(`  ${answer.by?.model}: ${part.text}`)
    const calls = answer.parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) break
    for (const { id, name, args } of calls) {
      // Behind this record the tool may have had its effect, whatever happens.
      await journal.dispatch({ id, name, args })
      await journal.settle(id, { status: 'completed', result: await run(name) })
    }
  }
  await journal.endTurn(id, 'completed')
}

async function run(tool: string): Promise<string> {
  console.log(`  running ${tool}`)
  // It never ends: the process is killed while it waits.
  if (tool === 'publish') await new Promise((resolve) => setTimeout(resolve, 600_000))
  return 'shop 1.4.2'
}

const providers = mockProviders()
const server = setupServer(...providers.handlers)
server.listen({ onUnhandledRequest: 'error' })

const named = (name: string) => ({ name, parameters: { type: 'object' } })
const start = { tools: [named('publish'), named('announce'), named('registry')] }

async function first(path: string): Promise<void> {
  providers.reply({ text: 'I publish it.', toolCalls: ['publish', 'announce'].map((name) => ({ name, args: {} })) })
  await turn(await openJournal(path, { start }), 'Publish 1.4.2 and announce it.', askClaude)
}

async function second(path: string): Promise<void> {
  const journal = await openJournal(path, { start })
  for (const { id, dispatched } of journal.opened.closedCalls)
    console.log(`  ${id} was open: ${dispatched ? 'it had started' : 'it never started'}`)
  providers.reply({ toolCalls: [{ name: 'registry', args: {} }] }, 'It is out. Shall I announce it?')
  await turn(journal, 'Go on.', askGPT)
  await journal.close()
  providers.expectAccepted()
  const told = JSON.stringify(providers.requests[0]?.body)
  const isTrue = told.includes('its outcome is unknown') && told.includes('it was not run')
  console.log(
    `${providers.requests.length} requests to GPT, all accepted; the truth was told: ${isTrue ? 'yes' : 'NO'}`,
  )
  process.exitCode = isTrue ? 0 : 1
}

const [program = '', journalOfChild] = process.argv.slice(1)
if (journalOfChild !== undefined) await first(journalOfChild)
else {
  const folder = await mkdtemp(join(tmpdir(), 'provider-history-'))
  const path = join(folder, 'journal.jsonl')
  console.log('A process asks Claude, and is killed while it publishes:')
  const child = spawn(process.execPath, [...process.execArgv, program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const output of child.stdout) {
    process.stdout.write(output)
    if (String(output).includes('running publish')) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  console.log(`  killed by ${child.signalCode}\n\nAnother process goes on with GPT:`)
  await second(path)
  await rm(folder, { recursive: true })
}
server.close()
