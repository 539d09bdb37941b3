import { change } from '../../model/change.ts'
import type { Change, FormatId } from '../../model/session.ts'
import { MAX_BYTES } from '../file-options.ts'
import { isDatabase } from '../session-file.ts'
import { appendTo } from './append.ts'
import { ioError, RepairError } from './error.ts'
import { formatOf, refuseOther, refuseOtherId } from './format-of.ts'
import { databasePlan } from './opencode-database.ts'
import { treePlan } from './opencode-tree.ts'
import type { OpenCall, Plan, Replaced } from './plan.ts'
import { replaceWith } from './replace.ts'
import { type SentRequest, sentRequest } from './request.ts'
import { refuseIrregular, snapshotOf } from './snapshot.ts'
import type { StorePlan } from './store.ts'
import { appendix } from './stored-lines.ts'
import { type FileStats, NODE_FILES, type RepairFiles } from './system.ts'
import { plannerOf } from './tools.ts'
import { treeTarget } from './tree-target.ts'

/** How `repairSessionFile` goes about it. */
export interface RepairOptions {
  /** Default false: only say what would be done. */
  readonly write?: boolean | undefined
  /** Also a file that was changed in the last 10 seconds; and one that changes meanwhile is read again. Never while its tool runs. */
  readonly force?: boolean | undefined
  /** Which format it is, where that is not recognised. A file of another one is refused with a `ReadError`. */
  readonly format?: FormatId | undefined
  /** Of a database or a storage tree: which session. Default: the newest. */
  readonly id?: string | undefined
  /** Bytes of the file, or of all files of a session in a storage tree: with more it is refused. Default 2 GiB. */
  readonly maxBytes?: number | undefined
}

/** What was done to a file; where nothing was written, what would be. */
export interface RepairResult {
  /** As recognised, or as named. */
  readonly format: FormatId
  /** Whether the file was changed. */
  readonly written: boolean
  /** The lines that are appended, in the record shapes of the tool: JSON, each without its newline. */
  readonly appended: readonly string[]
  /** What is replaced in files that are not appended to. */
  readonly replaced: readonly Replaced[]
  /** The calls that are given a result which says that their outcome is unknown. */
  readonly closed: readonly OpenCall[]
  /** Open calls that the tool closes by itself when it loads the file. */
  readonly leftToTool: readonly OpenCall[]
  /** What was done, in words: a call that was closed is a `call-closed`. */
  readonly changes: readonly Change[]
  /** The private copy of the file as it was, where it was replaced; of files of a storage tree, the folder of them. */
  readonly backup?: string
  /**
   * The request as the file has it, with the open calls, and with their closers; absent when there is nothing to repair. Some
   * tools put a text of their own in the gaps before they send.
   */
  readonly before?: SentRequest
  readonly after?: SentRequest
}

/** What a test puts in the place of the system. */
export interface Surroundings {
  readonly files?: RepairFiles | undefined
  readonly now?: (() => Date) | undefined
}

/** A file that was changed more lately may still be written to. */
const QUIET_MS = 10_000

/** A file that changes while it is repaired is read again, when that is forced. */
const TRIES = 3

/** As `repairSessionFile`. */
export async function repairFile(
  path: string,
  options: RepairOptions,
  { files = NODE_FILES, now = () => new Date() }: Surroundings = {},
): Promise<RepairResult> {
  for (let tries = options.force === true ? TRIES : 1; ; tries--) {
    try {
      return await attempt(path, options, files, now())
    } catch (error) {
      if (!RepairError.is(error) || error.reason !== 'changed' || tries <= 1) throw error
    }
  }
}

async function attempt(path: string, options: RepairOptions, files: RepairFiles, now: Date): Promise<RepairResult> {
  const stats = await files.lstat(path).catch((error: unknown) => {
    throw ioError(error, 'the file cannot be read')
  })
  if (!stats.isDirectory()) refuseIrregular(stats)
  const store = await storePlan(path, stats, options, files, now)
  return store === undefined ? attemptFile(path, options, files, now) : attemptStore(store, options, now)
}

