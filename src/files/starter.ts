import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ReadError } from '../model/error.ts'
import { stringAt } from '../model/json.ts'
import type { Session } from '../model/session.ts'
import type { ReadResult } from '../read/reader.ts'
import { fileBytes } from './file-bytes.ts'

/** The transcript of a sub-agent of Claude Code; the notes about it have the same name but for the ending. */
const TRANSCRIPT = /^(agent-[A-Za-z0-9_-]{1,128})\.jsonl$/

/** Notes are a few fields. */
const MOST_BYTES = 64 * 1024

/** Who started a sub-agent. */
export interface Starter {
  readonly callId?: string
  /** The sub-agent that started it, where it was not the session itself. */
  readonly parentAgent?: string
  /** What kind of agent it is. */
  readonly agent?: string
}

export const isSubAgent = (path: string): boolean => TRANSCRIPT.test(basename(path))

/** What the notes beside the transcript of a sub-agent say; undefined where there are none. Links are not followed. */
export async function starterOf(path: string): Promise<Starter | undefined> {
  const name = TRANSCRIPT.exec(basename(path))?.[1]
  if (name === undefined) return undefined
  const notes = join(dirname(path), `${name}.meta.json`)
  try {
    if (!(await lstat(notes)).isFile()) return undefined
    const said: unknown = JSON.parse(new TextDecoder().decode(await fileBytes(notes, MOST_BYTES)))
    return {
      ...given('callId', stringAt(said, 'toolUseId')),
      ...given('parentAgent', stringAt(said, 'parentAgentId')),
      ...given('agent', stringAt(said, 'agentType')),
    }
  } catch (error) {
    // No notes, or none that can be read: the transcript is all there is.
    if (ReadError.is(error) || error instanceof SyntaxError || isSystemError(error)) return undefined
    throw error
  }
}

const isSystemError = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).code === 'string'

function given<K extends string>(key: K, value: string | undefined): { readonly [key in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { readonly [key in K]: string })
}

/** The session of a sub-agent, with the call that started it. */
export async function withStarter(path: string, result: ReadResult): Promise<ReadResult> {
  if (result.format !== 'claude-code' || result.session.parent === undefined) return result
  const starter = await starterOf(path)
  if (starter === undefined) return result
  const { agent } = starter
  const parent = parentOf(result.session.parent, starter)
  return { ...result, session: { ...result.session, parent, ...(agent === undefined ? {} : { agent }) } }
}

export function parentOf(
  parent: NonNullable<Session['parent']>,
  { callId, parentAgent }: Starter,
): NonNullable<Session['parent']> {
  const id = parentAgent ?? parent.id
  return { ...(id === undefined ? {} : { id }), ...(callId === undefined ? {} : { callId }) }
}
