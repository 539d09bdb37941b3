import { type Fields, isObject, preview, stringAt, valueAt } from '../../model/json.ts'
import { branchesOf, withoutNode } from '../branches.ts'
import type { Branch } from '../reader.ts'

/** The messages of a session by id, and which of them follows which. */
export interface Tree {
  readonly parents: ReadonlyMap<string, string | undefined>
  readonly messages: ReadonlyMap<string, unknown>
}

/** `messages` is the active branch; the others stand in `tree` and `message_store` alone. Files before the tree have only one. */
export function treeOf(session: Fields): Tree {
  const parents = new Map<string, string | undefined>()
  const messages = new Map<string, unknown>()
  const store = valueAt(session, 'message_store')
  if (isObject(store)) for (const [id, message] of Object.entries(store)) messages.set(id, message)
  let before: string | undefined
  for (const message of Array.isArray(session.messages) ? session.messages : []) {
    const id = stringAt(message, 'id')
    if (id === undefined) continue
    parents.set(id, before)
    if (!messages.has(id)) messages.set(id, message)
    before = id
  }
  const entries = valueAt(valueAt(session, 'tree'), 'entries')
  if (isObject(entries)) for (const [id, entry] of Object.entries(entries)) parents.set(id, stringAt(entry, 'parent'))
  return { parents, messages }
}

export interface TreePath {
  /** From the root to the leaf. */
  readonly ids: readonly string[]
  /** A parent that is not stored, or that closes a circle. */
  readonly missing: string | undefined
}

export function pathTo(leaf: string, { parents }: Tree): TreePath {
  const path = new Set<string>()
  let id: string | undefined = leaf
  while (id !== undefined && parents.has(id) && !path.has(id)) {
    path.add(id)
    id = parents.get(id)
  }
  return { ids: [...path].reverse(), missing: id }
}

/** The branches that a path leaves out. */
export function otherBranches({ parents, messages }: Tree, taken: ReadonlySet<string>): readonly Branch[] {
  const followed = new Set(parents.values())
  return branchesOf({
    leaves: [...parents.keys()].filter((id) => !followed.has(id)),
    nodes: [...parents.keys()],
    before(id) {
      const parent = parents.get(id)
      return parent !== undefined && parents.has(parent) ? parent : undefined
    },
    isTaken: (id) => taken.has(id),
    idOf: (id) => id,
    messageOf: (id) => (messages.has(id) ? id : undefined),
    textOf: (id) => stringAt(messages.get(id), 'content'),
  }).map(withoutNode)
}

/** Side branches that a compaction cut away: only these notes are left of them, so that they cannot be taken. */
export function cutBranches(session: Fields): Branch[] {
  const notes = session.branch_summaries
  if (!Array.isArray(notes)) return []
  return notes.filter(isObject).flatMap((note) => {
    const root = stringAt(note, 'root_id')
    if (root === undefined) return []
    const parent = stringAt(note, 'parent_id')
    const messages = typeof note.message_count === 'number' ? note.message_count : 0
    return [
      {
        leaf: root,
        root,
        ...(parent === undefined ? {} : { parent }),
        messages,
        preview: preview(stringAt(note, 'preview') ?? ''),
      },
    ]
  })
}
