import type { FormatId } from '../../../src/model/session.ts'
import type { CallRec, Image, Plan, Rec } from './plan.ts'

/** How the raw source of each format is written, by hand and without the library's writers. */

type Block = { [key: string]: unknown }
type Group = { readonly role: 'user' | 'assistant' | 'instruction'; readonly records: Rec[] }

const ROLES: { readonly [K in Rec['kind']]: Group['role'] | undefined } = {
  user: 'user',
  result: 'user',
  instruction: 'instruction',
  thinking: 'assistant',
  text: 'assistant',
  call: 'assistant',
  odd: undefined,
}

/** Adjacent records of one role; what has no role goes with what stands before it. */
function groups(records: readonly Rec[]): readonly Group[] {
  const found: Group[] = []
  for (const record of records) {
    const last = found.at(-1)
    const role = ROLES[record.kind] ?? last?.role ?? 'user'
    if (last?.role === role) last.records.push(record)
    else found.push({ role, records: [record] })
  }
  return found
}

const argsText = (call: CallRec): string => call.argsText ?? JSON.stringify(call.args)
const dataUrl = (image: Image): string => `data:${image.mediaType};base64,${image.base64}`

export const MODELS = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5' } as const

const TOOLS = ['read', 'write_file', 'bash'].map((name) => ({
  name,
  description: `Tool ${name}`,
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}))

function anthropicBlocks(record: Rec): readonly Block[] {
  switch (record.kind) {
    case 'user':
      return [
        { type: 'text', text: record.text },
        ...(record.image === undefined
          ? []
          : [
              {
                type: 'image',
                source: { type: 'base64', media_type: record.image.mediaType, data: record.image.base64 },
              },
            ]),
      ]
    case 'instruction':
    case 'text':
      return [{ type: 'text', text: record.text }]
    case 'thinking':
      return [{ type: 'thinking', thinking: record.text, signature: `c2ln${record.id}` }]
    case 'call':
      return [{ type: 'tool_use', id: record.id, name: record.name, input: record.argsText ?? record.args }]
    case 'result':
      return [
        {
          type: 'tool_result',
          tool_use_id: record.id,
          content: record.text,
          ...(record.failed ? { is_error: true } : {}),
        },
      ]
    case 'odd':
      return [{ beam: 1 }]
  }
}

function anthropic({ system, records }: Plan): object {
  return {
    model: MODELS.anthropic,
    max_tokens: 1024,
    ...(system === undefined ? {} : { system }),
    tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    messages: groups(records).map(({ role, records: inside }) => ({
      role: role === 'instruction' ? 'system' : role,
      content: inside.flatMap(anthropicBlocks),
    })),
  }
}

function chatAssistant(records: readonly Rec[]): Block {
  const texts = records.flatMap((record) => (record.kind === 'text' ? [record.text] : []))
  const calls = records.flatMap((record) => (record.kind === 'call' ? [record] : []))
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n'),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: argsText(call) },
          })),
        }),
  }
}

function chatMessages({ role, records }: Group): readonly Block[] {
  if (role === 'assistant') return [chatAssistant(records)]
  return records.map((record): Block => {
    if (record.kind === 'result') return { role: 'tool', tool_call_id: record.id, content: record.text }
    if (record.kind === 'instruction') return { role: 'developer', content: record.text }
    if (record.kind !== 'user') return { role: 'hologram', content: 'beam' }
    if (record.image === undefined) return { role: 'user', content: record.text }
    return {
      role: 'user',
      content: [
        { type: 'text', text: record.text },
        { type: 'image_url', image_url: { url: dataUrl(record.image) } },
      ],
    }
  })
}

function chat({ system, records }: Plan): object {
  return {
    model: MODELS.openai,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      // The API has no thinking.
      ...groups(records.filter((record) => record.kind !== 'thinking')).flatMap(chatMessages),
    ],
    tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
  }
}

function item(record: Rec, index: number): Block {
  switch (record.kind) {
    case 'user':
      return {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: record.text },
          ...(record.image === undefined
            ? []
            : [{ type: 'input_image', detail: 'auto', image_url: dataUrl(record.image) }]),
        ],
      }
    case 'instruction':
      return { type: 'message', role: 'developer', content: [{ type: 'input_text', text: record.text }] }
    case 'text':
      return {
        type: 'message',
        id: `msg_${index}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: record.text, annotations: [] }],
      }
    case 'thinking':
      return {
        type: 'reasoning',
        id: record.id,
        summary: [{ type: 'summary_text', text: record.text }],
        encrypted_content: `ZW5j${record.id}`,
      }
    case 'call':
      return {
        type: 'function_call',
        id: `fc_${index}`,
        call_id: record.id,
        name: record.name,
        arguments: argsText(record),
        status: 'completed',
      }
    case 'result':
      return { type: 'function_call_output', call_id: record.id, output: record.text }
    case 'odd':
      return { beam: 1 }
  }
}

function responses({ system, records }: Plan): object {
  return {
    model: MODELS.openai,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(system === undefined ? {} : { instructions: system }),
    input: records.map(item),
    tools: TOOLS.map((tool) => ({ type: 'function', ...tool, strict: null })),
  }
}

const SESSION = '7d0b9c52-5f5e-4d1b-9c37-2f1f6b0f0a11'
const uuid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** One line a block, as the tool writes them; the lines of one answer share a message id. */
export function claudeCodeLines({ records }: Plan): readonly string[] {
  let turn = 0
  let parent: string | null = null
  return records
    .filter((record) => record.kind !== 'instruction')
    .map((record, index) => {
      const assistant = ROLES[record.kind] === 'assistant'
      if (!assistant) turn++
      const line = {
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/home/user/project',
        sessionId: SESSION,
        version: '2.1.40',
        ...spoken(record, turn),
        uuid: uuid(index),
        timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      }
      parent = line.uuid
      return JSON.stringify(line)
    })
}

function spoken(record: Rec, turn: number): object {
  if (record.kind === 'odd') return { type: 'progress', data: { type: 'hook_progress' } }
  const content = anthropicBlocks(record)
  if (ROLES[record.kind] !== 'assistant') {
    return {
      type: 'user',
      message: { role: 'user', content: record.kind === 'user' && record.image === undefined ? record.text : content },
    }
  }
  const message = {
    model: MODELS.anthropic,
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: null,
  }
  return { type: 'assistant', message, requestId: `req_${turn}` }
}

export type RawFormat = Extract<FormatId, 'anthropic' | 'openai-chat' | 'openai-responses' | 'claude-code'>

export const RAW_FORMATS: readonly RawFormat[] = ['anthropic', 'openai-chat', 'openai-responses', 'claude-code']

const RENDER: { readonly [F in RawFormat]: (plan: Plan) => object | string } = {
  anthropic,
  'openai-chat': chat,
  'openai-responses': responses,
  'claude-code': (plan) => `${claudeCodeLines(plan).join('\n')}\n`,
}

export function rendered(format: RawFormat, plan: Plan): object | string {
  return RENDER[format](plan)
}
