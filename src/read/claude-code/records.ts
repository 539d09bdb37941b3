import { type ChangeCode, change } from '../../model/change.ts'
import { type Fields, isObject, sameJson } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Change } from '../../model/session.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source, SourceRecord } from '../reader.ts'
import { Link, type LinkType } from './link.ts'
import { assistantBearing, type Bearing, NO_BEARING, userBearing } from './messages.ts'

/** What the file says about the session besides the conversation. */
export interface Notes {
  customTitle?: string
  aiTitle?: string
  agent?: string
  readonly summaries: { readonly leaf: string; readonly text: string }[]
}

export interface Records {
  /** In file order, one for each uuid. */
  readonly links: readonly Link[]
  readonly byUuid: ReadonlyMap<string, Link>
  /** Links whose parent does not stand before them. */
  readonly orphans: readonly Orphan[]
  readonly notes: Notes
  readonly changes: readonly Change[]
  /** How many records are of a kind that is known. */
  readonly known: number
}

export interface Orphan {
  readonly link: Link
  readonly parent: string
}

const LINKS: { readonly [type: string]: LinkType } = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  progress: 'progress',
  attachment: 'attachment',
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const BEARINGS: { readonly [type in LinkType]?: (record: Fields) => Bearing } = {
  user: userBearing,
  assistant: assistantBearing,
}

type NoteTaker = (notes: Notes, record: Fields) => void

const nothing: NoteTaker = () => {}

/** Record kinds that are no links of the chain and no conversation. */
const METADATA: { readonly [type: string]: NoteTaker } = {
  summary(notes, record) {
    const [leaf, title] = [text(record.leafUuid), text(record.summary)]
    if (leaf !== undefined && title !== undefined) notes.summaries.push({ leaf, text: title })
  },
  'custom-title'(notes, record) {
    notes.customTitle = text(record.customTitle) ?? notes.customTitle ?? ''
  },
  'ai-title'(notes, record) {
    notes.aiTitle = text(record.aiTitle) ?? notes.aiTitle ?? ''
  },
  'agent-setting'(notes, record) {
    notes.agent = text(record.agentSetting) ?? notes.agent ?? ''
  },
  'agent-color': nothing,
  'agent-name': nothing,
  agent_metadata: nothing,
  'atis-latch': nothing,
  'attribution-snapshot': nothing,
  'bridge-session': nothing,
  'content-replacement': nothing,
  'cost-state': nothing,
  'file-history-delta': nothing,
  'file-history-snapshot': nothing,
  'last-prompt': nothing,
  mode: nothing,
  'permission-mode': nothing,
  'pr-link': nothing,
  'queue-operation': nothing,
  tag: nothing,
  'task-summary': nothing,
  'worktree-state': nothing,
}

/** Whether a record of this type is session data of Claude Code that is no conversation. */
export function isMetadata(type: unknown): boolean {
  return own(METADATA, type) !== undefined
}

/** Sorts the records of a file into chain links, notes about the session, and what is unknown. */
export function sortRecords(source: Source): Records {
  const sorter = new Sorter()
  for (const record of lineRecordsOf(source)) sorter.take(record)
  return sorter.done()
}

class Sorter {
  private readonly links: Link[] = []
  private readonly byUuid = new Map<string, Link>()
  private readonly orphans: Orphan[] = []
  private readonly copies: Link[] = []
  private readonly notes: Notes = { summaries: [] }
  private readonly changes: Change[] = []
  private readonly unknown = new Set<string>()
  private known = 0

  take(source: SourceRecord): void {
    const { line, value } = source
    const kind = isObject(value) ? value.type : undefined
    if (!isObject(value) || typeof kind !== 'string') {
      this.report('record-invalid', line, value)
      return
    }
    const type = own(LINKS, kind)
    if (type === undefined) this.metadata(line, kind, value)
    else if (typeof value.uuid === 'string') this.link(source, type, value.uuid, value)
    else this.report('record-invalid', line, value)
  }

  done(): Records {
    const { links, byUuid, orphans, notes, changes, known } = this
    for (const copy of this.copies) this.settleCopy(copy)
    return { links, byUuid, orphans, notes, changes, known }
  }

  private link(source: SourceRecord, type: LinkType, uuid: string, record: Fields): void {
    this.known++
    const first = this.byUuid.get(uuid)
    const place = { index: first?.index ?? this.links.length, type, uuid, lane: laneOf(record) }
    const link = new Link(source, record, place, BEARINGS[type]?.(record) ?? NO_BEARING)
    this.hang(link, record.parentUuid ?? null)
    if (first !== undefined) {
      this.copies.push(link)
      return
    }
    this.links.push(link)
    this.byUuid.set(uuid, link)
  }

  private hang(link: Link, parent: unknown): void {
    if (typeof parent !== 'string') {
      link.gap = parent !== null
      return
    }
    link.up = this.byUuid.get(parent)
    if (link.up === undefined) this.orphans.push({ link, parent })
  }

  /** Of two copies the one whose parent is stored keeps the conversation whole; it takes the place of the first. */
  private settleCopy(copy: Link): void {
    const first = this.links[copy.index]
    if (first === undefined) return
    const better = this.parentRank(copy) > this.parentRank(first)
    if (better) {
      this.links[copy.index] = copy
      this.byUuid.set(copy.uuid, copy)
    }
    const left = better ? first : copy
    if (sameJson(saidBy(first), saidBy(copy))) this.report('record-duplicate', left.line, copy.uuid)
    else this.changes.push(change('record-invalid', { line: left.line }, { message: ANOTHER, before: saidBy(left) }))
  }

  private parentRank(link: Link): number {
    const parent = link.record.parentUuid ?? null
    if (parent === null) return 1
    return typeof parent === 'string' && parent !== link.uuid && this.byUuid.has(parent) ? 2 : 0
  }

  private metadata(line: number, type: string, record: Fields): void {
    const note = own(METADATA, type)
    if (note !== undefined) {
      this.known++
      note(this.notes, record)
      return
    }
    if (this.unknown.has(type)) return
    this.unknown.add(type)
    this.report('record-unknown', line, type)
  }

  private report(code: ChangeCode, line: number, before: unknown): void {
    this.changes.push(change(code, { line }, { before }))
  }
}

/** Of records without a content what they are attached to the conversation for. */
const saidBy = (link: Link): unknown => link.content ?? link.record.attachment ?? link.record.message

const ANOTHER = 'A record with the id of another one that says something else was left out.'

/** The lane of the main conversation. */
const MAIN = ''

/**
 * Sub-agents write `isSidechain` and, from version 2.0 on, their `agentId`; members of a team write `teamName`. Neither is part of
 * the main conversation.
 */
function laneOf(record: Fields): string {
  const team = text(record.teamName)
  if (record.isSidechain !== true && team === undefined) return MAIN
  return JSON.stringify([team ?? null, text(record.agentName) ?? null, text(record.agentId) ?? null])
}
