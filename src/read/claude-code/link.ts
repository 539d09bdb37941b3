import type { Fields } from '../../model/json.ts'
import type { SourceRecord } from '../reader.ts'
import { type Bearing, contentOf, messageOf } from './messages.ts'

export type LinkType = 'user' | 'assistant' | 'system' | 'progress' | 'attachment'

/** Where a compaction cut: what stands before it is not sent any more. */
export type Point = 'boundary' | 'summary'

interface Place {
  /** Place among the links in file order. */
  readonly index: number
  readonly type: LinkType
  readonly uuid: string
  /** The conversation it belongs to: '' for the main one, else the sub-agent or team member. */
  readonly lane: string
}

/**
 * A record of the parent chain. Progress, system and attachment records carry the chain too, so none of them may be skipped.
 * It holds what the tree is made of, not what the record says: most of a large file stands before a compaction.
 */
export class Link {
  readonly index: number
  readonly type: LinkType
  readonly uuid: string
  readonly lane: string
  readonly hasResults: boolean
  readonly onlyResults: boolean
  readonly key: string
  readonly screenOnly: boolean
  readonly point: Point | undefined
  /** A record that the model sees, or wrote: user, assistant, and what was queued while the model worked. */
  readonly isSpoken: boolean
  /** The record before it. */
  up: Link | undefined
  /** The newest record of its lane that stands before it in the file; kept for compactions only. */
  earlier: Link | undefined
  /** It names a parent that is not stored. */
  gap: boolean
  readonly #source: SourceRecord

  constructor(source: SourceRecord, record: Fields, { index, type, uuid, lane }: Place, bearing: Bearing) {
    this.#source = source
    this.index = index
    this.type = type
    this.uuid = uuid
    this.lane = lane
    this.hasResults = bearing.hasResults
    this.onlyResults = bearing.onlyResults
    this.key = bearing.key
    this.screenOnly = bearing.screenOnly
    this.point = pointOf(type, record)
    this.isSpoken = type === 'user' || type === 'assistant' || attachmentIn(record) === 'queued_command'
    this.up = undefined
    this.earlier = undefined
    this.gap = false
  }

  get line(): number {
    return this.#source.line
  }

  get record(): Fields {
    return this.#source.value as Fields
  }

  /** Of a user or assistant record. */
  get message(): Fields | undefined {
    return messageOf(this.record)
  }

  get content(): readonly unknown[] | undefined {
    return contentOf(this.record)
  }
}

function pointOf(type: LinkType, record: Fields): Point | undefined {
  if (type === 'user') return record.isCompactSummary === true ? 'summary' : undefined
  return type === 'system' && record.subtype === 'compact_boundary' ? 'boundary' : undefined
}

export function attachmentType(link: Link): unknown {
  return attachmentIn(link.record)
}

function attachmentIn({ attachment }: Fields): unknown {
  return typeof attachment === 'object' && attachment !== null ? (attachment as { type?: unknown }).type : undefined
}
