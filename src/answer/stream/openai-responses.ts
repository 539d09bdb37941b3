import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { fromOpenAIResponses } from '../openai-responses.ts'
import type { AnswerOptions } from '../options.ts'
import { ComingItem } from './response-items.ts'
import { asStopped } from './stopped.ts'
import type { AnswerStream, Draft } from './stream.ts'

interface Coming {
  /** The response as the last event that held one gave it. */
  response: Draft
  /** By the index that the events name. */
  readonly items: Map<unknown, ComingItem>
  last: ComingItem | undefined
  isEnded: boolean
  hasFailed: boolean
}

/** Events of the Responses API. @see https://platform.openai.com/docs/api-reference/responses-streaming */
export function openaiResponsesStream(options: AnswerOptions): AnswerStream {
  const coming: Coming = { response: {}, items: new Map(), last: undefined, isEnded: false, hasFailed: false }
  return {
    push: (event) => takeEvent(coming, event),
    message() {
      const { response, isEnded, hasFailed } = coming
      // Some servers end with a response whose output is empty.
      if (isEnded && Array.isArray(response.output) && response.output.length > 0)
        return fromOpenAIResponses(response, options)
      const items = inOrder(coming.items)
      const output = items.map((item) => (isEnded && item.isWhole ? item.value() : item.unstored()))
      const message = fromOpenAIResponses({ ...response, output }, options)
      if (isEnded && items.every(({ isWhole }) => isWhole)) return message
      const calls = items.filter((item) => item.isCall())
      const stop = hasFailed ? 'error' : 'aborted'
      const stopped = asStopped(message, (call) => calls[call]?.isWhole === true, stop)
      return isEnded ? { ...stopped, stop: message.stop } : stopped
    },
  }
}

function takeEvent(coming: Coming, event: object): void {
  const type = stringAt(event, 'type')
  const response = valueAt(event, 'response')
  if (isObject(response)) coming.response = { ...response }
  own(EVENTS, type)?.(coming, event)
  if (type === undefined || own(EVENTS, type) !== undefined) return
  const item = coming.items.get(valueAt(event, 'output_index')) ?? coming.last
  item?.take(type, event)
}

const ends = (coming: Coming): void => {
  coming.isEnded = true
}

const EVENTS: { readonly [type: string]: (coming: Coming, event: object) => void } = {
  'response.completed': ends,
  'response.incomplete': ends,
  'response.failed': ends,
  'response.cancelled': ends,
  'response.output_item.added': (coming, event) => setItem(coming, event, false),
  'response.output_item.done': (coming, event) => setItem(coming, event, true),
  error(coming) {
    coming.hasFailed = true
  },
}

function setItem(coming: Coming, event: object, isWhole: boolean): void {
  const item = valueAt(event, 'item')
  if (!isObject(item)) return
  const index = valueAt(event, 'output_index') ?? stringAt(item, 'id') ?? coming.items.size
  coming.last = new ComingItem(item, isWhole)
  coming.items.set(index, coming.last)
}

/** Items may begin in another order than that of the output. */
function inOrder(items: ReadonlyMap<unknown, ComingItem>): readonly ComingItem[] {
  const entries = [...items]
  const place = (index: unknown): number => (typeof index === 'number' ? index : entries.length)
  return entries.sort(([a], [b]) => place(a) - place(b)).map(([, item]) => item)
}
