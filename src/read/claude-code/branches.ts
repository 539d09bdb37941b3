import { branchesOf, type LeftOut } from '../branches.ts'
import type { Spoken } from './leaf.ts'
import { attachmentType, type Link } from './link.ts'

/** The branches that a conversation leaves out; `isTaken`: it has the record, or has replaced it by a summary. */
export function otherBranches(tree: Spoken, isTaken: (link: Link) => boolean): readonly LeftOut<Link>[] {
  return branchesOf({
    leaves: endsOf(tree, isTaken),
    nodes: tree.links,
    before: (link) => tree.before(link),
    isTaken,
    idOf: ({ uuid }) => uuid,
    messageOf,
    isResult: ({ hasResults }) => hasResults,
    textOf,
  })
}

/** Records off the conversation that none off it follows: a line of a message that was gathered may hang on one. */
function endsOf(tree: Spoken, isTaken: (link: Link) => boolean): readonly Link[] {
  const left = tree.links.filter((link) => !isTaken(link))
  const followed = new Set<Link>()
  for (const link of left) {
    const parent = tree.before(link)
    if (parent !== undefined && parent !== link && parent.lane === link.lane) followed.add(parent)
  }
  return left.filter((link) => !followed.has(link))
}

/** Undefined for what is no message of its own: results, and what the screen alone shows. */
function messageOf(link: Link): string | undefined {
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
