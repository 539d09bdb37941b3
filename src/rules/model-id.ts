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

/** The row of the longest prefix that the name begins with, on a border (`gpt-5` names `gpt-5-mini`, not `gpt-55`). */
export function modelRow<Row>(rows: { readonly [prefix: string]: Row }, id: string | undefined): Row | undefined {
  if (id === undefined) return undefined
  const name = modelName(id)
  let best: string | undefined
  for (const prefix of Object.keys(rows)) {
    if (
      name.startsWith(prefix) &&
      !/[a-z0-9.]/.test(name.charAt(prefix.length)) &&
      prefix.length > (best?.length ?? 0)
    ) {
      best = prefix
    }
  }
  return best === undefined ? undefined : rows[best]
}
