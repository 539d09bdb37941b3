import { ReadError } from '../../model/error.ts'
import { stringAt } from '../../model/json.ts'
import { assembler } from '../assemble.ts'
import { isoTime } from '../iso-time.ts'
import type { Reader, ReadResult, Source } from '../reader.ts'
import { type Report, reporter } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { Turns } from '../turns.ts'
import { detect } from './detect.ts'
import { type Stored, unwrapped } from './envelope.ts'
import { Conversation, type Waiting } from './messages.ts'
import { withoutRemoved } from './remove.ts'
import { type State, stateOf } from './state.ts'

/**
 * Messages of LangChain in all their envelopes, and the states and checkpoints of LangGraph. Stores whose checkpoints are
 * MessagePack are not read.
 */
export const reader: Reader = { format: 'langchain', detect, read }

/** envelope, message, content, block, content of a block. */
const MESSAGE: Structure = {
  keys: new Set(['data', 'kwargs', 'content', 'tool_calls', 'invalid_tool_calls', 'additional_kwargs']),
  levels: 6,
}

function read(source: Source): Omit<ReadResult, 'format'> {
  const state = stateOf(source)
  if (state === undefined) throw new ReadError('there is no list of messages', { format: 'langchain' })
  const into = assembler({ unanswered: 'interrupted' })
  const turns = new Turns()
  const report = reporter(
    (change) => into.report(change),
    () => ({ message: turns.here }),
  )
  const conversation = new Conversation(turns, report)
  const stored = messagesIn(state, report)
  const waiting = waitingOf(stored, state)
  for (const [index, message] of stored.entries()) conversation.add(message, waiting(index))
  conversation.end(report)
  turns.emit(into)
  const { messages, changes } = into.finish()
  const { instructions } = conversation
  return {
    session: {
      version: 1,
      source: { format: 'langchain' },
      ...(state.id === undefined ? {} : { id: state.id }),
      ...createdAt(state),
      ...(instructions === undefined ? {} : { instructions }),
      messages,
    },
    changes,
    branches: [],
  }
}

function messagesIn({ list }: State, report: Report): readonly Stored[] {
  const stored = list.flatMap((raw) => {
    const value = shallow(raw, MESSAGE, (before) => report('value-too-deep', { before }))
    const message = unwrapped(value)
    if (message === undefined)
      report(typeof value === 'object' && value !== null ? 'record-unknown' : 'record-invalid', { before: value })
    return message ?? []
  })
  return withoutRemoved(stored, report)
}

/**
 * Calls wait for an answer where the graph stands still: at an interrupt all open ones of the last answer, else those of an answer
 * that nothing follows.
 */
function waitingOf(stored: readonly Stored[], { interrupted }: State): (index: number) => Waiting {
  const last = stored.findLastIndex(({ kind }) => kind !== 'tool' && kind !== 'function')
  const isLast = last === stored.length - 1
  const waiting: Waiting = interrupted
    ? { status: 'pending', reason: 'approval' }
    : isLast
      ? { status: 'pending' }
      : undefined
  return (index) => (index === last ? waiting : undefined)
}

function createdAt({ createdAt: stored }: State): { readonly createdAt?: string } {
  const at = isoTime(stringAt({ at: stored }, 'at'))
  return at === undefined ? {} : { createdAt: at }
}
