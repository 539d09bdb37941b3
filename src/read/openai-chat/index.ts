import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ChangePlace } from '../../model/session.ts'
import { assembler } from '../assemble.ts'
import { authorOf } from '../author.ts'
import { type Body, bodyOf, soleValue } from '../body.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { reporter } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { completionAnswer, isCompletion } from './completion.ts'
import { detect } from './detect.ts'
import { Conversation } from './messages.ts'
import { Contents } from './parts.ts'
import { LIST, MESSAGE } from './structure.ts'
import { legacyDefinitions, toolDefinitions } from './tools.ts'

/** Request bodies, message arrays, completions and JSON lines of messages of OpenAI Chat Completions and its many servers. */
export const reader: Reader = { format: 'openai-chat', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const { fields, list } = taken(source)
  const into = assembler({ unanswered: 'pending-at-end' })
  const by = authorOf('openai-chat', options, stringAt(fields, 'model'))
  const contents = new Contents(options.dialect)
  const conversation = new Conversation(into, contents, by)
  const place: { line?: number } = {}
  const at = (): ChangePlace => ({ message: conversation.here, ...place })
  const report = reporter((change) => into.report(change), at)
  const ofBody = reporter(
    (change) => into.report(change),
    () => ({}),
  )
  const bounded = (value: unknown, structure: Structure) =>
    shallow(value, structure, (before) => report('value-too-deep', { before }))

  const tools = toolDefinitions(bounded(valueAt(fields, 'tools'), LIST), ofBody)
  const functions = legacyDefinitions(bounded(valueAt(fields, 'functions'), LIST), ofBody)
  for (const { value, line } of list) {
    if (line !== undefined) place.line = line
    const message = bounded(value, MESSAGE)
    if (isCompletion(message)) into.assistant(completionAnswer(message, contents, by, report))
    else conversation.add(message, report, line)
  }

  const { messages, changes } = into.finish()
  const { instructions } = conversation
  return {
    session: {
      version: 1,
      source: { format: 'openai-chat' },
      ...(instructions === undefined ? {} : { instructions }),
      ...(tools.length + functions.length === 0 ? {} : { tools: [...tools, ...functions] }),
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
  if (isCompletion(value)) return { fields: { model: valueAt(value, 'model') }, list: [{ value }] }
  if (isObject(value) && stringAt(value, 'role') !== undefined) return { fields: {}, list: [{ value }] }
  throw new ReadError('there is no list of messages', { format: 'openai-chat' })
}
