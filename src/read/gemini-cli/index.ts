import { ReadError } from '../../model/error.ts'
import { deeperThan, type Fields } from '../../model/json.ts'
import type { ChangePlace, Json, Session } from '../../model/session.ts'
import { assembler } from '../assemble.ts'
import { recordsOf, soleValue } from '../body.ts'
import { CONTENT } from '../gemini/structure.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { reporter } from '../report.ts'
import { shallow } from '../shallow.ts'
import { tellContents } from './checkpoint.ts'
import { checkpointOf, detect, isContentList } from './detect.ts'
import { Messages } from './messages.ts'
import { Operations } from './operations.ts'

/** Sessions of Gemini CLI, as one object or as operations, and its checkpoints. */
export const reader: Reader = { format: 'gemini-cli', detect, read }

type About = Omit<Session, 'messages'>

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const value = soleValue(source)
  const list = Array.isArray(value) ? value : checkpointOf(value)
  return isContentList(list) ? readCheckpoint(list) : readOperations(source, options)
}

function readCheckpoint(list: readonly unknown[]): Omit<ReadResult, 'format'> {
  const into = assembler({ unanswered: 'interrupted' })
  tellContents(list, into)
  const { messages, changes } = into.finish()
  return { session: { version: 1, source: { format: 'gemini-cli' }, messages }, changes, branches: [] }
}

function readOperations(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const operations = new Operations(options.history === 'full')
  for (const entry of recordsOf(source)) operations.take(entry)
  if (operations.known === 0) throw new ReadError('no record of a session found', { format: 'gemini-cli' })

  const into = assembler({ unanswered: 'interrupted' })
  for (const change of operations.changes) into.report(change)
  const messages = new Messages(into, options)
  let line: number | undefined
  const at = (): ChangePlace => (line === undefined ? { message: messages.here } : { line })
  const report = reporter((change) => into.report(change), at)
  for (const message of operations.messages.values()) {
    line = message.line
    const record = shallow(message.record, CONTENT, (before) => report('value-too-deep', { before }))
    messages.tell(record as Fields, report, line)
  }
  const told = into.finish()
  return { session: { ...aboutOf(operations.about), messages: told.messages }, changes: told.changes, branches: [] }
}

/** What has a field of its own in a session. */
const READ = new Set(['sessionId', 'startTime', 'summary', 'messages'])

function aboutOf(about: ReadonlyMap<string, unknown>): About {
  const text = (key: string): string | undefined => {
    const value = about.get(key)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const directories = about.get('directories')
  const folder: unknown = Array.isArray(directories) ? directories[0] : undefined
  const rest = [...about].filter(([key, value]) => !READ.has(key) && value !== null && !deeperThan(value, MAX_NESTING))
  return {
    version: 1,
    ...given('id', text('sessionId')),
    ...given('title', text('summary')),
    ...given('cwd', typeof folder === 'string' ? folder : undefined),
    ...given('createdAt', text('startTime')),
    source: { format: 'gemini-cli' },
    ...(rest.length === 0 ? {} : { extra: { 'gemini-cli': Object.fromEntries(rest) as Json } }),
  }
}

/** What is said of a session is flat; what is far deeper says nothing. */
const MAX_NESTING = 16

function given<K extends keyof About>(key: K, value: string | undefined): { readonly [key in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: string })
}
