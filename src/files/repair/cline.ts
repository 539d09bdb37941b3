import { change } from '../../model/change.ts'
import { deeperThan, isObject, MAX_DEPTH, stringAt, valueAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import { OpenUses } from '../../read/cline/open-uses.ts'
import { isShown } from '../../read/cline/shape.ts'
import { clineRequest } from './cline-request.ts'
import { closingText } from './closing-text.ts'
import { RepairError } from './error.ts'
import { jsonText, replacing } from './json-file.ts'
import type { JsonText } from './json-text.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/**
 * Messages in the form of the Anthropic API, which wants every result at the start of the very next message. Results that are
 * missing there are looked for elsewhere: told as text, as Cline does with tools of its text protocol, or in a later message.
 * What is nowhere gets a closer. A result without a call goes: the API refuses it, and the backup has it.
 */
export function cline(stored: StoredFile, now: Date): Plan {
  const text = jsonText(stored)
  const { value } = text
  const path = Array.isArray(value) ? [] : ['messages']
  const list: unknown = Array.isArray(value) ? value : valueAt(value, 'messages')
  const messages: readonly unknown[] = Array.isArray(list) ? list : []
  if (messages.some(isShown))
    throw new RepairError(
      'unsupported',
      'this is what the screen showed; what is sent stands in the file of messages beside it',
    )
  const history = new History(text, path, messages, now)
  history.repair()
  const plan = { ...replacing(stored, text, history.closed), changes: history.changes() }
  // What is nested beyond all use is told as the session has it, where it is a text.
  if (plan.replacement === undefined || deeperThan(value, MAX_DEPTH)) return plan
  const edited: unknown = JSON.parse(text.edited().replace(/^\uFEFF/, ''))
  return { ...plan, asSent: { before: clineRequest(value), after: clineRequest(edited) } }
}

type Path = readonly (string | number)[]

/** A block, and its JSON text. */
interface Block {
  readonly value: unknown
  readonly text: string
}

class History {
  readonly closed: OpenCall[] = []
  readonly #text: JsonText
  readonly #path: Path
  readonly #messages: readonly unknown[]
  readonly #now: Date
  /** Results that stand where the API does not look for them, by the id of their call. */
  readonly #astray = new Map<string, Block>()
  readonly #calls = new Set<string>()
  /** By the place of their message. */
  readonly #read = new Map<number, readonly Block[]>()
  readonly #moved = new Set<Block>()
  /** Results that were taken from where they stood. */
  readonly #taken: { readonly id: string; readonly block: Block }[] = []

  constructor(text: JsonText, path: Path, messages: readonly unknown[], now: Date) {
    this.#text = text
    this.#path = path
    this.#messages = messages
    this.#now = now
  }

  repair(): void {
    for (const index of this.#messages.keys()) this.#lookAt(index)
    for (const [index, message] of this.#messages.entries()) {
      const uses = usesOf(message)
      const next = this.#messages[index + 1]
      if (uses.length > 0 && roleOf(next) !== 'user') this.#insert(index, uses)
      if (roleOf(message) === 'user') this.#mend(index, usesOf(this.#messages[index - 1]))
    }
  }

  /** What became of the results that were taken from where they stood. */
  changes(): readonly Change[] {
    return this.#taken.map(({ id, block }) => {
      const code = this.#moved.has(block) ? 'result-moved' : this.#calls.has(id) ? 'duplicate-result' : 'orphan-result'
      return change(code, { callId: id }, { before: block.text })
    })
  }

  #lookAt(index: number): void {
    const message = this.#messages[index]
    for (const { id } of usesOf(message)) this.#calls.add(id)
    if (roleOf(message) !== 'user') return
    const wanted = new Set(usesOf(this.#messages[index - 1]).map(({ id }) => id))
    for (const block of this.#blocks(index)) {
      const id = resultId(block.value)
      if (id !== undefined && !wanted.has(id) && !this.#astray.has(id)) this.#astray.set(id, block)
    }
  }

  /** Puts the results of the calls before it at the start of a user message, and takes all others out of it. */
  #mend(index: number, uses: readonly OpenCall[]): void {
    const blocks = this.#blocks(index)
    const ids = new Set(uses.map(({ id }) => id))
    const own = new Map<string, Block>()
    const rest: Block[] = []
    for (const block of blocks) {
      const id = resultId(block.value)
      if (id === undefined) rest.push(block)
      else if (ids.has(id) && !own.has(id)) own.set(id, block)
      else this.#taken.push({ id, block })
    }
    if (own.size === ids.size && own.size + rest.length === blocks.length) return
    const { told, left } = toldAsText(uses, own, rest)
    const results = uses.map((call) => own.get(call.id)?.text ?? told.get(call.id) ?? this.#elsewhere(call))
    // A message of nothing but results without a call is none any more; the API takes no empty one.
    const kept = [...results, ...left.map(({ text }) => text)]
    const content = kept.length === 0 ? [JSON.stringify({ type: 'text', text: REMOVED })] : kept
    this.#text.replace([...this.#path, index, 'content'], `[${content.join(',')}]`)
  }

  /** A message of results behind an answer that no user message follows. */
  #insert(index: number, uses: readonly OpenCall[]): void {
    const results = uses.map((call) => this.#elsewhere(call)).join(',')
    const time = typeof valueAt(this.#messages[index], 'ts') === 'number' ? `,"ts":${this.#now.getTime()}` : ''
    this.#text.insertBehind([...this.#path, index], `{"role":"user","content":[${results}]${time}}`)
  }

  #elsewhere(call: OpenCall): string {
    const found = this.#astray.get(call.id)
    if (found !== undefined) {
      this.#moved.add(found)
      return found.text
    }
    this.closed.push(call)
    return JSON.stringify({ type: 'tool_result', tool_use_id: call.id, content: closingText(call), is_error: true })
  }

  #blocks(index: number): readonly Block[] {
    const known = this.#read.get(index) ?? this.#readBlocks(index)
    this.#read.set(index, known)
    return known
  }

  #readBlocks(index: number): readonly Block[] {
    const content = valueAt(this.#messages[index], 'content')
    const path = [...this.#path, index, 'content']
    if (typeof content === 'string')
      return [{ value: { type: 'text', text: content }, text: textBlock(this.#text.textAt(path)) }]
    if (!Array.isArray(content)) return []
    return content.map((value: unknown, place) => ({ value, text: this.#text.textAt([...path, place]) ?? 'null' }))
  }
}

const REMOVED = '[A tool result without its call stood here.]'

const textBlock = (text: string | undefined): string => `{"type":"text","text":${text ?? '""'}}`

const roleOf = (message: unknown): string | undefined => stringAt(message, 'role')

function usesOf(message: unknown): readonly OpenCall[] {
  const content = valueAt(message, 'content')
  if (roleOf(message) !== 'assistant' || !Array.isArray(content)) return []
  const uses = new Map<string, OpenCall>()
  for (const block of content as readonly unknown[]) {
    const [id, name] = [stringAt(block, 'id'), stringAt(block, 'name')]
    if (isObject(block) && block.type === 'tool_use' && id !== undefined && id !== '')
      uses.set(id, { id, name: name ?? '' })
  }
  return [...uses.values()]
}

const resultId = (block: unknown): string | undefined =>
  isObject(block) && block.type === 'tool_result' ? (stringAt(block, 'tool_use_id') ?? '') : undefined

/** Results that are told as text, each with the blocks that it consists of; and the blocks that are none. */
function toldAsText(
  uses: readonly OpenCall[],
  own: ReadonlyMap<string, unknown>,
  blocks: readonly Block[],
): { readonly told: ReadonlyMap<string, string>; readonly left: readonly Block[] } {
  const open = new OpenUses()
  for (const call of uses) open.add(call)
  for (const id of own.keys()) open.answered(id)
  const byValue = new Map(blocks.map((block) => [block.value, block] as const))
  const told = new Map<string, string>()
  const values = open.takeResults(
    blocks.map(({ value }) => value),
    ({ id, blocks: taken }) => {
      const content = taken.map((value) => byValue.get(value)?.text ?? 'null').join(',')
      told.set(id, `{"type":"tool_result","tool_use_id":${JSON.stringify(id)},"content":[${content}]}`)
    },
  )
  return { told, left: values.flatMap((value) => byValue.get(value) ?? []) }
}
