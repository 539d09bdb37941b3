import { isObject } from '../../model/json.ts'
import type { Link } from './link.ts'
import { idAt } from './messages.ts'
import type { PlacedResult } from './pulled-results.ts'

/** One API message: its lines, wherever they stand in the file. */
export interface Group {
  readonly key: string
  /** In file order once completed. */
  readonly members: Link[]
  /** How many prompts stood before its first line. */
  readonly prompts: number
  /** Lines from off the chain are among the members. */
  mixed: boolean
  /** Results of its calls from lines off the chain, in file order. */
  pulled: readonly PlacedResult[]
}

type Visit = (block: unknown, link: Link, index: number, isRepeated: boolean) => void

/**
 * The blocks of a message in file order; `tellEmpty` hears of lines without any. Lines off the chain add only what the
 * chain does not have.
 */
export function visitBlocks(
  group: Group,
  isOnChain: (link: Link) => boolean,
  visit: Visit,
  tellEmpty?: (link: Link) => void,
): void {
  const present = group.mixed ? identities(group, isOnChain) : undefined
  const calls = group.members.length > 1 ? new Set<string>() : undefined
  for (const link of group.members) {
    const known = isOnChain(link) ? undefined : present
    const blocks = link.content ?? noBlocks(link, tellEmpty)
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]
      if (known?.has(identity(block) ?? '') === true) continue
      const id = calls === undefined ? '' : (callId(block) ?? '')
      visit(block, link, index, calls?.has(id) === true)
      if (id !== '') calls?.add(id)
    }
  }
}

const NO_BLOCKS: readonly unknown[] = []

function noBlocks(link: Link, tellEmpty: ((link: Link) => void) | undefined): readonly unknown[] {
  tellEmpty?.(link)
  return NO_BLOCKS
}

/** What the lines on the chain hold. */
function identities(group: Group, isOnChain: (link: Link) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  for (const link of group.members) {
    const blocks = isOnChain(link) ? link.content : undefined
    for (const block of blocks ?? []) {
      const name = identity(block)
      if (name !== undefined) found.add(name)
    }
  }
  return found
}

/** Of a call of the client, '' where none is stored. */
export function callId(block: unknown): string | undefined {
  return isObject(block) && block.type === 'tool_use' ? idAt(block, 'id') : undefined
}

/** What makes two blocks of one message the same block. */
function identity(block: unknown): string | undefined {
  if (!isObject(block)) return undefined
  const key = IDENTITIES.get(block.type)
  const value = key === undefined ? undefined : block[key]
  return typeof value === 'string' && value !== '' ? `${String(block.type)} ${value}` : undefined
}

const IDENTITIES: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
  ['tool_use', 'id'],
  ['server_tool_use', 'id'],
  ['mcp_tool_use', 'id'],
])
