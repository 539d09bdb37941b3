import { parseArgs } from 'node:util'
import { WRITABLE_APIS, type WritableApi } from '../write/index.ts'
import { UsageError } from './command.ts'

/** What a command takes beside files: words with a value, and flags. */
export interface Options {
  readonly [name: string]: { readonly type: 'string' | 'boolean' }
}

export type Values<O extends Options> = {
  readonly [name in keyof O]?: (O[name]['type'] extends 'string' ? string : boolean) | undefined
}

export interface CommandLine<O extends Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
}

/**
 * The words of a command line, apart.
 * @throws {UsageError} for an empty value, which is what a variable of the shell that is not set makes.
 */
export function commandLine<O extends Options>(argv: readonly string[], options: O): CommandLine<O> {
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
  for (const [option, value] of Object.entries(values)) if (value === '') throw new UsageError(`--${option} is empty`)
  return { values: values as Values<O>, positionals }
}

/** What people call an API, beside its id. */
const ALIASES: ReadonlyMap<string, WritableApi> = new Map([
  ...WRITABLE_APIS.map((api) => [api, api] as const),
  ['chat', 'openai-chat'],
  ['responses', 'openai-responses'],
])

export function aliasesOf(api: WritableApi): string[] {
  return [...ALIASES].filter(([name, named]) => named === api && name !== api).map(([name]) => name)
}

/** @throws {UsageError} when it is missing or no API that can be written. */
export function apiOf(value: string | undefined, option: string): WritableApi {
  const known = [...ALIASES.keys()].join(', ')
  if (value === undefined) throw new UsageError(`--${option} is missing: one of ${known}`)
  const api = ALIASES.get(value)
  if (api === undefined) throw new UsageError(`--${option} ${value} is not known: one of ${known}`)
  return api
}

/** @throws {UsageError} when it is given and not among the choices. */
export function choiceOf<T extends string>(
  value: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new UsageError(`--${option} ${value} is not known: one of ${choices.join(', ')}`)
  return found
}

/**
 * Refuses what an API would not look at.
 * @throws {UsageError} when it is given, and the API is none of those.
 */
export function onlyFor(
  apis: readonly WritableApi[],
  api: WritableApi,
  value: string | undefined,
  option: string,
): void {
  if (value === undefined || apis.includes(api)) return
  throw new UsageError(`--${option} is not looked at for ${api}; it is for ${apis.join(', ')}`)
}

/** @throws {UsageError} unless there is exactly one. */
export function fileOf(positionals: readonly string[], hint = ' (- reads from standard input)'): string {
  const [file, ...rest] = positionals
  if (file === undefined) throw new UsageError(`FILE is missing${hint}`)
  if (file === '') throw new UsageError('FILE is empty')
  if (rest.length > 0) throw new UsageError(`one FILE is taken, not also ${rest.join(' ')}`)
  return file
}
