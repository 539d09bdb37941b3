import type { CallRec, Media, Rec } from '../plan.ts'

/** Raw sources are written by hand here, without the library's writers. */

export type Block = { [key: string]: unknown }

export interface Group {
  readonly role: 'user' | 'assistant' | 'instruction'
  readonly records: Rec[]
}

const ROLES: { readonly [K in Rec['kind']]: Group['role'] | undefined } = {
  user: 'user',
  result: 'user',
  instruction: 'instruction',
  thinking: 'assistant',
  text: 'assistant',
  call: 'assistant',
  server: 'assistant',
  native: 'assistant',
  odd: undefined,
}

export function roleOf(record: Rec): Group['role'] | undefined {
  return record.kind === 'result' && record.astray === true ? 'assistant' : ROLES[record.kind]
}

/** Adjacent records of one role; what has no role goes with what stands before it. */
export function groups(records: readonly Rec[], role = roleOf): readonly Group[] {
  const found: Group[] = []
  for (const record of records) {
    const last = found.at(-1)
    const wanted = role(record) ?? last?.role ?? 'user'
    if (last?.role === wanted) last.records.push(record)
    else found.push({ role: wanted, records: [record] })
  }
  return found
}

export const argsText = (call: CallRec): string => call.argsText ?? JSON.stringify(call.args)
export const dataUrl = (media: Media): string => `data:${media.mediaType};base64,${media.base64}`

export const MODELS = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5' } as const

const TOOLS = ['read', 'write_file', 'bash'].map((name) => ({
  name,
  description: `Tool ${name}`,
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}))

export function toolsOf(twice: boolean | undefined): typeof TOOLS {
  return twice === true ? [...TOOLS, TOOLS[0]!] : TOOLS
}
