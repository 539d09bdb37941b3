import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import type { Change, FormatId } from '../../model/session.ts'
import { detectFormat } from '../../read/index.ts'
import { MAX_BYTES } from '../file-options.ts'
import { isCompressed, notText } from '../kind.ts'
import { isDatabase } from '../session-file.ts'
import { appendTo } from './append.ts'
import { ioError, RepairError } from './error.ts'
import { databasePlan, repairDatabase } from './opencode-database.ts'
import type { OpenCall, Plan, Replaced } from './plan.ts'
import { replaceWith } from './replace.ts'
import { type SentRequest, sentRequest } from './request.ts'
import { regular, snapshotOf } from './snapshot.ts'
import { appendix } from './stored-lines.ts'
import { NODE_FILES, type RepairFiles } from './system.ts'
import { plannerOf } from './tools.ts'

export interface RepairOptions {
  /** Default false: only say what would be done. */
  readonly write?: boolean | undefined
  /** Also a file that was changed in the last 10 seconds; and one that changes meanwhile is read again. Never while its tool runs. */
  readonly force?: boolean | undefined
  /** Where it is not recognised. */
  readonly format?: FormatId | undefined
  /** Of a database: which session. Default: the newest. */
  readonly id?: string | undefined
  /** Default 2 GiB. */
  readonly maxBytes?: number | undefined
}

export interface RepairResult {
  readonly format: FormatId
  /** Whether the file was changed. */
  readonly written: boolean
  /** The lines that are appended, in the record shapes of the tool. */
  readonly appended: readonly string[]
  /** What is replaced in files that are not appended to. */
  readonly replaced: readonly Replaced[]
  /** The calls that are given a result which says that their outcome is unknown. */
  readonly closed: readonly OpenCall[]
  /** Open calls that the tool closes by itself when it loads the file. */
  readonly leftToTool: readonly OpenCall[]
  readonly changes: readonly Change[]
  /** The private copy of the file as it was, where it was replaced. */
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
  const stats = await regular(path, files).catch((error: unknown) => {
    throw ioError(error, 'the file cannot be read')
  })
  if (stats.size > 0 && (await isDatabase(path))) return attemptDatabase(path, options, files, now)
  const taken = await snapshotOf(path, options.maxBytes ?? MAX_BYTES, files)
  const format = options.format ?? formatOf(taken.bytes)
  const plan = plannerOf(format)({ format, bytes: taken.bytes }, now)
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

async function attemptDatabase(
  path: string,
  { write, force, id, maxBytes = MAX_BYTES }: RepairOptions,
  files: RepairFiles,
  now: Date,
): Promise<RepairResult> {
  const plan = await databasePlan(path, id, maxBytes, now)
  const { format, session, closed, leftToTool, replaced, after } = plan
  const told = { ...NOTHING, format, replaced, closed, leftToTool, changes: closed.map(closing) }
  if (closed.length === 0) return told
  const sent = { before: sentRequest(session, format, closed), after: sentRequest(after, format, []) }
  if (write !== true) return { ...told, ...sent }
  if (force !== true) refuseRecent(plan.changedAt, now)
  const backup = await repairDatabase(path, plan, now, files)
  return { ...told, ...sent, written: true, backup }
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

function formatOf(bytes: Uint8Array): FormatId {
  if (isCompressed(bytes)) throw new RepairError('unsupported', 'this file is compressed: decompress it first')
  const foreign = notText(bytes)
  if (foreign !== undefined) throw new ReadError(foreign)
  const format = detectFormat(bytes)
  if (format === undefined) throw new ReadError('no known format fits the file')
  return format
}

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
