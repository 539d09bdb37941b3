import type Anthropic from '@anthropic-ai/sdk'
// In a program of yours: from 'provider-history'.
import {
  type AssistantMessage,
  fromAnthropic,
  type Json,
  openThread,
  type ToolCallEntry,
  type ToolCallState,
  type ToolDefinition,
} from '../../src/index.ts'

export interface Tool extends ToolDefinition {
  run(args: Json): Promise<string>
}

const MODEL = 'claude-sonnet-4-6'

/** An agent as small as one can be: it asks the model, runs the tools that are called, and asks again until none is. */
export function openAgent(client: Anthropic, tools: readonly Tool[]) {
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const thread = openThread('anthropic', { model: MODEL, tools: definitions })

  async function answer(signal?: AbortSignal): Promise<AssistantMessage> {
    const { request } = thread.request()
    const message = fromAnthropic(
      await client.messages.create({ ...request, model: MODEL, max_tokens: 1000 }, { signal: signal ?? null }),
    )
    thread.push(message)
    return message
  }

  /** Throws when it is stopped; whatever was cut off then, the next question can be asked. */
  return async function ask(question: string, signal?: AbortSignal): Promise<string> {
    thread.push({ role: 'user', parts: [{ type: 'text', text: question }] })
    for (;;) {
      const { parts } = await answer(signal)
      const calls = parts.filter((part) => part.type === 'tool-call')
      if (calls.length === 0) return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      for (const call of calls) thread.settle(call.id, await outcome(call, tools, signal))
      signal?.throwIfAborted()
    }
  }
}

/** What became of a call, told as it is: a tool that was stopped may or may not have done its work. */
async function outcome(call: ToolCallEntry, tools: readonly Tool[], signal?: AbortSignal): Promise<ToolCallState> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return { status: 'failed', error: `There is no tool ${call.name}.` }
  if (signal?.aborted === true) return { status: 'interrupted', dispatched: false }
  const stopped = new Promise<ToolCallState>((resolve) => {
    signal?.addEventListener('abort', () => resolve({ status: 'interrupted', dispatched: true }), { once: true })
  })
  const done = tool.run(call.args).then(
    (result): ToolCallState => ({ status: 'completed', result }),
    (error: unknown): ToolCallState => ({ status: 'failed', error: String(error) }),
  )
  return Promise.race([done, stopped])
}
