import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ToolCallState } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { others, picked, slot } from '../slots.ts'
import type { Head, Turns } from '../turns.ts'
import { messageParts, reasoningPart } from './assistant.ts'
import { customCall, functionCall, outputState } from './calls.ts'
import { contentParts, idAt, nativePart, textParts } from './content.ts'
import { hostedCall } from './hosted.ts'
import type { Item } from './media.ts'
import { ownCall, ownState } from './own-calls.ts'
import { Waiting } from './waiting.ts'

/** Reads items one after another into turns. */
export class Items {
  readonly #turns: Turns
  readonly #head: Head
  readonly #waiting = new Waiting()
  /** Ids of calls to the API's own tools: what answers them stays raw. */
  readonly #ownCalls = new Set<string>()
  /** Call ids by item id: outputs of local shell calls name the item. */
  readonly #callIds = new Map<string, string>()

  constructor(turns: Turns, head: Head) {
    this.#turns = turns
    this.#head = head
  }

  add(item: unknown, report: Report, line?: number): void {
    if (!isObject(item)) {
      report('record-invalid', { before: item })
      return
    }
    const type = stringAt(item, 'type')
    const read = type === undefined ? untyped(item) : (own(ITEMS, type) ?? native)
    if (read === undefined) report('record-unknown', { before: item })
    else read(this, item, report, line)
  }

  message(item: Item, report: Report, line?: number): void {
    const read = own(ROLES, stringAt(item, 'role'))
    if (read === undefined) {
      report('record-unknown', { before: item })
      return
    }
    const further = others(item, MESSAGE_READ)
    if (further !== undefined) report('extra-left-out', { before: further })
    read(this, item, report, line)
  }

  assistant(parts: readonly StoredPart[], line?: number): void {
    const open = this.#turns.assistant(this.#head, line)
    for (const part of parts) open.push(part)
  }

  user(item: Item, report: Report): void {
    this.#turns.close()
    const parts = contentParts(valueAt(item, 'content'), report)
    this.#turns.user({ parts, ...fieldsOf(item) })
  }

  instruction(authority: 'system' | 'developer', item: Item, report: Report): void {
    this.#turns.close()
    const parts = textParts(valueAt(item, 'content'), report)
    this.#turns.instruction({ authority, parts, ...fieldsOf(item) })
  }

  own(item: Item, line?: number): void {
    const call = ownCall(item)
    if (call === undefined) return
    this.#ownCalls.add(call.id)
    const itemId = idAt(item, 'id')
    if (itemId !== '') this.#callIds.set(itemId, call.id)
    this.assistant([call], line)
  }

  output(item: Item, report: Report, line?: number): void {
    if (item.output === undefined) report('part-invalid', { message: NO_OUTPUT, before: item })
    const callId = idAt(item, 'call_id')
    const state = (this.#ownCalls.has(callId) ? ownState(item) : undefined) ?? outputState(item)
    this.#result(callId, item, state, line)
  }

  ownOutput(item: Item, line?: number): void {
    const itemId = idAt(item, 'id')
    const callId = idAt(item, 'call_id') || (this.#callIds.get(itemId) ?? itemId)
    const state = ownState(item)
    if (state !== undefined) this.#result(callId, item, state, line)
  }

  hosted(item: Item, line?: number): void {
    const call = hostedCall(item)
    if (call === undefined) return
    const parts = this.#turns.assistant(this.#head, line)
    if (item.type === 'tool_search_call') this.#waiting.search(item, parts)
    if (item.type === 'mcp_approval_request') this.#waiting.approvalRequest(item, parts)
    if (item.type === 'mcp_call') this.#waiting.ran(item)
    parts.push(call)
  }

  hostedSearchOutput(item: Item, report: Report, line?: number): void {
    this.#waiting.searchOutput(item, this.#turns.assistant(this.#head, line), report)
  }

  approvalResponse(item: Item, report: Report): void {
    this.#turns.close()
    this.#waiting.approvalResponse(item, report)
  }

  #result(callId: string, item: Item, state: ToolCallState, line: number | undefined): void {
    const name = stringAt(item, 'name')
    this.#turns.result({
      callId,
      ...(name === undefined ? {} : { name }),
      state,
      ...(line === undefined ? {} : { line }),
    })
  }
}

const NO_OUTPUT = 'An output item is stored without its output.'

type ItemReader = (to: Items, item: Item, report: Report, line?: number) => void

const native: ItemReader = (to, item, _report, line) => to.assistant([nativePart(item)], line)
const hosted: ItemReader = (to, item, _report, line) => to.hosted(item, line)
const ownTool: ItemReader = (to, item, _report, line) => to.own(item, line)
const output: ItemReader = (to, item, report, line) => to.output(item, report, line)
const ownOutput: ItemReader = (to, item, _report, line) => to.ownOutput(item, line)
const message: ItemReader = (to, item, report, line) => to.message(item, report, line)

const ITEMS: { readonly [type: string]: ItemReader } = {
  message,
  reasoning: (to, item, _report, line) => to.assistant([reasoningPart(item)], line),
  function_call: (to, item, _report, line) => to.assistant([functionCall(item)], line),
  custom_tool_call: (to, item, _report, line) => to.assistant([customCall(item)], line),
  function_call_output: output,
  custom_tool_call_output: output,
  shell_call: ownTool,
  local_shell_call: ownTool,
  apply_patch_call: ownTool,
  computer_call: ownTool,
  shell_call_output: ownOutput,
  local_shell_call_output: ownOutput,
  apply_patch_call_output: ownOutput,
  computer_call_output: ownOutput,
  web_search_call: hosted,
  file_search_call: hosted,
  code_interpreter_call: hosted,
  image_generation_call: hosted,
  mcp_call: hosted,
  mcp_approval_request: hosted,
  mcp_approval_response: (to, item, report) => to.approvalResponse(item, report),
  tool_search_call: (to, item, report, line) => (isClientRun(item) ? ownTool : hosted)(to, item, report, line),
  tool_search_output: (to, item, report, line) =>
    isClientRun(item) ? to.ownOutput(item, line) : to.hostedSearchOutput(item, report, line),
}

/** What is read of a message item; other items keep all their fields. */
const MESSAGE_READ = new Set(['type', 'role', 'content', 'id', 'status', 'phase'])

const ROLES: { readonly [role: string]: ItemReader } = {
  user: (to, item, report) => to.user(item, report),
  assistant: (to, item, report, line) => to.assistant(messageParts(item, report), line),
  system: (to, item, report) => to.instruction('system', item, report),
  developer: (to, item, report) => to.instruction('developer', item, report),
}

/** Messages and references may come without a type. */
function untyped(item: Item): ItemReader | undefined {
  if (stringAt(item, 'role') !== undefined) return message
  return stringAt(item, 'id') !== undefined && Object.keys(item).length === 1 ? native : undefined
}

/** Searches that the API runs have no call id. */
function isClientRun(item: Item): boolean {
  const execution = stringAt(item, 'execution')
  return execution === undefined ? idAt(item, 'call_id') !== '' : execution === 'client'
}

function fieldsOf(item: Item): { readonly id?: string } {
  const id = stringAt(item, 'id')
  return { ...(id === undefined ? {} : { id }), ...slot('openai-responses', picked(item, ['status'])) }
}
