import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ChangePlace, TextPart } from '../../model/session.ts'
import { assembler } from '../assemble.ts'
import { authorOf } from '../author.ts'
import { type Body, bodyOf, type Entry, soleValue } from '../body.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { type Report, reporter } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { Turns } from '../turns.ts'
import { detect } from './detect.ts'
import { endingOf } from './ending.ts'
import { Items } from './items.ts'
import { ITEM, LIST } from './structure.ts'
import { toolDefinitions } from './tools.ts'

/** Request bodies, item arrays, response objects and JSON lines of items of the OpenAI Responses API. */
export const reader: Reader = { format: 'openai-responses', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const { fields, list } = taken(source)
  const into = assembler({ unanswered: 'pending-at-end' })
  const turns = new Turns()
  const by = authorOf('openai-responses', options, stringAt(fields, 'model'))
  const items = new Items(turns, by === undefined ? {} : { by })
  const place: { line?: number } = {}
  const at = (): ChangePlace => ({ message: turns.here, ...place })
  const report = reporter((change) => into.report(change), at)
  const ofBody = reporter(
    (change) => into.report(change),
    () => ({}),
  )
  const bounded = (value: unknown, structure: Structure) =>
    shallow(value, structure, (before) => report('value-too-deep', { before }))

  const instructions = instructionsOf(fields, ofBody)
  const tools = toolDefinitions(bounded(valueAt(fields, 'tools'), LIST), ofBody)
  for (const { value, line } of [...leading(fields), ...list]) {
    if (line !== undefined) place.line = line
    items.add(bounded(value, ITEM), report, line)
  }
  if (Array.isArray(valueAt(fields, 'output'))) turns.ended(endingOf(fields))
  turns.emit(into)

  const { messages, changes } = into.finish()
  return {
    session: {
      version: 1,
      source: { format: 'openai-responses' },
      ...(instructions === undefined ? {} : { instructions }),
      ...(tools === undefined ? {} : { tools }),
      messages,
    },
    changes,
    branches: [],
  }
}

/** The `instructions` of a body; an empty string is none. */
function instructionsOf(fields: Body['fields'], report: Report): readonly TextPart[] | undefined {
  const stored = valueAt(fields, 'instructions')
  if (isObject(stored) || typeof stored === 'number') report('record-invalid', { before: stored })
  const text = stringAt(fields, 'instructions')
  return text === undefined || text === '' ? undefined : [{ type: 'text', text }]
}

/** A response may give its instructions as items. */
function leading(fields: Body['fields']): readonly Entry[] {
  const instructions = valueAt(fields, 'instructions')
  return Array.isArray(instructions) ? instructions.map((value) => ({ value })) : []
}

function taken(source: Source): Body {
  const value = soleValue(source)
  const input = stringAt(value, 'input')
  if (isObject(value) && input !== undefined)
    return { fields: value, list: [{ value: { role: 'user', content: input } }] }
  const body = bodyOf(source, ['input', 'output'])
  if (body !== undefined) return body
  const isItem = stringAt(value, 'type') !== undefined || stringAt(value, 'role') !== undefined
  if (isItem) return { fields: {}, list: [{ value }] }
  throw new ReadError('there is no list of items', { format: 'openai-responses' })
}
