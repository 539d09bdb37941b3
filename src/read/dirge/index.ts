import { ReadError } from '../../model/error.ts'
import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { Author, Session } from '../../model/session.ts'
import { type Assembler, assembler } from '../assemble.ts'
import { soleValue } from '../body.ts'
import { headOf } from '../entries/head.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { reporter } from '../report.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { type Compaction, lastCompaction, summaryText } from './compaction.ts'
import { detect } from './detect.ts'
import { Conversation } from './messages.ts'
import { cutBranches, otherBranches, pathTo, type Tree, treeOf } from './tree.ts'

/** Session files of dirge, one JSON object each, of every version of their schema. */
export const reader: Reader = { format: 'dirge', hasBranches: true, detect, read }

/** What the model has a place for; all else is kept, so that a file can be written again. */
const APART = new Set(['messages', 'id', 'name', 'working_dir', 'created_at'])
const SESSION = { needs: {}, may: {} }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const stored = soleValue(source)
  if (!isObject(stored) || !Array.isArray(stored.messages)) {
    throw new ReadError('there is no list of messages', { format: 'dirge', path: 'messages' })
  }
  const into = assembler({ unanswered: 'interrupted' })
  const report = reporter(
    (change) => into.report(change),
    () => ({}),
  )
  const tree = treeOf(stored)
  const taken = messagesTo(options.leaf, stored.messages, tree, into)
  const conversation = new Conversation(into, authorOf(stored))
  replay(taken, compactionOf(stored, stored.messages, taken), options, conversation, into)
  const others = otherBranches(tree, new Set(taken.flatMap((message) => stringAt(message, 'id') ?? [])))
  const cut = cutBranches(stored)
  for (const { preview: before } of others) report('branch-left-out', { before })
  for (const { preview: before } of cut) report('branch-left-out', { message: CUT_AWAY, before })
  const { extra } = headOf(stored, SESSION, report, { apart: APART, slot: 'dirge' })
  const { messages, changes } = into.finish()
  const { instructions } = conversation
  const session = {
    version: 1,
    ...headOfSession(stored),
    ...(instructions.length === 0 ? {} : { instructions }),
    messages,
    ...(extra === undefined ? {} : { extra }),
  }
  return { session: session as Session, changes, branches: [...others, ...cut] }
}

/** The messages of the active branch, or of the one that ends with `leaf`. */
function messagesTo(
  leaf: string | undefined,
  active: readonly unknown[],
  tree: Tree,
  into: Assembler,
): readonly unknown[] {
  if (leaf === undefined) return active
  if (!tree.parents.has(leaf))
    throw new ReadError(`there is no message with the id ${JSON.stringify(leaf)}`, { format: 'dirge' })
  const { ids, missing } = pathTo(leaf, tree)
  const report = reporter(
    (change) => into.report(change),
    () => ({ message: 0 }),
  )
  if (missing !== undefined) report('history-truncated', { before: missing })
  return ids.flatMap((id) => {
    const message = tree.messages.get(id)
    if (message === undefined)
      report('history-truncated', { message: 'A message of the branch is not stored.', before: id })
    return message === undefined ? [] : [message]
  })
}

/** The summary counts on another branch too, when that one goes on from behind it. */
function compactionOf(stored: Fields, active: readonly unknown[], taken: readonly unknown[]): Compaction | undefined {
  const compaction = lastCompaction(stored, active)
  if (compaction === undefined || taken === active) return compaction
  const replaced = active.slice(0, compaction.replaced)
  const isShared = replaced.every((message, index) => isSame(message, taken[index]))
  return isShared ? compaction : undefined
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (stringAt(a, 'id') !== undefined && stringAt(a, 'id') === stringAt(b, 'id'))

/** The summary first, then what it does not replace. `full` takes the replaced messages too, where they are still stored. */
function replay(
  taken: readonly unknown[],
  compaction: Compaction | undefined,
  options: ReadOptions,
  conversation: Conversation,
  into: Assembler,
): void {
  const { summary = '', replaced = 0, summaryStored = false } = compaction ?? {}
  const isFull = options.history === 'full' && (replaced > 1 || !summaryStored)
  const report = reporter(
    (change) => into.report(change),
    () => ({ message: 0 }),
  )
  if (isFull)
    for (const before of compaction?.summaries ?? []) report('message-left-out', { message: SUMMARY_LEFT_OUT, before })
  if (compaction !== undefined && !isFull) {
    report('compaction-applied', { before: `${replaced - (summaryStored ? 1 : 0)} stored messages` })
    conversation.summary(summaryText(summary), summaryStored ? taken[0] : undefined)
  }
  for (const message of isFull ? taken : taken.slice(replaced)) conversation.add(message)
}

const CUT_AWAY = 'Another branch was cut away by a compaction; only a note of it is stored.'

function authorOf(stored: Fields): Author | undefined {
  const model = stringAt(stored, 'model')
  const provider = stringAt(stored, 'provider')
  if (model === undefined || model === '') return undefined
  return { model, ...(provider === undefined || provider === '' ? {} : { provider }) }
}

function headOfSession(stored: Fields): Partial<Session> {
  const [id, title] = [stringAt(stored, 'id'), stringAt(stored, 'name')]
  const [cwd, createdAt] = [stringAt(stored, 'working_dir'), stringAt(stored, 'created_at')]
  const version = typeof stored.schema_version === 'number' ? stored.schema_version : 0
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(createdAt === undefined ? {} : { createdAt }),
    source: { format: 'dirge', version: String(version) },
  }
}
