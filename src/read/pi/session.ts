import { type Fields, stringAt } from '../../model/json.ts'
import type { FormatId, Session } from '../../model/session.ts'
import { bounded } from '../bounded.ts'
import type { Path } from '../entry-tree.ts'
import { unheard } from '../report.ts'
import { others, slot } from '../slots.ts'
import type { Records } from './records.ts'

/** What the header and the settings on the way say about the session. */
export function sessionFields(records: Records, path: Path, format: FormatId): Omit<Session, 'messages'> {
  const { header } = records
  const version = typeof header.version === 'number' ? header.version : 1
  const parent = stringAt(header, 'parentSession') ?? stringAt(header, 'branchedFrom')
  const settings = { ...others(header, KNOWN), ...settingsOf(path) }
  return {
    version: 1,
    ...given('id', stringAt(header, 'id')),
    ...given('title', titleOf(records)),
    ...given('cwd', stringAt(header, 'cwd')),
    ...given('createdAt', stringAt(header, 'timestamp')),
    source: { format, version: String(version) },
    ...(parent === undefined ? {} : { parent: { id: sessionIdOf(parent) } }),
    ...(Object.keys(settings).length === 0 ? {} : slot('pi', bounded(settings, unheard) as typeof settings)),
  }
}

const KNOWN = new Set(['type', 'version', 'id', 'timestamp', 'cwd'])

function given<K extends string>(key: K, value: string | undefined): { readonly [key in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { readonly [key in K]: string })
}

/** The newest name; an empty one takes it away. */
function titleOf({ entries, title }: Records): string | undefined {
  const named = entries.findLast(({ type }) => type === 'session_info')
  return named === undefined ? title : stringAt(named.record, 'name')
}

/** A session is named by its file: a time, and behind the first `_` its id. */
function sessionIdOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const bare = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : name
  return bare.slice(bare.indexOf('_') + 1)
}

/** The model and the thinking level that the next request would have, over compactions too. */
function settingsOf({ entries }: Path): Fields & { readonly [key: string]: string } {
  const model = entries.findLast(({ type }) => type === 'model_change')?.record
  const level = entries.findLast(({ type }) => type === 'thinking_level_change')?.record
  return {
    ...given('provider', stringAt(model, 'provider')),
    ...given('modelId', stringAt(model, 'modelId')),
    ...given('thinkingLevel', stringAt(level, 'thinkingLevel')),
  } as { readonly [key: string]: string }
}