/** The plan for a store that holds many sessions; undefined for every other file. */
async function storePlan(
  path: string,
  stats: FileStats,
  { format, id, maxBytes = MAX_BYTES }: RepairOptions,
  files: RepairFiles,
  now: Date,
): Promise<StorePlan | undefined> {
  const target = await treeTarget(path, stats, id, files)
  if (target === undefined && !(stats.size > 0 && (await isDatabase(path)))) return undefined
  if (target !== undefined) {
    refuseOther(format, 'opencode', 'this is a storage tree')
    return treePlan(target, maxBytes, now, files)
  }
  const plan = await databasePlan(path, id, maxBytes, now, files)
  refuseOther(format, plan.format, 'this is a database')
  return plan
}

async function attemptFile(path: string, options: RepairOptions, files: RepairFiles, now: Date): Promise<RepairResult> {
  const taken = await snapshotOf(path, options.maxBytes ?? MAX_BYTES, files)
  const format = formatOf(taken.bytes, options.format)
  const plan = plannerOf(format)({ format, bytes: taken.bytes }, now)
  refuseOtherId(options.id, plan.session.id)
  const told = toldOf(format, plan)
  if (options.write !== true || isNothing(plan)) return told
  if (options.force !== true) refuseRecent(taken.stats.mtimeMs, now)
  if (plan.replacement !== undefined) {
    const backup = await replaceWith(path, taken, plan.replacement.bytes, now, files)
    return { ...told, written: true, backup }
  }
  const isShared = await appendTo(path, taken, addedBytes(plan), files)
  if (isShared && options.force !== true)
    throw new RepairError(
      'changed',
      'the lines were appended, but another process wrote at the same time: its tool still runs',
    )
  return { ...told, written: true }
}

async function attemptStore(plan: StorePlan, { write, force }: RepairOptions, now: Date): Promise<RepairResult> {
  const { format, session, closed, leftToTool, replaced, after } = plan
  const told = { ...NOTHING, format, replaced, closed, leftToTool, changes: closed.map(closing) }
  if (closed.length === 0) return told
  const sent = { before: sentRequest(session, format, closed), after: sentRequest(after, format, []) }
  if (write !== true) return { ...told, ...sent }
  if (force !== true) refuseRecent(plan.changedAt, now)
  return { ...told, ...sent, written: true, backup: await plan.write() }
}

const NOTHING = { written: false, appended: [], replaced: [], closed: [], leftToTool: [], changes: [] } as const

const closing = ({ id }: OpenCall): Change => change('call-closed', { callId: id })

const addedBytes = ({ tail, lines = [] }: Plan): Uint8Array =>
  tail === undefined ? new Uint8Array() : appendix(tail, lines)

const isNothing = ({ replacement, lines = [], tail, needsNewline = false }: Plan): boolean =>
  replacement === undefined &&
  lines.length === 0 &&
  tail?.state !== 'torn' &&
  !(needsNewline && tail?.state === 'whole')

function refuseRecent(changedAt: number, now: Date): void {
  if (now.getTime() - changedAt >= QUIET_MS) return
  throw new RepairError(
    'recent',
    'the file was changed less than 10 seconds ago: its tool may still run; force repairs it',
  )
}

function toldOf(format: FormatId, plan: Plan): RepairResult {
  const { session, closed, leftToTool = [], lines = [], replacement, tail, asSent, changes = [] } = plan
  const torn = tail?.state === 'torn' ? [change('line-torn', {})] : []
  const told: RepairResult = {
    ...NOTHING,
    format,
    appended: lines,
    replaced: replacement?.edits ?? [],
    closed,
    leftToTool,
    changes: [...torn, ...closed.map(closing), ...changes],
  }
  if (isNothing(plan)) return told
  return {
    ...told,
    before: sentRequest(session, format, closed, asSent?.before),
    after: sentRequest(plan.after(), format, [], asSent?.after),
  }
}
