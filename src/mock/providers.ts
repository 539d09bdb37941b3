import { HttpResponse, http } from 'msw'
import { isObject, type JsonObject } from '../model/json.ts'
import type { ApiId, Json } from '../model/session.ts'
import { anthropic } from './anthropic.ts'
import { bodyText } from './body.ts'
import { Ids } from './ids.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { checkMockOptions } from './options.ts'
import { refusedError } from './refused.ts'
import { answerOf, DEFAULT_REPLY, type MockRequest, type Reply, type ReplyMaker, type ReplyStatus } from './reply.ts'
import { refuseNoReply } from './reply-guard.ts'
import { Route } from './route.ts'
import type { Arrival, Endpoint, Level, Looks, MockedApi, Outcome, Vendor } from './vendor.ts'
import { jsonResponse, streamResponse } from './wire.ts'

export interface MockOptions {
  /** Default `live`: what the APIs refuse today. */
  readonly level?: Level | undefined
  /**
   * Where an API is reached instead of at its own address: the `baseURL` of its client. Under a base of OpenAI's, Azure's
   * paths are served too: `/openai/deployments/<name>/...` and `/openai/v1/...`.
   */
  readonly baseUrls?: { readonly [api in ApiId]?: string | undefined } | undefined
  /** Ids of rules that are left out, such as `openai-chat/tool-call-id-too-long`, on which reports disagree. */
  readonly without?: readonly string[] | undefined
  /** The server behind an API that several speak, such as 'mistral': what it was recorded to take is not refused. */
  readonly dialects?: { readonly [api in ApiId]?: string | undefined } | undefined
  /**
   * `respond` (default): as the API does. `throw`: with a status 500 that lists all violations, so that the client throws what
   * no code takes for an answer of the API, and does not try again.
   */
  readonly onViolation?: 'respond' | 'throw' | undefined
}

export interface MockProviders {
  /** msw request handlers, for `setupServer(...handlers)` and `setupWorker(...handlers)`. */
  readonly handlers: readonly object[]
  /** All requests since the last reset, in the order in which they came. */
  readonly requests: readonly MockRequest[]
  /**
   * Queues answers for the coming requests; with none queued, an accepted request is answered by a short text. A refused
   * request and a count of tokens take none.
   */
  reply(...replies: readonly (Reply | ReplyMaker)[]): void
  /**
   * @throws {Error} with rule, path and message of each violation, if any request so far was refused; and what a reply function
   * threw, which the client saw as a status 500 only.
   */
  expectAccepted(): void
  /** Forgets requests and queued replies, and counts ids from the beginning. */
  reset(): void
}

/** msw names its handlers by a class, and this package does not import its types: `never` fits the handlers of each version. */
export interface ReadyProviders extends MockProviders {
  readonly handlers: readonly never[]
}

/**
 * Handlers for msw that answer like Anthropic and OpenAI: they refuse, with status and words, what the real API refuses, and
 * answer all else as scripted, plain or as a stream. API keys are not looked at. The vendors' clients keep the `fetch` of the
 * moment in which they are made: make them after `server.listen()`, or with `fetch: (...request) => fetch(...request)`.
 * @throws {TypeError} for options of other types, APIs without a mock, and rules that there are not.
 */
export function mockProviders(options: MockOptions = {}): ReadyProviders {
  return new Providers(options)
}

const VENDORS: { readonly [api in MockedApi]: () => Vendor } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
}

class Providers implements ReadyProviders {
  readonly handlers: readonly never[]
  readonly requests: MockRequest[] = []
  readonly #options: MockOptions
  readonly #vendors: readonly Vendor[]
  readonly #replies: (Reply | ReplyMaker)[] = []
  readonly #failures: unknown[] = []
  readonly #ids = new Ids()

  constructor(options: MockOptions) {
    checkMockOptions(options)
    this.#options = options
    const { baseUrls = {} } = options
    this.#vendors = Object.values(VENDORS).map((open) => open())
    this.handlers = this.#vendors.flatMap((vendor) => this.#handlersOf(vendor, baseUrls[vendor.api])) as never[]
  }

  reply(...replies: readonly (Reply | ReplyMaker)[]): void {
    this.#replies.push(...replies)
  }

