import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session, ToolCallState } from '../../src/model/session.ts'
import { fileFolder } from '../folders.ts'

/** Files of a test, by their content or still to be made. */
export interface Places {
  readonly root: string
  stored(content: string): string
  newPath(): string
}

export function places(): Places {
  const root = fileFolder()
  let count = 0
  return {
    root,
    stored(content) {
      const path = join(root, `s${count++}.jsonl`)
      writeFileSync(path, content, { mode: 0o600 })
      return path
    },
    newPath: () => join(root, `n${count++}`, 'j.jsonl'),
  }
}

export const bytes = (path: string): string => readFileSync(path, 'utf8')
export const statesOf = ({ messages }: Session): ToolCallState[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state] : [])))
export const done = (result: string): ToolCallState => ({ status: 'completed', result })
