import { deeperThan, type Fields, isObject, MAX_DEPTH } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { AssistantPart, MediaPart, OutputPart, Part, TextPart, UserPart } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { deepText } from '../shallow.ts'
import { fitted, JSON_PART, keptOf, MEDIA, NATIVE, REASONING, type Shape, TEXT } from './shapes.ts'

type Read<P> = (value: Fields, report: Report) => P | undefined
type Table<P> = { readonly [type: string]: Read<P> }

const as =
  <P extends Part | OutputPart>(shape: Shape): Read<P> =>
  (value, report) =>
    fitted(shallowed(value, report), shape, report) as P | undefined

/** Of several sources the first; keys without one are gone, since readers of the part go by the keys. */
const mediaPart: Read<MediaPart> = (value, report) => {
  const part = fitted(value, MEDIA, report)
  const { source } = (part ?? {}) as { readonly source?: Fields }
  if (source === undefined) return undefined
  const present = SOURCES.filter((key) => key in source)
  const first = present.find((key) => typeof source[key] === 'string')
  if (present.length === 0 || (present.length === 1 && first !== undefined)) return part as unknown as MediaPart
  const { api, fileId } = source
  return { ...part, source: first === undefined ? { api, fileId } : { [first]: source[first] } } as unknown as MediaPart
}

const SOURCES = ['base64', 'url', 'text'] as const

/** Native and JSON parts hold any value. */
function shallowed(part: Fields, report: Report): Fields {
  if (!deeperThan(part.value, MAX_DEPTH)) return part
  const text = deepText(part.value)
  report('value-too-deep', { before: text })
  return { ...part, value: text }
}

export const USER_PARTS: Table<UserPart> = { text: as(TEXT), media: mediaPart, native: as(NATIVE) }
/** All but calls, which come in more than one form. */
export const ASSISTANT_PARTS: Table<Exclude<AssistantPart, { type: 'tool-call' }>> = {
  text: as(TEXT),
  reasoning: as(REASONING),
  media: mediaPart,
  native: as(NATIVE),
}
export const INSTRUCTION_PARTS: Table<TextPart> = { text: as(TEXT) }
export const OUTPUT_PARTS: Table<OutputPart> = {
  text: as(TEXT),
  media: mediaPart,
  native: as(NATIVE),
  json: as(JSON_PART),
}

/** The list itself when all of its parts are clean; bare strings are texts. Bad parts are reported and left out. */
export function partsOf<P extends StoredPart | OutputPart>(
  list: readonly unknown[],
  table: Table<P>,
  report: Report,
): readonly P[] {
  return keptOf(list, (value) => partOf(value, table, report))
}

function partOf<P>(value: unknown, table: Table<P>, report: Report): P | undefined {
  const part = typeof value === 'string' ? { type: 'text', text: value } : value
  const read = isObject(part) && Object.hasOwn(part, 'type') ? own(table, part.type) : undefined
  if (read !== undefined && isObject(part)) return read(part, report)
  report('part-invalid', { before: value })
  return undefined
}
