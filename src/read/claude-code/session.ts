import type { Session } from '../../model/session.ts'
import type { Link } from './link.ts'
import type { Notes } from './records.ts'

interface Sources {
  readonly links: readonly Link[]
  /** Of the whole branch, oldest first, with what compactions cut. */
  readonly chain: readonly Link[]
  readonly leaf: Link
  readonly notes: Notes
}

type About = Omit<Session, 'messages'>

/** What the records say about the session: a sub-agent's records carry the id of the session that started it. */
export function sessionFields({ links, chain, leaf, notes }: Sources): About {
  const sessionId = newest(chain, 'sessionId')
  const agentId = leaf.lane === '' ? undefined : newest(chain, 'agentId')
  const version = newest(chain, 'version')
  return {
    version: 1,
    ...given('id', leaf.lane === '' ? sessionId : agentId),
    ...given('title', leaf.lane === '' ? titleOf(notes, chain) : undefined),
    ...given('cwd', oldest(chain, 'cwd')),
    ...given('createdAt', oldest(leaf.lane === '' ? links : chain, 'timestamp')),
    source: { format: 'claude-code', ...given('version', version) },
    ...given('parent', leaf.lane === '' ? forkOrigin(leaf) : { ...given('id', sessionId) }),
    ...given('agent', leaf.lane === '' ? notes.agent || undefined : (newest(chain, 'agentName') ?? agentId)),
  }
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V })
}

function textAt(link: Link, key: string): string | undefined {
  const value = link.record[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A resumed session carries the older records with their own ids and versions, so that the newest says what the session is. */
function newest(links: readonly Link[], key: string): string | undefined {
  for (let index = links.length - 1; index >= 0; index--) {
    const value = textAt(links[index]!, key)
    if (value !== undefined) return value
  }
  return undefined
}

function oldest(links: readonly Link[], key: string): string | undefined {
  for (const link of links) {
    const value = textAt(link, key)
    if (value !== undefined) return value
  }
  return undefined
}

function forkOrigin(leaf: Link): { readonly id: string } | undefined {
  const from = leaf.record.forkedFrom
  const id = typeof from === 'object' && from !== null ? (from as { sessionId?: unknown }).sessionId : undefined
  return typeof id === 'string' ? { id } : undefined
}

/** The user's own title, the generated one, or the summary of this branch: summaries name the branch they are about. */
function titleOf(notes: Notes, chain: readonly Link[]): string | undefined {
  const given = notes.customTitle || notes.aiTitle
  if (given || notes.summaries.length === 0) return given || undefined
  const uuids = new Set(chain.map((link) => link.uuid))
  return notes.summaries.findLast((summary) => uuids.has(summary.leaf))?.text
}
