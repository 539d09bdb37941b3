import { readFileSync } from 'node:fs'
import type { Edit } from './mutant.ts'

export function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}

/** Puts a line behind the one that the pattern finds. */
export function behind(file: string, pattern: RegExp, line: string): Edit {
  const found = pattern.exec(textOf(file))
  if (found === null) throw new Error(`${file} has no ${pattern}: where shall the mutant go?`)
  return { file, at: found.index + found[0].length, was: '', is: `${line}\n` }
}
