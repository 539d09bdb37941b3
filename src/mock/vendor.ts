import type { CheckOptions, Level, Violation } from '../check/rule.ts'
import type { JsonObject } from '../model/json.ts'
import type { Json } from '../model/session.ts'
import type { Ids } from './ids.ts'
import type { Answer } from './reply.ts'

export type { Level, Violation }

/** How strictly a mock looks, and at whose rules. */
export type Looks = Pick<CheckOptions, 'level' | 'without' | 'dialect'>

export type MockedApi = 'anthropic' | 'openai-chat' | 'openai-responses'

/** One request as it came over the wire. */
export interface Arrival {
  readonly url: string
  readonly headers: Headers
  /** The body's text. */
  readonly text: string
  /** The parsed body; undefined when it is no JSON. */
  readonly body: Json | undefined
  /** The deployment that an Azure path names. */
  readonly deployment: string | undefined
  readonly azure: boolean
}

/** An accepted request that is to be answered. */
export interface Exchange {
  readonly body: JsonObject
  readonly text: string
  readonly deployment: string | undefined
  readonly streamed: boolean
  readonly answer: Answer
  readonly ids: Ids
}

export interface SseEvent {
  readonly event?: string | undefined
  readonly data: Json
}

/**
 * What is sent: a JSON body, a stream of events (`broken`: the connection fails behind the last one), the vendor's failure,
 * or nothing.
 */
export type Outcome =
  | { readonly kind: 'json'; readonly body: Json }
  | { readonly kind: 'stream'; readonly events: readonly SseEvent[]; readonly broken: boolean }
  | { readonly kind: 'failure' }
  | { readonly kind: 'drop' }

export interface Endpoint {
  /** Behind the base URL. */
  readonly path: string
  check(arrival: Arrival, looks: Looks): readonly Violation[]
  /** `counts` alone: the endpoint asks no model, so it takes no scripted reply. */
  readonly respond: (exchange: Exchange) => Outcome
  readonly counts?: true | undefined
}

export interface Vendor {
  readonly api: MockedApi
  /** The base URL of the vendor's own client. */
  readonly base: string
  /** Whether Azure's paths are served under a base that the caller names. */
  readonly azure: boolean
  readonly requestIdHeader: string
  requestId(ids: Ids): string
  refusal(violation: Violation, requestId: string): Json
  /** The vendor's own words for a status. */
  failure(status: number, requestId: string): Json
  readonly endpoints: readonly Endpoint[]
  /** Forgets what was handed out. */
  reset(): void
}

/** The three parts of an answer as a stream: what every answer has, then its good or its failed end. */
export interface Stream {
  readonly events: readonly SseEvent[]
  readonly end: readonly SseEvent[]
  readonly failed: readonly SseEvent[]
}

export function streamOutcome({ events, end, failed }: Stream, { stop }: Answer): Outcome {
  if (stop === 'aborted') return { kind: 'stream', events, broken: true }
  return { kind: 'stream', events: [...events, ...(stop === 'error' ? failed : end)], broken: false }
}

/** The model that answers: what the body names, else the deployment. */
export function modelOf({ body, deployment }: Pick<Exchange, 'body' | 'deployment'>): string {
  return typeof body.model === 'string' ? body.model : (deployment ?? '')
}
