import { PLATFORMS } from '../model/platforms.ts'
import type { FormatId } from '../model/session.ts'
import { readers } from '../read/index.ts'
import type { Level } from '../rules/options.ts'
import type { WritableApi } from '../write/index.ts'
import { choiceOf } from './arguments.ts'

export const LEVELS: readonly Level[] = ['live', 'strict']

/** @throws {UsageError} when it is given and has no reader. */
export function formatOf(value: string | undefined): FormatId | undefined {
  return choiceOf(
    value,
    'from',
    readers.map((reader) => reader.format),
  )
}

export const PLATFORM_HELP = `\
  --platform NAME   of anthropic: anthropic (default), bedrock, vertex; of the others: openai (default), azure
`

/** @throws {UsageError} when it is given and none of that API. */
export function platformOf<A extends WritableApi>(
  value: string | undefined,
  api: A,
): (typeof PLATFORMS)[A][number] | undefined {
  const known: readonly (typeof PLATFORMS)[A][number][] = PLATFORMS[api]
  return choiceOf(value, 'platform', known)
}
