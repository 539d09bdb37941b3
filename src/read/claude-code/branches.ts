import { preview } from '../../model/json.ts'
import type { Branch } from '../reader.ts'
import type { Spoken } from './leaf.ts'
import type { Link } from './link.ts'
import { attachmentType } from './link.ts'

/** What is known of a record off the conversation, from it up to its root. */
interface Trail {
  readonly root: Link
  /** Where it leaves the conversation. */
  readonly parent: Link | undefined
  /** Messages from the root on. */
  readonly messages: number
  /** Of them those that no other branch above has. */
  readonly own: number
  /** The message that the next line may belong to. */
  readonly key: string | undefined
  readonly text: string | undefined
}

export interface LeftOut extends Branch {
  readonly link: Link
}

/** The branches that a conversation leaves out; `taken` says which records it has, or has replaced by a summary. */
export function branchesOf(tree: Spoken, taken: (link: Link) => boolean): readonly LeftOut[] {
  const trails = new Map<Link, Trail>()
  const found: LeftOut[] = []
  for (const leaf of tree.leaves) {
    if (taken(leaf)) continue
    const trail = trailOf(leaf, tree, taken, trails)
    if (trail.own === 0) continue
    found.push({
      link: leaf,
      leaf: leaf.uuid,
      root: trail.root.uuid,
      ...(trail.parent === undefined ? {} : { parent: trail.parent.uuid }),
      messages: trail.messages,
      preview: preview(trail.text ?? ''),
    })
  }
  return found
}

/** From the top down, without recursion; each record is worked out once. */
function trailOf(leaf: Link, tree: Spoken, taken: (link: Link) => boolean, trails: Map<Link, Trail>): Trail {
  const path = new Set<Link>()
  let link: Link | undefined = leaf
  while (link !== undefined && !trails.has(link) && !path.has(link)) {
    path.add(link)
    link = tree.before(link)
  }
  let above = link === undefined ? undefined : trails.get(link)
  for (const step of [...path].reverse()) {
    above = extended(above, step, taken(step))
    trails.set(step, above)
  }
  return above ?? extended(undefined, leaf, false)
}

function extended(above: Trail | undefined, link: Link, isTaken: boolean): Trail {
  const key = messageKey(link)
  const starts = key !== undefined && key !== above?.key ? 1 : 0
  return {
    root: above?.root ?? link,
    parent: isTaken ? link : above?.parent,
    messages: (above?.messages ?? 0) + starts,
    own: isTaken ? 0 : (above?.own ?? 0) + starts,
    key: key ?? above?.key,
    text: isTaken ? undefined : (above?.text ?? textOf(link)),
  }
}

/** Undefined for what is no message of its own: results, and what the screen alone shows. */
function messageKey(link: Link): string | undefined {
  if (link.screenOnly || link.onlyResults) return undefined
  return link.type === 'assistant' ? link.key : link.uuid
}

function textOf(link: Link): string | undefined {
  if (attachmentType(link) === 'queued_command') {
    const prompt = (link.record.attachment as { prompt?: unknown }).prompt
    return typeof prompt === 'string' ? prompt : undefined
  }
  for (const block of link.content ?? []) {
    const text = typeof block === 'object' && block !== null ? (block as { text?: unknown }).text : undefined
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}
