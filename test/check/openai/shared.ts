import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One recorded call of a live API. */
export interface Recording {
  readonly from: string
  readonly server: string
  readonly status: number
  readonly request: { readonly [key: string]: unknown }
  readonly answer: unknown
}

/** One row of the rulebook. */
export interface RulebookRow {
  readonly id: string
  readonly rule: string
  readonly text: string
  readonly code: string
  readonly param: string
  readonly confidence: string
}

const at = (path: string): string => fileURLToPath(new URL(`../../../../shared/${path}`, import.meta.url))

/** Material that stands beside the project; undefined, and said so, where it does not. */
function readShared(path: string): string | undefined {
  if (existsSync(at(path))) return readFileSync(at(path), 'utf8')
  console.log(`skipped: ../shared/${path} is not here`)
  return undefined
}

export function recordings(file: 'chat' | 'responses'): readonly Recording[] {
  const lines = readShared(`recorded/${file}.jsonl`)?.split('\n') ?? []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recording)
}

export function rulebook(api: 'chat' | 'responses'): readonly RulebookRow[] {
  const text = readShared('rules/openai-rules.json')
  return text === undefined ? [] : (JSON.parse(text) as { readonly [api: string]: readonly RulebookRow[] })[api]!
}
