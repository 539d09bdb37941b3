import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ChangePlace } from '../../model/session.ts'
import { assembler } from '../assemble.ts'
import { authorOf } from '../author.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { reporter } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { Turns } from '../turns.ts'
import { detect } from './detect.ts'
import { Conversation } from './messages.ts'
import { LIST, MESSAGE } from './structure.ts'
import { instructionsOf, toolDefinitions } from './tools.ts'

/** Request bodies, message arrays, response objects and JSON lines of messages of the Anthropic Messages API. */
export const reader: Reader = { format: 'anthropic', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const { fields, list } = taken(source)
  const into = assembler({ unanswered: 'pending-at-end' })
  const turns = new Turns()
  const place: { line?: number } = {}
  const at = (): ChangePlace => ({ message: turns.here, ...place })
  const report = reporter((change) => into.report(change), at)
  const ofBody = reporter(
    (change) => into.report(change),
    () => ({}),
  )
  const bounded = (value: unknown, structure: Structure) =>
    shallow(value, structure, (before) => report('value-too-deep', { before }))

  const instructions = instructionsOf(bounded(valueAt(fields, 'system'), LIST), ofBody)
  const tools = toolDefinitions(bounded(valueAt(fields, 'tools'), LIST), ofBody)
  const model = stringAt(fields, 'model')
  const conversation = new Conversation(turns, (own) => authorOf('anthropic', options, own ?? model))
  for (const { value, line } of list) {
    if (line !== undefined) place.line = line
    conversation.add(bounded(value, MESSAGE), report, line)
  }
  conversation.end(ofBody)
  turns.emit(into)

  const { messages, changes } = into.finish()
  return {
    session: {
      version: 1,
      source: { format: 'anthropic' },
      ...(instructions === undefined ? {} : { instructions }),
      ...(tools === undefined ? {} : { tools }),
      messages,
    },
    changes,
    branches: [],
  }
}

function taken(source: Source): Body {
  const body = bodyOf(source, ['messages'])
  if (body !== undefined) return body
  const value = soleValue(source)
  // A single message, or a response, which is one.
  if (isObject(value) && stringAt(value, 'role') !== undefined) return { fields: {}, list: [{ value }] }
  throw new ReadError('there is no list of messages', { format: 'anthropic' })
}
