import type { Json } from '../model/session.ts'
import type { SseEvent } from './vendor.ts'

type Headers = { readonly [name: string]: string }

export function jsonResponse(status: number, body: Json, headers: Headers): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export function streamResponse(events: readonly SseEvent[], broken: boolean, headers: Headers): Response {
  return new Response(streamOf(events, broken), {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
  })
}

/** One chunk for each event, made when it is asked for. */
function streamOf(events: readonly SseEvent[], broken: boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const event = events[next++]
      if (event !== undefined) controller.enqueue(encoder.encode(frame(event)))
      else if (broken) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
}

/** The end of a chat stream is the bare word `[DONE]`. */
function frame({ event, data }: SseEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}
