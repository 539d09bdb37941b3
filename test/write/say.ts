import type {
  AssistantMessage,
  AssistantPart,
  Session,
  ToolCallEntry,
  ToolCallState,
  UserMessage,
} from '../../src/index.ts'

/** Short forms for histories, so that a test reads as the history it is about. */
export const user = (...texts: string[]): UserMessage => ({
  role: 'user',
  parts: texts.map((text) => ({ type: 'text', text })),
})

export const assistant = (...parts: (string | AssistantPart)[]): AssistantMessage => ({
  role: 'assistant',
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
})

export const done = (result: string): ToolCallState => ({ status: 'completed', result })

export const call = (
  id: string,
  state: ToolCallState = done('ok'),
  more: Partial<ToolCallEntry> = {},
): ToolCallEntry => ({
  type: 'tool-call',
  id,
  name: 'run',
  args: { command: 'ls' },
  state,
  ...more,
})

export const session = (...messages: Session['messages'][number][]): Session => ({ version: 1, messages })
