import { readdirSync } from 'node:fs'
import { CHANGES } from '../../src/model/change.ts'
import type { Edit, Mutant } from './mutant.ts'
import { stagesFor } from './stages.ts'
import { textOf } from './text.ts'

/** The rooms that report changes. */
const ROOMS = ['read', 'repair', 'write', 'files']

/**
 * Each place that reports a change, reporting another one: a code that stands in no table, of the same severity, so that
 * nothing but the report differs.
 */
export function changesMutants(): Mutant[] {
  return ROOMS.flatMap(filesOf).flatMap(mutantsOf)
}

function filesOf(room: string): string[] {
  const names = readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => name.endsWith('.ts')).map((name) => `src/${room}/${name.replaceAll('\\', '/')}`)
}

function mutantsOf(file: string): Mutant[] {
  const text = textOf(file)
  const seen = new Map<string, number>()
  return [...text.matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].flatMap((found) => {
    const code = found[1] ?? ''
    if (!Object.hasOwn(CHANGES, code) || !isReport(text, found.index)) return []
    const times = (seen.get(code) ?? 0) + 1
    seen.set(code, times)
    const place = `${file.slice('src/'.length)}${times === 1 ? '' : ` (${times})`}`
    const edits: Edit[] = [{ file, at: found.index, was: `'${code}'`, is: `'~${code}'` }, SAME_ROW]
    return [{ group: 'changes' as const, name: `${code} in ${place}`, edits, stages: stagesFor(file) }]
  })
}

/** Not where a code is compared, or stands in a list of codes. */
function isReport(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return !/[=!]==\s*$/.test(line) && !/new Set\(\[[^\]]*$/.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)
}

const TABLE = 'src/model/change.ts'
const SAME_ROW: Edit = sameRow()

function sameRow(): Edit {
  const was = 'ROWS[code]'
  return { file: TABLE, at: textOf(TABLE).indexOf(was), was, is: "ROWS[code.replace('~', '')]" }
}
