import type { Json } from '../model/session.ts'
import type { SseEvent } from './vendor.ts'

type Headers = { readonly [name: string]: string }

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export function jsonResponse(status: number, body: Json, headers: Headers): Response {
  if (BODILESS.has(status)) return new Response(null, { status, headers })
  const stream = streamOf([JSON.stringify(body)], false)
  return new Response(stream, { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** As the vendors send it; without the framing in chunks, a broken connection would look like the end of the answer. */
const STREAM: Headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'transfer-encoding': 'chunked',
}

export function streamResponse(events: readonly SseEvent[], broken: boolean, headers: Headers): Response {
  const stream = streamOf(events.map(frame), broken)
  return new Response(stream, { status: 200, headers: { ...STREAM, ...headers } })
}

/** The end of a chat stream is the bare word `[DONE]`. */
function frame({ event, data }: SseEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

/**
 * One chunk for each text, made when it is asked for.
 *
 * The branches of a stream's `tee` depend on each other: whoever cancels one waits until the other is cancelled too. The
 * vendors' clients cancel the body of an error before they try again, while msw holds a clone that nobody reads, so that
 * they would wait forever. Branches of this stream are streams of their own.
 */
function streamOf(texts: readonly string[], broken: boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts[next++]
      if (text !== undefined) controller.enqueue(encoder.encode(text))
      else if (broken) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return Object.defineProperty(stream, 'tee', { value: () => [streamOf(texts, broken), streamOf(texts, broken)] })
}
