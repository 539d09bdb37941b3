import type {
  AssistantPart,
  JsonPart,
  MediaPart,
  MediaSource,
  ToolCallEntry,
  ToolCallState,
  ToolOutput,
  UserPart,
} from '../model/session.ts'
import { glimpse } from './escape.ts'

type Part = UserPart | AssistantPart | JsonPart

type Lines = { readonly [K in Part['type']]: (part: Extract<Part, { type: K }>) => string }

const LINES: Lines = {
  text: (part) => glimpse(part.text, 100),
  reasoning: (part) => (part.text === '' ? 'thinking (not readable)' : `thinking ${glimpse(part.text, 90)}`),
  'tool-call': callLine,
  media: (part) => mediaLine(part),
  native: (part) => `${part.api} block ${glimpse(part.text ?? JSON.stringify(part.value), 80)}`,
  json: (part) => glimpse(JSON.stringify(part.value), 80),
}

/** A part on one line, about 100 characters wide. */
export function partLine<K extends Part['type']>(part: Extract<Part, { type: K }>): string {
  return LINES[part.type as K](part)
}

function callLine(call: ToolCallEntry): string {
  const args = glimpse(call.argsText ?? JSON.stringify(call.args), 50)
  const runner = call.executor === 'provider' ? ', run by the provider' : ''
  return `call ${glimpse(call.name, 40)} ${args} [${glimpse(call.id, 40)}${runner}] ${stateLine(call.state)}`
}

type States = {
  readonly [S in ToolCallState['status']]: (state: Extract<ToolCallState, { status: S }>) => string
}

const STATES: States = {
  completed: ({ result }) => `completed: ${outputLine(result)}`,
  failed: ({ error, denied }) => `${denied === true ? 'denied' : 'failed'}: ${outputLine(error)}`,
  interrupted: ({ dispatched, partial }) => {
    const outcome = dispatched === false ? 'never started' : 'outcome unknown'
    return `interrupted, ${outcome}${partial === undefined ? '' : `: ${outputLine(partial)}`}`
  },
  pending: ({ reason, approved }) => {
    if (reason !== 'approval') return 'pending'
    return approved === undefined ? 'waiting for approval' : approved ? 'approved, not yet run' : 'not approved'
  },
}

function stateLine<S extends ToolCallState['status']>(state: Extract<ToolCallState, { status: S }>): string {
  return STATES[state.status as S](state)
}

function outputLine(output: ToolOutput): string {
  const text = typeof output === 'string' ? output : output.map((part) => partLine(part)).join(' ')
  return text === '' ? '(empty)' : glimpse(text, 60)
}

function mediaLine({ kind, mediaType, name, source }: MediaPart): string {
  const facts = [mediaType, name ?? '', sizeOf(source)].filter((fact) => fact !== '')
  return `${kind} ${facts.map((fact) => glimpse(fact, 60)).join(', ')}`
}

function sizeOf(source: MediaSource): string {
  if ('base64' in source) return `${Math.ceil((source.base64.length * 3) / 4 / 1024)} kB`
  if ('text' in source) return `${source.text.length} characters`
  return 'url' in source ? source.url : source.fileId
}
