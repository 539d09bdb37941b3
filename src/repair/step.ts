import type { ChangeCode, ChangeDetail } from '../model/change.ts'
import type { Message, Part } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'

/** One defect, found and mended. Pure: what a step carries from message to message is made by `start`. */
export interface Step {
  readonly defect: string
  start(rules: Rules): Repair
}

export interface Repair {
  /** A cheap test of one message: may say yes without need, never no where there is need. Called once for each message, in order. */
  suspect(parts: readonly Part[], message: Message, turn: Turn): boolean
  mend(draft: Draft, turn: Turn, report: Report): void
}

/** What a step may know of what was written before the message. */
export interface Turn {
  /** The message will be written as one with the assistant message before it. */
  readonly joins: boolean
  /** Whether what is written before differs from what the model saw. */
  drifted(): boolean
}

/** A message under repair; `places` holds, for each part, its index in the stored message. */
export interface Draft {
  readonly message: Message
  parts: Part[]
  places: number[]
  /** The message's own slot of the API, where a step replaced it. */
  slot?: unknown
}

export interface Report {
  /** `part`: index in the stored message. */
  add(code: ChangeCode, part: number | undefined, callId?: string, detail?: ChangeDetail): void
}

/** Replaces each part by what `mended` gives: the same, another, or none. */
export function replaceParts(draft: Draft, mended: (part: Part, place: number) => Part | undefined): void {
  const parts: Part[] = []
  const places: number[] = []
  draft.parts.forEach((part, index) => {
    const place = draft.places[index]!
    const next = mended(part, place)
    if (next === undefined) return
    parts.push(next)
    places.push(place)
  })
  draft.parts = parts
  draft.places = places
}
