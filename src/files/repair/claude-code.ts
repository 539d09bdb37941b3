import { isObject, stringAt } from '../../model/json.ts'
import { connect } from '../../read/claude-code/chain.ts'
import { activeLeaf, mainLane, spokenTree } from '../../read/claude-code/leaf.ts'
import type { Link } from '../../read/claude-code/link.ts'
import { type Records, sortRecords } from '../../read/claude-code/records.ts'
import { closingText } from './closing-text.ts'
import { appending, lineFile, unanswered } from './line-file.ts'
import { madeUuid } from './made-id.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/**
 * A result stands in a `user` record of its own. The closers are hung on the leaf of the active conversation, one behind
 * the other: the last of them is the new leaf, from which every earlier record is still reached. Hung on their call they
 * would be a branch of their own, and the newest one, which is the one that is loaded.
 */
export function claudeCode(stored: StoredFile, now: Date): Plan {
  const file = lineFile(stored)
  const records = sortRecords(file.source)
  connect(records)
  const tree = spokenTree(records.links)
  const leaf = activeLeaf(tree, mainLane(tree))
  if (leaf === undefined || file.open.length === 0) return appending(file, [], [])
  const callers = callersOf(records, leaf)
  const open = unanswered(file).filter(({ id }) => callers.has(id))
  const closers: object[] = []
  let parent = leaf.uuid
  for (const call of open) {
    const uuid = freeUuid(parent, call.id, records.byUuid)
    closers.push(closer(call, { uuid, parent, leaf, caller: callers.get(call.id), now }))
    parent = uuid
  }
  return appending(file, open, closers)
}

/**
 * The record of each call that the tool loads: those of the messages that stand on the chain of parents, which for the tool ends
 * where a parent is not stored.
 */
function callersOf({ links, byUuid }: Records, leaf: Link): ReadonlyMap<string, string> {
  const chain = new Set<Link>()
  let link: Link | undefined = leaf
  while (link !== undefined && !chain.has(link)) {
    chain.add(link)
    const parent: unknown = link.record.parentUuid
    link = typeof parent === 'string' ? byUuid.get(parent) : undefined
  }
  const loaded = new Set([...chain].filter(({ type }) => type === 'assistant').map(({ key }) => key))
  const callers = new Map<string, string>()
  for (const link of links) {
    if (link.type !== 'assistant' || link.lane !== leaf.lane || !loaded.has(link.key)) continue
    // Asked for behind the rest: a getter, which looks into the record.
    for (const block of link.content ?? []) {
      const id = isObject(block) && block.type === 'tool_use' ? stringAt(block, 'id') : undefined
      if (id !== undefined) callers.set(id, link.uuid)
    }
  }
  return callers
}

function freeUuid(parent: string, call: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 0; ; number++) {
    const uuid = madeUuid('claude-code', parent, call, number)
    if (!taken.has(uuid)) return uuid
  }
}

/** Where and by whom a record was written: a closer belongs to the same place, agent and version as the record before it. */
const ENVELOPE = [
  ...['isSidechain', 'userType', 'cwd', 'sessionId', 'version', 'gitBranch', 'slug', 'entrypoint'],
  ...['agentId', 'teamName', 'agentName'],
]

interface Place {
  readonly uuid: string
  readonly parent: string
  readonly leaf: Link
  readonly caller: string | undefined
  readonly now: Date
}

function closer(call: OpenCall, { uuid, parent, leaf, caller, now }: Place): object {
  const text = closingText(call)
  const envelope = ENVELOPE.flatMap((key) => {
    const value = Object.hasOwn(leaf.record, key) ? leaf.record[key] : undefined
    // The tool writes texts and flags; anything else may be nested without end.
    return value === undefined || typeof value === 'object' ? [] : [[key, value]]
  })
  const result = { type: 'tool_result', content: text, is_error: true, tool_use_id: call.id }
  return {
    parentUuid: parent,
    ...(Object.fromEntries(envelope) as object),
    type: 'user',
    message: { role: 'user', content: [result] },
    uuid,
    timestamp: now.toISOString(),
    toolUseResult: `Error: ${text}`,
    ...(caller === undefined ? {} : { sourceToolAssistantUUID: caller }),
  }
}
