import { type Fields, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { OpenCall } from '../assemble.ts'
import { customCall, functionCall } from '../openai-responses/calls.ts'
import { Items } from '../openai-responses/items.ts'
import type { Report } from '../report.ts'
import { textsOf } from './fragments.ts'
import type { StampedTurns } from './turns.ts'

type ItemReader = (to: CodexItems, item: Fields, report: Report, line?: number) => void

/** Reads the items of a rollout, which are those of the Responses API and some of Codex's own. */
export class CodexItems {
  readonly turns: StampedTurns
  readonly #items: Items
  /** Fields and types that were told of already. */
  readonly #told = new Set<string>()

  constructor(turns: StampedTurns) {
    this.turns = turns
    this.#items = new Items(turns, {})
  }

  add(item: Fields, report: Report, line?: number): void {
    const type = stringAt(item, 'type') ?? 'message'
    const kind = own(KINDS, type)
    if (kind === undefined) this.once(`item ${type}`, (before) => report('record-unknown', { before }))
    else kind.read(this, this.#own(item, kind, report), report, line)
  }

  /** As an item of the API. */
  plain(item: Fields, report: Report, line?: number): void {
    this.#items.add(item, report, line)
  }

  once(what: string, tell: (what: string) => void): void {
    if (this.#told.has(what)) return
    this.#told.add(what)
    tell(what)
  }

  /** The item without what Codex keeps in it for itself, and the API would refuse. */
  #own(item: Fields, { fields }: Kind, report: Report): Fields {
    if (fields === undefined) return item
    let isClean = true
    for (const key of Object.keys(item)) {
      if (fields.has(key)) continue
      isClean = false
      if (!OF_CODEX.has(key))
        this.once(`field ${key}`, (before) => report('extra-left-out', { message: NO_FIELD, before }))
    }
    if (isClean) return item
    return Object.fromEntries(Object.entries(item).filter(([key]) => fields.has(key)))
  }
}

const NO_FIELD = 'Fields of this name, which the API does not know, were left out.'

/** Which turn an item belongs to, and when it was written. */
const OF_CODEX: ReadonlySet<string> = new Set(['internal_chat_message_metadata_passthrough', 'metadata', 'timestamp'])

interface Kind {
  /** Undefined where nothing is read of it. */
  readonly fields: ReadonlySet<string> | undefined
  readonly read: ItemReader
}

const plain: ItemReader = (to, item, report, line) => to.plain(item, report, line)
const nothing: ItemReader = () => {}

function kind(read: ItemReader, ...fields: readonly string[]): Kind {
  return { read, fields: new Set(['type', 'id', ...fields]) }
}

const compaction = kind(
  (to, item, report, line) => to.plain({ ...item, type: 'compaction' }, report, line),
  'encrypted_content',
)

/** Codex keeps these for itself. */
const notSent: Kind = { read: nothing, fields: undefined }

/** By type, with the fields that the API takes. */
const KINDS: { readonly [type: string]: Kind } = {
  message: kind(message, 'role', 'content', 'status', 'phase'),
  reasoning: kind(reasoning, 'summary', 'content', 'encrypted_content', 'status'),
  function_call: kind(called(functionCall), 'call_id', 'name', 'namespace', 'arguments', 'status'),
  function_call_output: kind(output, 'call_id', 'output', 'status'),
  custom_tool_call: kind(called(customCall), 'call_id', 'name', 'namespace', 'input', 'status'),
  custom_tool_call_output: kind(output, 'call_id', 'output'),
  local_shell_call: kind(plain, 'call_id', 'action', 'status'),
  tool_search_call: kind(plain, 'call_id', 'arguments', 'execution', 'status'),
  tool_search_output: kind(plain, 'call_id', 'tools', 'execution', 'status'),
  web_search_call: kind(plain, 'action', 'status'),
  image_generation_call: kind(plain, 'result', 'revised_prompt', 'status'),
  compaction,
  compaction_summary: compaction,
  context_compaction: compaction,
  agent_message: kind(agentMessage, 'author', 'recipient', 'content'),
  additional_tools: notSent,
  compaction_trigger: notSent,
  ghost_snapshot: notSent,
  other: notSent,
}

/** Codex sends no system messages. */
function message(to: CodexItems, item: Fields, report: Report, line?: number): void {
  if (item.role === 'system') report('message-left-out', { before: textsOf(item).join('\n') })
  else to.plain(item.type === undefined ? { type: 'message', ...item } : item, report, line)
}

/** Published rollouts have this in the place of what was encrypted. */
const REDACTED = 'REDACTED'

/** What neither says anything nor can be looked up is not worth a part. */
function reasoning(to: CodexItems, item: Fields, report: Report, line?: number): void {
  const { encrypted_content: encrypted, ...rest } = item
  const read = encrypted === null || encrypted === REDACTED ? rest : item
  const says = read === item && encrypted !== undefined
  if (says || isFilled(item.summary) || isFilled(item.content) || stringAt(item, 'id') !== undefined)
    to.plain(read, report, line)
}

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

/** A tool of a namespace bears both names where APIs know no namespaces; its own name stays for the one that does. */
function called(read: (item: Fields) => OpenCall): ItemReader {
  return (to, item, report, line) => {
    const namespace = stringAt(item, 'namespace')
    const name = stringAt(item, 'name') ?? ''
    if (namespace === undefined || namespace === '') {
      to.plain(item, report, line)
      return
    }
    const call = read(item)
    const slot = { ...(call.extra?.['openai-responses'] as JsonObject), name }
    to.turns.assistant({}, line).push({ ...call, name: joined(namespace, name), extra: { 'openai-responses': slot } })
  }
}

function joined(namespace: string, name: string): string {
  return namespace.endsWith('_') || name.startsWith('_') ? namespace + name : `${namespace}__${name}`
}

/** What Codex puts in the place of an output that never came. */
const CLOSERS: ReadonlySet<unknown> = new Set([
  'aborted',
  '{"output":"aborted","metadata":{"exit_code":1,"duration_seconds":0}}',
])

function output(to: CodexItems, item: Fields, report: Report, line?: number): void {
  const stored = valueAt(item, 'output')
  const callId = stringAt(item, 'call_id')
  if (callId === undefined || !CLOSERS.has(stored)) {
    to.plain(item, report, line)
    return
  }
  to.turns.result({
    callId,
    state: { status: 'interrupted' },
    synthetic: true,
    ...(line === undefined ? {} : { line }),
  })
}

/** A message of another agent goes to the model as that of a user. */
function agentMessage(to: CodexItems, item: Fields, report: Report, line?: number): void {
  const content = textsOf(item).map((text) => ({ type: 'input_text', text }))
  for (const part of Array.isArray(item.content) ? (item.content as readonly unknown[]) : [])
    if (stringAt(part, 'text') === undefined && stringAt(part, 'encrypted_content') === undefined)
      report('part-invalid', { before: part })
  if (content.length === 0) report('message-left-out', { message: ENCRYPTED, before: stringAt(item, 'author') })
  else to.plain({ type: 'message', role: 'user', content }, report, line)
}

const ENCRYPTED = 'A message of another agent, which only the API can read, was left out.'