  expectAccepted(): void {
    if (this.#failures.length > 0) throw this.#failures[0]
    const refused = this.requests.filter(({ violations }) => violations.length > 0)
    if (refused.length > 0) throw refusedError(refused)
  }

  reset(): void {
    this.requests.length = 0
    this.#replies.length = 0
    this.#failures.length = 0
    this.#ids.reset()
    for (const vendor of this.#vendors) vendor.reset()
  }

  #handlersOf(vendor: Vendor, base: string | undefined): readonly object[] {
    return vendor.endpoints.map((endpoint) => {
      const route = new Route(base ?? vendor.base, endpoint.path, vendor.azure && base !== undefined)
      return http.post(route.pattern, async ({ request }) => {
        const text = await bodyText(request)
        const { url, headers } = request
        return this.#answer(vendor, endpoint, { url, headers, text, body: parsed(text), ...route.read(url) })
      })
    })
  }

  async #answer(vendor: Vendor, endpoint: Endpoint, arrival: Arrival): Promise<Response> {
    const { body = arrival.text, url } = arrival
    const violations = endpoint.check(arrival, this.#looks(vendor.api))
    const streamed = isObject(body) && body.stream === true
    const request: MockRequest = { api: vendor.api, url, body, streamed, violations }
    this.requests.push(request)
    const requestId = vendor.requestId(this.#ids)
    const headers = { [vendor.requestIdHeader]: requestId }
    const [first] = violations
    if (first !== undefined) {
      if (this.#options.onViolation === 'throw') return thrown('mock_violation', refusedError([request]), headers)
      return jsonResponse(first.status, vendor.refusal(first, requestId), headers)
    }
    try {
      const reply = endpoint.counts ? DEFAULT_REPLY : await this.#nextReply(request)
      if (typeof reply === 'object' && 'drop' in reply) return HttpResponse.error()
      if (typeof reply === 'object' && 'status' in reply) return failed(vendor, reply, requestId, headers)
      const exchange = { ...arrival, body: body as JsonObject, streamed, answer: answerOf(reply), ids: this.#ids }
      return sent(endpoint.respond(exchange), { headers, failure: () => vendor.failure(500, requestId) })
    } catch (error) {
      this.#failures.push(error)
      return thrown('mock_failure', error, headers)
    }
  }

  #looks(api: MockedApi): Looks {
    const { level = 'live', without, dialects } = this.#options
    return { level, without, dialect: dialects?.[api] }
  }

  async #nextReply(request: MockRequest): Promise<Reply> {
    const reply: unknown = this.#replies.length === 0 ? DEFAULT_REPLY : this.#replies.shift()
    const made: unknown = typeof reply === 'function' ? await (reply as ReplyMaker)(request) : reply
    refuseNoReply(made)
    // What is no JSON cannot be sent: it fails here, before anything walks over what may hold itself.
    JSON.stringify(made)
    return made as Reply
  }
}

/** What a response is made with, whatever the outcome. */
interface Sending {
  readonly headers: { readonly [name: string]: string }
  failure(): Json
}

const SENT: {
  readonly [K in Outcome['kind']]: (outcome: Extract<Outcome, { readonly kind: K }>, sending: Sending) => Response
} = {
  json: ({ body }, { headers }) => jsonResponse(200, body, headers),
  stream: ({ events, broken }, { headers }) => streamResponse(events, broken, headers),
  failure: (_, { headers, failure }) => jsonResponse(500, failure(), headers),
  drop: () => HttpResponse.error(),
}

function sent<K extends Outcome['kind']>(outcome: Extract<Outcome, { readonly kind: K }>, sending: Sending): Response {
  return SENT[outcome.kind as K](outcome, sending)
}

function failed(vendor: Vendor, reply: ReplyStatus, requestId: string, headers: ReplyStatus['headers']): Response {
  const { status, body = vendor.failure(status, requestId) } = reply
  return jsonResponse(status, body, { ...headers, ...reply.headers })
}

/** Where each client looks for the message. An error thrown inside of msw would be tried again by the clients. */
function thrown(type: string, cause: unknown, headers: Sending['headers']): Response {
  const message = cause instanceof Error ? cause.message : String(cause)
  const error = { type, message, param: null, code: null }
  return jsonResponse(500, { message, error }, { ...headers, 'x-should-retry': 'false' })
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
