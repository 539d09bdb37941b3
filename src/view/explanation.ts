import type { Explanation } from '../check/explain/index.ts'
import type { Session } from '../model/session.ts'
import { escapeText, glimpse } from './escape.ts'
import { speakerOf } from './outline.ts'
import { partLine } from './part-line.ts'

/** Which API and place an error names, then each rule with what it wants and what obeys it. */
export function explanationLines({ api, path, ids, rules }: Explanation): string[] {
  const named = ids === undefined ? [] : [`names ${ids.map((id) => glimpse(id, 64)).join(', ')}`]
  const facts = [
    ...(api === undefined ? [] : [api]),
    ...(path === undefined ? [] : [`at ${escapeText(path)}`]),
    ...named,
  ]
  return [
    ...(facts.length === 0 ? [] : [facts.join(', ')]),
    ...rules.flatMap(({ id, meaning, repair }) => [id, `    ${meaning}`, `    ${repair}`]),
  ]
}

/** A place of a session. */
export interface SessionPlace {
  readonly message: number
  readonly part?: number | undefined
  readonly callId?: string | undefined
}

/** The place, and what stands there. */
export function placeLines(place: SessionPlace, { messages }: Session): string[] {
  const { message, part, callId } = place
  const names = [
    `message ${message}`,
    ...(part === undefined ? [] : [`part ${part}`]),
    ...(callId === undefined ? [] : [`call ${glimpse(callId, 64)}`]),
  ]
  const found = messages[message]
  const parts = found?.parts ?? []
  const shown = part === undefined ? parts.slice(0, 1) : parts.slice(part, part + 1)
  const speaker = found === undefined ? '' : ` (${speakerOf(found)})`
  return [`session: ${names.join(', ')}${speaker}`, ...shown.map((one) => `    ${partLine(one)}`)]
}
