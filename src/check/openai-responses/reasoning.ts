import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import { isSet } from '../openai/given.ts'
import { type Fault, semantic } from '../openai/templates.ts'
import { idOf } from './item-ids.ts'
import type { ResponsesRequest } from './request.ts'

/** What may stand between a reasoning item and its follower. */
const SKIPPED: ReadonlySet<string> = new Set(['reasoning', 'additional_tools'])

/** What the model did not write, so it follows from no reasoning. */
const NOT_WRITTEN: ReadonlySet<string> = new Set([
  'apply_patch_call_output',
  'compaction_trigger',
  'computer_call_output',
  'configuration_update',
  'custom_tool_call_output',
  'function_call_output',
  'local_shell_call_output',
  'mcp_approval_response',
  'shell_call_output',
])

/** Reasoning items that wait for what they led to. */
export interface Waiting {
  readonly ids: { readonly id: string; readonly index: number }[]
}

/**
 * A reasoning item stands before the message or call it led to, in the same run of the model's items. A message that lost
 * its id no longer is that message: recorded as refused where the API stores its items, while Codex sends such messages
 * without storing; so at `strict` only.
 */
export function follow(item: Fields, type: string, index: number, waiting: Waiting, request: ResponsesRequest): void {
  if (type === 'reasoning') {
    const id = idOf(item)
    if (id !== undefined) waiting.ids.push({ id, index })
    return
  }
  if (waiting.ids.length === 0 || SKIPPED.has(type)) return
  if (NOT_WRITTEN.has(type) || (type === 'message' && !isFollower(item, request))) alone(waiting, request)
  waiting.ids.length = 0
}

function isFollower(message: Fields, { report }: ResponsesRequest): boolean {
  if (valueAt(message, 'role') !== 'assistant') return false
  return !report.strict || idOf(message) !== undefined
}

/** Raises what waits in vain. */
export function alone(waiting: Waiting, { report }: ResponsesRequest): void {
  for (const { id, index } of waiting.ids) {
    const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`
    report.raise('reasoning-following-item-missing', semantic(message, 'input', `input[${index}]`))
  }
}

/** Phase 4: models that do not reason take neither reasoning items nor the wish for encrypted ones. */
export function reasoningOfModel({ body, items, model, report }: ResponsesRequest): void {
  if (model.reasoning !== false) return
  const include = valueAt(body, 'include')
  if (Array.isArray(include) && include.includes('reasoning.encrypted_content')) {
    const message = 'Encrypted content is not supported with this model.'
    report.raise('encrypted-content-unsupported', semantic(message, 'include', 'include'))
  }
  const index = items.findIndex((item) => valueAt(item, 'type') === 'reasoning')
  if (index < 0) return
  const message =
    'Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning items from your input and try again.'
  report.raise('reasoning-items-unsupported', semantic(message, 'input', `input[${index}]`))
}

/**
 * Phase 6: items that must be looked up. What was made without storing is not there, so reasoning needs its encrypted form;
 * a reference may name an item that an earlier request stored, so it is refused at `strict` only.
 */
export function lookups(request: ResponsesRequest): void {
  const { body, items, report, known } = request
  const unstored = valueAt(body, 'store') === false
  const response = stringAt(body, 'previous_response_id')
  if (known !== undefined && response !== undefined && !known.responses.has(response)) {
    report.raise('previous-response-not-found', responseNotFound(response))
  }
  for (const [index, item] of items.entries()) {
    const id = idOf(item)
    if (id === undefined) continue
    const place = { id, path: `input[${index}]`, azure: report.azure }
    const type = valueAt(item, 'type')
    if (type === 'reasoning' && unstored && !isSet(item, 'encrypted_content')) {
      report.raise('item-not-persisted', notPersisted(place))
    } else if (isReference(item)) {
      if (unstored && report.strict) report.raise('item-not-persisted', notPersisted(place))
      else if (known?.items.has(id) === false) report.raise('item-not-found', notFound(place))
    }
  }
}

function isReference(item: unknown): boolean {
  const type = valueAt(item, 'type') ?? 'item_reference'
  return type === 'item_reference' && valueAt(item, 'role') === undefined
}

interface Sought {
  readonly id: string
  readonly path: string
  readonly azure: boolean
}

/** Azure answers with 400 what OpenAI answers with 404. */
function notFound({ id, path, azure }: Sought): Fault {
  return { ...semantic(`Item with id '${id}' not found.`, 'input', path), status: azure ? 400 : 404 }
}

function notPersisted({ id, path, azure }: Sought): Fault {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
  return { ...semantic(message, 'input', path), status: azure ? 400 : 404 }
}

function responseNotFound(id: string): Fault {
  const param = 'previous_response_id'
  return {
    message: `Previous response with id '${id}' not found.`,
    code: 'previous_response_not_found',
    param,
    path: param,
  }
}
