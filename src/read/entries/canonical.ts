import { ReadError } from '../../model/error.ts'
import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Change, Message, Part, Session } from '../../model/session.ts'
import { SAMPLE } from '../evidence.ts'
import { type Report, reporter } from '../report.ts'
import { canonicalCall } from './calls.ts'
import { ASSISTANT_PARTS, INSTRUCTION_PARTS, partsOf, USER_PARTS } from './parts.ts'
import {
  ASSISTANT,
  fieldLost,
  fitted,
  INSTRUCTION,
  keptOf,
  SESSION,
  type Shape,
  TOOL,
  USER,
  without,
} from './shapes.ts'

/** Whether a value claims to be a canonical session, clean or not: other formats have no messages of parts under a version. */
export function isCanonical(value: unknown): value is Fields {
  if (!isObject(value) || typeof value.version !== 'number' || !Array.isArray(value.messages)) return false
  const sample = value.messages.slice(0, SAMPLE)
  return sample.length === 0
    ? value.version === 1
    : sample.some((message) => isObject(message) && Array.isArray(message.parts))
}

/**
 * A stored session in the canonical form: the value itself when all of it is clean, else without what is not.
 * @throws {ReadError} when it is of another version, or has no list of messages.
 */
export function readCanonical(value: Fields): { session: Session; changes: Change[] } {
  if (value.version !== 1)
    throw new ReadError('this version of the session is not known', { format: 'entries', path: 'version' })
  if (!Array.isArray(value.messages)) throw new ReadError('expected a list', { format: 'entries', path: 'messages' })
  const changes: Change[] = []
  const ofSession = reporter(
    (change) => changes.push(change),
    () => ({}),
  )
  let index = 0
  const report = reporter(
    (change) => changes.push(change),
    () => ({ message: index }),
  )
  const messages = keptOf(value.messages, (stored) => {
    const message = canonicalMessage(stored, report)
    if (message !== undefined) index++
    return message
  })
  let session = fitted(value, SESSION, ofSession) ?? value
  if (messages !== value.messages) session = { ...session, messages }
  return { session: canonicalPrompt(session, ofSession) as unknown as Session, changes }
}

/** The session itself when its instructions and tools are clean. */
export function canonicalPrompt(session: Fields, report: Report): Fields {
  const told = withList(session, 'instructions', report, (list) => partsOf(list, INSTRUCTION_PARTS, report))
  return withList(told, 'tools', report, (list) => keptOf(list, (tool) => toolOf(tool, report)))
}

function withList(
  session: Fields,
  key: string,
  report: Report,
  read: (list: readonly unknown[]) => readonly unknown[],
): Fields {
  const list = session[key]
  if (list === undefined) return session
  if (!Array.isArray(list)) {
    if (list !== null) report('part-invalid', { message: fieldLost(key), before: list })
    return without(session, [key])
  }
  const kept = read(list)
  return kept === list ? session : { ...session, [key]: kept }
}

export function toolOf(tool: unknown, report: Report): Fields | undefined {
  if (isObject(tool)) return fitted(tool, TOOL, report)
  report('part-invalid', { before: tool })
  return undefined
}

interface MessageKind {
  readonly shape: Shape
  parts(list: readonly unknown[], report: Report): readonly Part[]
}

const CALL_TABLE = { ...ASSISTANT_PARTS, 'tool-call': canonicalCall }

const KINDS: { readonly [R in Message['role']]: MessageKind } = {
  user: { shape: USER, parts: (list, report) => partsOf(list, USER_PARTS, report) },
  assistant: { shape: ASSISTANT, parts: (list, report) => partsOf(list, CALL_TABLE, report) },
  instruction: { shape: INSTRUCTION, parts: (list, report) => partsOf(list, INSTRUCTION_PARTS, report) },
}

/** The message itself when it is clean; undefined, reported, when it is no message at all. */
function canonicalMessage(stored: unknown, report: Report): Message | undefined {
  const head = canonicalHead(stored, report)
  if (head === undefined) return undefined
  const parts = KINDS[head.role].parts(head.parts, report)
  return parts === head.parts ? head : ({ ...head, parts } as Message)
}

/** The same with its parts as they are, whatever they are. */
export function canonicalHead(stored: unknown, report: Report): Message | undefined {
  const kind = isObject(stored) ? own(KINDS, stored.role) : undefined
  if (kind === undefined || !isObject(stored) || !Array.isArray(stored.parts)) {
    report('record-invalid', { before: stored })
    return undefined
  }
  return fitted(stored, kind.shape, report) as unknown as Message | undefined
}

/** The part itself when it may stand in a message of that role, else without what does not fit; undefined when it is none. */
export function canonicalPart(part: unknown, role: Message['role'], report: Report): Part | undefined {
  return KINDS[role].parts([part], report)[0]
}
