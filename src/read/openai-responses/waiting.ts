import { stringAt, valueAt } from '../../model/json.ts'
import type { Json, ToolCallState } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { idAt } from './content.ts'
import { hostedAnswered } from './hosted.ts'
import type { Item } from './media.ts'
import { toolNames } from './own-calls.ts'

/** Where the entry of a hosted call stands whose outcome an item of its own tells. */
interface Place {
  readonly item: Item
  readonly parts: StoredPart[]
  readonly index: number
  response?: Item
}

/** Hosted calls of two items: tool searches with their outputs, and approval requests with their responses. */
export class Waiting {
  readonly #searches: Place[] = []
  #firstSearch = 0
  readonly #approvals = new Map<string, Place>()

  search(item: Item, parts: StoredPart[]): void {
    this.#searches.push({ item, parts, index: parts.length })
  }

  /** The API gives hosted searches no call id: the oldest one without an output takes it. */
  searchOutput(output: Item, parts: StoredPart[] | undefined, report: Report): void {
    const place = this.#searches[this.#firstSearch]
    if (place === undefined) {
      report('orphan-result', { before: valueAt(output, 'tools') })
      return
    }
    this.#firstSearch++
    if (place.parts !== parts || place.index !== parts.length - 1) report('result-moved')
    const state: ToolCallState = { status: 'completed', result: toolNames(output) }
    place.parts[place.index] = hostedAnswered(place.item, state, { output: output as Json })
  }

  approvalRequest(item: Item, parts: StoredPart[]): void {
    this.#approvals.set(idAt(item, 'id'), { item, parts, index: parts.length })
  }

  approvalResponse(response: Item, report: Report): void {
    const id = idAt(response, 'approval_request_id')
    const place = this.#approvals.get(id)
    if (place === undefined || place.response !== undefined) {
      report(place === undefined ? 'orphan-result' : 'duplicate-result', { callId: id, before: response })
      return
    }
    place.response = response
    this.#settle(place, decided(response))
  }

  /** The approved call was run: it has an entry of its own. */
  ran(call: Item): void {
    const place = this.#approvals.get(idAt(call, 'approval_request_id'))
    if (place !== undefined) this.#settle(place, { status: 'completed', result: 'Approved.' })
  }

  #settle(place: Place, state: ToolCallState): void {
    const told = place.response === undefined ? {} : { response: place.response as Json }
    place.parts[place.index] = hostedAnswered(place.item, state, told)
  }
}

function decided(response: Item): ToolCallState {
  if (valueAt(response, 'approve') === true) return { status: 'pending', reason: 'approval', approved: true }
  return { status: 'failed', error: stringAt(response, 'reason') ?? 'The call was not approved.', denied: true }
}
