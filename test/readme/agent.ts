import type Anthropic from '@anthropic-ai/sdk'

const MODEL = 'claude-sonnet-4-6'

/** The agent of the contract test in README.md: calls the model until it asks for no more tools. */
export async function runAgent(client: Anthropic): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read the notes.' }]
  for (let turn = 0; turn < 5; turn++) {
    const { content } = await client.messages.create({ model: MODEL, max_tokens: 1000, messages, tools: TOOLS })
    messages.push({ role: 'assistant', content })
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'buy milk' })),
    })
  }
}

const TOOLS: Anthropic.Tool[] = [
  { name: 'read', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
]
