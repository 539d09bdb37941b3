import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { semantic } from '../openai/templates.ts'
import { idOf } from './item-ids.ts'
import { type Calls, newCalls, pair, unanswered } from './pairing.ts'
import { alone, follow, type Waiting } from './reasoning.ts'
import { type ResponsesRequest, typeOf } from './request.ts'

/** What the scan has seen of the list so far. */
interface Scan {
  readonly request: ResponsesRequest
  readonly ids: Set<string>
  readonly approvals: Set<string>
  readonly calls: Calls
  readonly waiting: Waiting
  /** An item stands for one of the server's, whatever that is. */
  referenced: boolean
}

type ItemRule = (item: Fields, type: string, index: number, scan: Scan) => void

/** What the semantic validator looks at in one item, in its order. */
const ITEM_RULES: readonly ItemRule[] = [
  uniqueId, // an item sent twice
  reasoningKept, // an item whose reasoning was left out
  (item, type, index, { waiting, request }) => follow(item, type, index, waiting, request),
  (item, type, index, { calls, request, referenced }) => pair(item, type, index, calls, request, referenced),
  approval,
  triggerLast,
]

/** Phase 5: the semantic validator, over the whole list in order; what needs the end of the list is told there. */
export function scanItems(request: ResponsesRequest): void {
  const scan: Scan = {
    request,
    ids: new Set(),
    approvals: new Set(),
    calls: newCalls(),
    waiting: { ids: [] },
    referenced: false,
  }
  const { items } = request
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (!isObject(item)) continue
    const type = typeOf(item)
    if (type === 'item_reference') scan.referenced = true
    for (const rule of ITEM_RULES) rule(item, type, index, scan)
  }
  alone(scan.waiting, request)
  unanswered(scan.calls, request)
}

/** The id of a local shell output is that of its call. */
function uniqueId(item: Fields, type: string, index: number, { ids, request }: Scan): void {
  const id = type === 'local_shell_call_output' ? undefined : idOf(item)
  if (id === undefined) return
  if (ids.has(id)) {
    const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`
    request.report.raise('duplicate-item-id', semantic(message, 'input', `input[${index}]`))
  }
  ids.add(id)
}

/** Only the server knows which reasoning an item came with. */
function reasoningKept(item: Fields, type: string, index: number, { ids, request }: Scan): void {
  const id = idOf(item)
  const reasoning = id === undefined ? undefined : request.known?.items.get(id)
  if (typeof reasoning !== 'string' || ids.has(reasoning) || request.continues || type === 'item_reference') return
  const message = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`
  request.report.raise('item-reasoning-missing', semantic(message, 'input', `input[${index}]`))
}

/** An approval answers a request of the input or of the chain. No text is known: in the words for an orphan output. */
function approval(item: Fields, type: string, index: number, { approvals, request, referenced }: Scan): void {
  if (type === 'mcp_approval_request') approvals.add(idOf(item) ?? '')
  if (type !== 'mcp_approval_response' || request.continues || referenced) return
  const id = stringAt(item, 'approval_request_id')
  if (id === undefined || approvals.has(id)) return
  const message = `No approval request found for approval response with approval_request_id ${id}.`
  request.report.raise('mcp-approval', semantic(message, 'input', `input[${index}]`))
}

/** By the SDK's documentation; no text is known. */
function triggerLast(item: Fields, _type: string, index: number, { request }: Scan): void {
  if (valueAt(item, 'type') !== 'compaction_trigger' || index === request.items.length - 1) return
  const message = "An item of type 'compaction_trigger' must be the last item of the input."
  request.report.raise('compaction-trigger-last', semantic(message, 'input', `input[${index}]`))
}
