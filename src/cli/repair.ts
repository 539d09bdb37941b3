import { parseArgs } from 'node:util'
import { RepairError, type RepairResult, repairSessionFile } from '../files/index.ts'
import { ReadError } from '../model/error.ts'
import { escapeJson, escapeText } from '../view/escape.ts'
import { repairLines } from '../view/repair.ts'
import { fileOf } from './arguments.ts'
import { formatOf } from './choices.ts'
import { type Command, EXIT, UsageError } from './command.ts'
import { named } from './source.ts'

const help = `provider-history repair FILE [options]

Closes what a killed tool left open in its own session file, so that the tool can go on: each call without a result gets one,
in the tool's own record shapes, which says that its outcome is unknown. Shows what is changed, and the request before and
after. Without --write nothing is changed; the exit code is then 1 when there is something to repair.

JSON lines (Claude Code, Codex, pi, oino, zut) are only appended to. Files of dirge, opencode and Cline are replaced at once,
and databases of opencode changed in one transaction, with a private backup beside them. FILE may be the folder of a storage
tree of opencode, or the file of a session in it: its parts are replaced all or none, with a private backup in the folder. Never
repair while the tool runs.

  --write           repair the file
  --force           also one that was changed in the last 10 seconds
  --from FORMAT     the format of FILE, where it is not recognised
  --id ID           the session to repair in a database or a storage tree; without it, the newest
  --json            print all as one JSON object, with both requests whole
`

const options = {
  write: { type: 'boolean' },
  force: { type: 'boolean' },
  from: { type: 'string' },
  id: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const repair: Command = {
  name: 'repair',
  summary: 'close what a killed tool left open in its own session file',
  help,
  async run(argv, console) {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const file = fileOf(positionals, '')
    if (file === '-') throw new UsageError('FILE must be named: standard input cannot be repaired')
    const { write, force, id } = values
    const result = await named(file, () => told(file, { write, force, id, format: formatOf(values.from) }))
    console.print(
      values.json === true ? `${escapeJson(JSON.stringify(result))}\n` : `${repairLines(file, result).join('\n')}\n`,
    )
    console.say(`${escapeText(file)}: ${outcomeOf(result)}\n`)
    return result.written || result.before === undefined ? EXIT.fine : EXIT.refused
  },
}

/** What is refused is said in a sentence, as for files that cannot be read. */
async function told(file: string, options: Parameters<typeof repairSessionFile>[1]): Promise<RepairResult> {
  try {
    return await repairSessionFile(file, options)
  } catch (error) {
    throw RepairError.is(error) ? new ReadError(error.message) : error
  }
}

function outcomeOf({ written, backup, before }: RepairResult): string {
  if (before === undefined) return 'nothing to repair, nothing was written'
  if (!written) return 'nothing was written; --write repairs it'
  return backup === undefined ? 'repaired' : `repaired; as it was it stands in ${escapeText(backup)}`
}
