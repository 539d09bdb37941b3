import { readFileSync } from 'node:fs'
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'

interface Stored {
  readonly role: 'user' | 'assistant'
  readonly content: string | Anthropic.ContentBlockParam[]
}

/** The messages of a Claude Code transcript, line by line as they are stored. */
export function storedMessages(path: string): Stored[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { role, content } = (JSON.parse(line) as { message: Stored }).message
    return { role, content }
  })
}

/** Block by block, as Chat Completions has them. */
export function asChat(stored: Stored[]): OpenAI.ChatCompletionMessageParam[] {
  const messages: OpenAI.ChatCompletionMessageParam[] = []
  for (const { role, block } of blocksOf(stored)) {
    if (block.type === 'text') messages.push({ role, content: block.text })
    if (block.type === 'tool_result') {
      messages.push({ role: 'tool', tool_call_id: block.tool_use_id, content: String(block.content) })
    }
    if (block.type !== 'tool_use') continue
    const { id, name, input } = block
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } } as const
    const last = messages.at(-1)
    if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
    else messages.push({ role: 'assistant', tool_calls: [call] })
  }
  return messages
}

/** Block by block, as Responses has them. */
export function asResponses(stored: Stored[]): OpenAI.Responses.ResponseInputItem[] {
  const items: OpenAI.Responses.ResponseInputItem[] = []
  for (const { role, block } of blocksOf(stored)) {
    if (block.type === 'text') items.push({ role, content: block.text })
    if (block.type === 'tool_use') {
      const { id, name, input } = block
      items.push({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) })
    }
    if (block.type === 'tool_result') {
      items.push({ type: 'function_call_output', call_id: block.tool_use_id, output: String(block.content) })
    }
  }
  return items
}

function blocksOf(stored: Stored[]): { role: Stored['role']; block: Anthropic.ContentBlockParam }[] {
  return stored.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
    return blocks.map((block) => ({ role, block }))
  })
}
