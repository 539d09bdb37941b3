import type { Line } from './hostile.ts'

/** A message of an export, with its parts numbered. */
export function message(id: string, info: Line, ...parts: readonly Line[]): Line {
  const sessionID = 'ses_one'
  return {
    info: { id, sessionID, ...info },
    parts: parts.map((part, index) => ({ id: `prt_${id}_${index}`, sessionID, messageID: id, ...part })),
  }
}

export const asked = (id: string, created: number, ...parts: readonly Line[]): Line =>
  message(id, { role: 'user', time: { created }, agent: 'build', model: CLAUDE }, ...parts)

const CLAUDE = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }

export const answered = (id: string, created: number, more: Line, ...parts: readonly Line[]): Line =>
  message(
    id,
    { role: 'assistant', time: { created, completed: created + 1 }, agent: 'build', ...CLAUDE, ...more },
    ...parts,
  )

export const text = (value: string, more: Line = {}): Line => ({ type: 'text', text: value, ...more })

export const tool = (callID: string, state: Line, more: Line = {}): Line => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state: { input: { command: callID }, time: { start: 1, end: 2 }, ...state },
  ...more,
})

export const done = (callID: string, output: string): Line =>
  tool(callID, { status: 'completed', output, title: '', metadata: {} })

export const START: Line = { type: 'step-start', snapshot: 'abc' }

export const INFO: Line = {
  id: 'ses_one',
  slug: 'calm-hill',
  projectID: 'p',
  directory: '/work',
  title: 'A title',
  version: '1.18.33',
  time: { created: 1_790_000_000_000, updated: 1_790_000_009_000 },
}

export const exported = (messages: readonly Line[], info: Line = {}): Line => ({ info: { ...INFO, ...info }, messages })

/** Every kind of message and part that the reader looks into. */
export const ALL: Line = exported([
  asked(
    'msg_a',
    1,
    text('question'),
    text('shown only', { ignored: true }),
    text('from the program', { synthetic: true }),
    { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' },
    { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'file:///a.txt' },
    { type: 'agent', name: 'general' },
  ),
  answered(
    'msg_b',
    2,
    { finish: 'tool-calls', tokens: { input: 9, output: 3, reasoning: 1, cache: { read: 2, write: 4 } } },
    START,
    { type: 'reasoning', text: 'hm', time: { start: 1 }, metadata: { anthropic: { signature: 'SIG' } } },
    text('I look'),
    done('call_1', 'one'),
    tool('call_2', { status: 'error', error: 'Error: no such file' }),
    {
      type: 'step-finish',
      reason: 'tool-calls',
      tokens: { input: 5, output: 2, reasoning: 0, cache: { read: 1, write: 0 } },
    },
    START,
    tool('call_3', {
      status: 'completed',
      output: 'seen',
      attachments: [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' }],
    }),
    { type: 'patch', hash: 'h', files: ['/a'] },
  ),
  asked('msg_c', 3, { type: 'subtask', prompt: 'do', description: 'd', agent: 'general' }),
  answered(
    'msg_d',
    4,
    { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } },
    START,
    tool('call_4', {
      status: 'error',
      error: 'Tool execution aborted',
      metadata: { interrupted: true, output: 'half' },
    }),
    tool('call_5', {
      status: 'error',
      error: 'Tool execution aborted',
      input: {},
      raw: '{"comm',
      metadata: { interrupted: true },
    }),
    tool('call_6', { status: 'pending', input: {}, raw: '' }),
    tool('call_7', { status: 'running', metadata: { output: 'begun' } }),
  ),
])
