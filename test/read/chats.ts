/** Small sources of stored chats, each with the format it is of. */
const text = (value: string) => ({ type: 'text', text: value })
const details = text('<environment_details>\nx\n</environment_details>')
const uiTool = { type: 'tool-look', toolCallId: 'A', state: 'output-available', input: {}, output: 'x' }
const invocation = { toolCallId: 'A', toolName: 'look', state: 'result', args: {}, result: 'x' }
const modelCall = { type: 'tool-call', toolCallId: 'A', toolName: 'look', input: {} }
const lc = (name: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain', 'schema', name], kwargs })
const screen = { ts: 1, type: 'say', say: 'text', text: 'hi' }
const prompt = { role: 'user', content: [text('<task>\nhi\n</task>'), details] }
const chatMessage = { role: 'user', content: 'hi' }

export const STORED_CHATS: readonly [string, unknown][] = [
  ['cline', [prompt]],
  [
    'cline',
    [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'ho', modelInfo: { modelId: 'm' }, ts: 1 },
    ],
  ],
  ['cline', [screen]],
  ['cline', { version: 1, sessionId: 's', messages: [chatMessage] }],
  ['roo', [{ ...prompt, ts: 1 }]],
  [
    'roo',
    [
      { ...prompt, ts: 1 },
      { role: 'user', content: 'so far', isSummary: true, condenseId: 'c', ts: 2 },
    ],
  ],
  ['roo', [screen, { ts: 1, type: 'say', say: 'condense_context' }]],
  [
    'continue',
    { sessionId: 's', title: 't', workspaceDirectory: '/w', history: [{ message: chatMessage, contextItems: [] }] },
  ],
  ['ai-sdk', [{ id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, uiTool] }]],
  ['ai-sdk', [{ role: 'user', content: 'hi', parts: [text('hi')] }]],
  [
    'ai-sdk',
    [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '', toolInvocations: [invocation] },
    ],
  ],
  ['ai-sdk', { id: 'c', messages: [{ id: 'u', role: 'user', parts: [text('hi')] }] }],
  ['ai-sdk', [chatMessage, { role: 'assistant', content: [modelCall] }]],
  ['ai-sdk', [chatMessage, { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('ho')] }]],
  ['langchain', [{ type: 'human', data: { content: 'hi' } }]],
  ['langchain', [lc('HumanMessage', { content: 'hi' })]],
  ['langchain', [{ type: 'human', content: 'hi' }]],
  ['langchain', { messages: [lc('AIMessageChunk', { content: 'hi' })] }],
  ['langchain', { v: 4, id: 'c', ts: '2026-01-01', channel_values: { messages: [chatMessage] } }],
  ['langchain', { messages: [chatMessage], __interrupt__: [{ value: 1 }] }],
  ['letta', { agents: [{ agent_type: 'memgpt_agent', messages: [chatMessage] }], tools: [] }],
  ['letta', { agent_type: 'memgpt_agent', llm_config: {}, messages: [chatMessage] }],
]

/** What looks a little like a stored chat, and is of the format named. */
export const NEAR_CHATS: readonly [string, unknown][] = [
  // A time or an id on a message is nobody's own.
  ['openai-chat', [{ ...chatMessage, ts: 1, id: 'u' }]],
  ['openai-chat', [{ role: 'user', content: '<task>\nhi\n</task>' }]],
  ['openai-chat', [prompt, { role: 'tool', tool_call_id: 'A', content: 'x' }]],
  ['openai-chat', { model: 'm', messages: [chatMessage], version: 1 }],
  ['openai-chat', [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }]],
  ['anthropic', [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'S' }], ts: 1 }]],
  ['anthropic', [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x' } }] }]],
  ['openai-responses', [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'E' }]],
  ['openai-responses', { input: [{ type: 'message', role: 'user', content: 'hi' }] }],
  ['gemini-cli', [{ role: 'user', parts: [{ text: 'hi' }] }]],
  [
    'entries',
    [
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'A', name: 'x', args: {}, state: { status: 'pending' } }] },
    ],
  ],
]
