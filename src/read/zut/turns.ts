import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { StopReason } from '../../model/session.ts'
import type { SourceRecord } from '../reader.ts'
import { kindOf } from './blocks.ts'

/** What the records of a journal say about earlier ones. */
export interface Survey {
  /** By the place of the last message of a turn: how the turn ended. */
  readonly stops: ReadonlyMap<number, StopReason>
  /** Places of the records of calls that stand in a later message of the same turn. */
  readonly covered: ReadonlySet<number>
  /** Places of the records of prompts that a later message of the user says. */
  readonly said: ReadonlySet<number>
}

interface Draft {
  readonly stops: Map<number, StopReason>
  readonly covered: Set<number>
  readonly said: Set<number>
  /** The texts of the messages of the user that come later. */
  readonly prompts: Set<string>
  /** How the turn ends that is being looked at. */
  end: StopReason | undefined
  /** The calls of the messages that come later in the turn. */
  readonly later: Set<string>
}

/** From the end to the beginning, since each record is told of by later ones. */
export function surveyOf(records: readonly SourceRecord[]): Survey {
  const draft: Draft = {
    stops: new Map(),
    covered: new Set(),
    said: new Set(),
    prompts: new Set(),
    end: undefined,
    later: new Set(),
  }
  for (let index = records.length - 1; index >= 0; index--) {
    const value = records[index]?.value
    if (isObject(value)) own(LOOKS, value.type)?.(draft, value, index)
  }
  return draft
}

const OUTCOMES: { readonly [outcome: string]: StopReason } = { completed: 'end', failed: 'error' }

const LOOKS: { readonly [type: string]: (draft: Draft, record: Fields, place: number) => void } = {
  'turn.finished'(draft, record) {
    draft.end = own(OUTCOMES, record.outcome)
  },
  'child.interrupted'(draft) {
    draft.end = 'aborted'
  },
  'child.failed'(draft) {
    draft.end = 'error'
  },
  'child.accepted': accepted,
  'turn.accepted'(draft, record, place) {
    accepted(draft, record, place)
    newTurn(draft)
  },
  'turn.started': newTurn,
  'message.user'(draft, record) {
    newTurn(draft)
    const content = valueAt(record.message, 'content')
    for (const block of Array.isArray(content) ? content : []) draft.prompts.add(stringAt(block, 'text') ?? '')
  },
  'message.assistant'(draft, record, place) {
    const calls = callIds(record.message)
    for (const id of calls) draft.later.add(id)
    // A message whose calls ended the turn did not come to its end by itself.
    if (draft.end !== undefined && !(draft.end === 'end' && calls.length > 0)) draft.stops.set(place, draft.end)
    draft.end = undefined
  },
  'tool.call'(draft, record, place) {
    const id = stringAt(record, 'tool_id')
    if (id !== undefined && draft.later.has(id)) draft.covered.add(place)
  },
}

function accepted(draft: Draft, record: Fields, place: number): void {
  if (draft.prompts.has(stringAt(record, 'prompt') ?? '')) draft.said.add(place)
}

function newTurn(draft: Draft): void {
  draft.end = undefined
  draft.later.clear()
}

/** The ids of the calls of a message. */
export function callIds(message: unknown): string[] {
  const content = valueAt(message, 'content')
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (kindOf(block) === 'call' ? (stringAt(block, 'id') ?? []) : []))
}
