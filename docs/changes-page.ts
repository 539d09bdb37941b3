import { CHANGES } from '../src/index.ts'

const HEAD = `# Changes

<!-- Written by \`npm run docs\` from the table in src/model/change.ts. -->

Everything that a reader, a repair or a writer does not leave as it was stored is reported as a change, with one of these codes. A change
also says where (\`at\`: message, part, id of the call, line of the file) and, where it helps, what stood there \`before\` and \`after\`.

- \`info\`: the meaning is unchanged.
- \`repair\`: something was made up or moved so that the API accepts it.
- \`loss\`: content of the session is not in the request. \`onLoss: 'throw'\` makes an error of it.

| code | severity | what happened | why |
| --- | --- | --- | --- |
`

/** The page docs/changes.md. */
export function changesPage(): string {
  const rows = Object.entries(CHANGES).map(
    ([code, { severity, meaning, why }]) => `| \`${code}\` | ${severity} | ${cell(meaning)} | ${cell(why)} |\n`,
  )
  return HEAD + rows.join('')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
