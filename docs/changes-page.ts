import { CHANGES } from '../src/index.ts'

const HEAD = `# Changes

<!-- Written by \`npm run docs\` from the table in src/model/change.ts. -->

Everything that a reader, a repair or a writer does not leave as it was stored is reported as a change, with one of these codes. A change
also says where (\`at\`: message, part, id of the call, line of the file) and, where it helps, what stood there \`before\` and \`after\`.

- \`info\`: the meaning is unchanged.
- \`repair\`: something was made up or moved so that the API accepts it.
- \`loss\`: content of the session is not in the request. \`onLoss: 'throw'\` makes an error of it.

`

const COLUMNS = ['code', 'severity', 'what happened', 'why']

/** The page docs/changes.md. */
export function changesPage(): string {
  const rows = Object.entries(CHANGES).map(([code, { severity, meaning, why }]) =>
    [`\`${code}\``, severity, meaning, why].map((cell) => cell.replaceAll('|', '\\|')),
  )
  return HEAD + table([COLUMNS, ...rows])
}

/** A table of which also the source is easy to read. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column]!))))
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [lines[0]!, rule, ...lines.slice(1)].join('')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
