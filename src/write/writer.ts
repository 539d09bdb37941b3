import type { ChangeCode, ChangeDetail } from '../model/change.ts'
import type {
  ApiId,
  AssistantMessage,
  InstructionMessage,
  Message,
  TextPart,
  ToolDefinition,
  UserMessage,
} from '../model/session.ts'
import type { WriteOptions } from '../rules/options.ts'
import type { Rules } from '../rules/rules.ts'

/** A message as it will be written. `places`: for each part its index in the stored message; absent: the same. */
export interface Repaired<M extends Message = Message> {
  readonly message: M
  /** Index in the session; undefined for the coming turn (`next`). */
  readonly index: number | undefined
  readonly places?: readonly number[] | undefined
  /** The stored message; absent: the same. */
  readonly stored?: Message | undefined
}

/**
 * The unit of writing: assistant messages that nothing parts, their results, and what follows up to the next assistant
 * message. Whatever is written of a closed segment never changes; the last one is the open end.
 */
export interface Segment {
  readonly first: boolean
  readonly assistants: readonly Repaired<AssistantMessage>[]
  readonly rest: readonly Repaired<UserMessage | InstructionMessage>[]
  /** Of a closed segment: the assistant message that closed it. */
  readonly closedBy?: Message | undefined
}

export interface Origin {
  readonly message: number
  readonly part?: number
  readonly callId?: string
}

/** Where a writer puts what it writes of a segment. */
export interface Output<Wire> {
  add(wire: Wire, from: Repaired | undefined): void
  /** Says where a block comes from; kept only when somebody asks. */
  trace(block: object, from: Repaired, position?: number, callId?: string): void
  report(code: ChangeCode, from: Repaired, position?: number, callId?: string, detail?: ChangeDetail): void
  /** The wire element added next carries a cache marker. */
  mark(): void
}

export interface Setting<Options extends WriteOptions, Traits> {
  readonly options: Options
  readonly rules: Rules
  /** What the writer itself must know of the target model. */
  readonly traits: Traits
}

/** What a request is made of, when it is taken. */
export interface Body<Wire> {
  readonly instructions: readonly TextPart[]
  readonly wires: Wire[]
  /** Indices of wires that carry cache markers. */
  readonly marked: readonly number[]
  readonly tools: readonly ToolDefinition[] | undefined
}

export interface Writer<Wire extends object, Request, Options extends WriteOptions, Traits = unknown> {
  readonly api: ApiId
  /** The key of the request under which the wires stand. */
  readonly list: 'messages' | 'input'
  rules(options: Options): Rules
  traits(options: Options): Traits
  /** Gives what writes segments into that output, one after the other. */
  open(output: Output<Wire>, setting: Setting<Options, Traits>): WriteSegment
  request(body: Body<Wire>, setting: Setting<Options, Traits>, report: ReportEnd): Request
}

/** `end`: nothing follows; only then may what depends on the end be decided. Holds the segments before this one. */
export type WriteSegment = (segment: Segment, end?: readonly Segment[] | undefined) => void

export type ReportEnd = (code: ChangeCode, detail?: ChangeDetail) => void

/** The index of a part in its stored message. */
export function placeOf(from: Repaired, position: number): number {
  return from.places?.[position] ?? position
}
