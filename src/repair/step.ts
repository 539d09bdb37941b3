import type { ChangeCode, ChangeDetail } from '../model/change.ts'
import type { MediaPart, Message, NativePart, Part, ReasoningPart, TextPart, ToolCallEntry } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'

/** One defect, found and mended. Pure: what a step carries from message to message is made by `start`. */
export interface Step {
  readonly defect: string
  start(rules: Rules): Repair
}

/**
 * What the tests tell apart: client calls, calls that the API ran, calls of either sort whose output is a list, and parts
 * of any kind with slots of APIs, their own or their state's.
 */
interface Tested {
  readonly text: TextPart
  readonly reasoning: ReasoningPart
  readonly media: MediaPart
  readonly native: NativePart
  readonly 'tool-call': ToolCallEntry
  readonly 'provider-call': ToolCallEntry
  readonly 'listed-output': ToolCallEntry
  readonly slotted: Part
}

export type TestedKind = keyof Tested

/** For each kind of part a cheap test: may say yes without need, never no where there is need. */
export type Suspects = {
  readonly [K in TestedKind]?: ((part: Tested[K], scene: Scene) => boolean) | undefined
}

export interface Repair {
  /** Before the tests of a message; may be called twice for one message. */
  begin?(scene: Scene): void
  /** Whether something among the parts is none of the model's. Asked first, since all other tests trust the types. */
  distrusts?(scene: Scene): boolean
  readonly suspects: Suspects
  /** A test of what belongs to the message itself. */
  suspectsMessage?(message: Message, parts: readonly Part[]): boolean
  mend(draft: Draft, scene: Scene, report: Report): void
  /** Behind the last step: remembers the message as it will be written. `joins`: as in the scene. */
  commit?(message: Message, joins: boolean): void
}

/** The message under test, its present parts, and what may be known of what was written before it. */
export interface Scene {
  readonly message: Message
  readonly parts: readonly Part[]
  /** For each part its index in the stored message; absent: the same. */
  readonly places?: readonly number[] | undefined
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
