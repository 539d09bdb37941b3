import { stringAt, valueAt } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import type { Writable } from '../slots.ts'
import type { Node } from './records.ts'

type About = Omit<Session, 'messages'>

/** What the records say about the session: a sub-agent's carry the id of the session that started it. */
export function sessionFields(chain: readonly Node[], nodes: readonly Node[]): About {
  const version = newest(chain, 'version')
  const fields: Writable<About> = {
    version: 1,
    source: { format: 'qwen-code', ...(version === undefined ? {} : { version }) },
  }
  const agent = chain.some(({ isSide }) => isSide) ? newest(chain, 'agentId') : undefined
  const sessionId = newest(chain, 'sessionId')
  const id = agent ?? sessionId
  if (id !== undefined) fields.id = id
  if (agent !== undefined) fields.agent = agent
  const parent = agent === undefined ? forkOrigin(chain) : sessionId
  if (parent !== undefined) fields.parent = { id: parent }
  const [cwd, createdAt, title] = [oldest(chain, 'cwd'), oldest(chain, 'timestamp'), titleOf(nodes)]
  if (cwd !== undefined) fields.cwd = cwd
  if (createdAt !== undefined) fields.createdAt = createdAt
  if (title !== undefined) fields.title = title
  return fields
}

function text(node: Node, key: string): string | undefined {
  return stringAt(node.head, key) || undefined
}

function newest(chain: readonly Node[], key: string): string | undefined {
  const node = chain.findLast((found) => text(found, key) !== undefined)
  return node === undefined ? undefined : text(node, key)
}

function oldest(chain: readonly Node[], key: string): string | undefined {
  const node = chain.find((found) => text(found, key) !== undefined)
  return node === undefined ? undefined : text(node, key)
}

function forkOrigin(chain: readonly Node[]): string | undefined {
  const node = chain.findLast((found) => stringAt(found.head.forkedFrom, 'sessionId') !== undefined)
  return node === undefined ? undefined : stringAt(node.head.forkedFrom, 'sessionId')
}

/** A title may hang on any branch. */
function titleOf(nodes: readonly Node[]): string | undefined {
  const node = nodes.findLast((found) => found.subtype === 'custom_title')
  const payload = node === undefined ? undefined : valueAt(node.head, 'systemPayload')
  return stringAt(payload, 'customTitle') || stringAt(payload, 'title') || undefined
}
