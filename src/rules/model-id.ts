import { own } from '../model/own.ts'

/**
 * The name of a model without what platforms and releases add: region and vendor prefixes (`us.anthropic.`, `openai/`),
 * dates (`-20250929`, `-2025-12-11`, `@20250929`), version marks (`-v1:0`) and `-latest`.
 */
export function modelName(id: string): string {
  const bare = id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  return bare
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai)\./, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '')
}

/** The row of that very name, else that of the longest family (`gpt-5*`) whose border the name keeps: `gpt-5-mini`, not `gpt-55`. */
export function modelRow<Row>(rows: { readonly [name: string]: Row }, id: string | undefined): Row | undefined {
  if (id === undefined) return undefined
  const name = modelName(id)
  const exact = own(rows, name)
  if (exact !== undefined) return exact
  let best = ''
  for (const key of Object.keys(rows)) if (key.length > best.length && inFamily(name, key)) best = key
  return own(rows, best)
}

function inFamily(name: string, key: string): boolean {
  const family = key.endsWith('*') ? key.slice(0, -1) : undefined
  return family !== undefined && name.startsWith(family) && !/[a-z0-9]/.test(name.charAt(family.length))
}
