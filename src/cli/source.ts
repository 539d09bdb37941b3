import { fileBytes } from '../files/file-bytes.ts'
import { type FileOptions, MAX_BYTES } from '../files/file-options.ts'
import { readSessionFile } from '../files/index.ts'
import { plainBytes, readSessionBytes } from '../files/session-bytes.ts'
import { ReadError } from '../model/error.ts'
import { isObject } from '../model/json.ts'
import type { ReadResult } from '../read/reader.ts'
import type { Console } from './command.ts'

/**
 * The session of a file, a database or a folder.
 * @throws {ReadError} when nothing can be read.
 */
export function sessionOf(file: string, options: FileOptions, console: Console): Promise<ReadResult> {
  return named(file, async () =>
    file === '-' ? readSessionBytes(await console.stdin(MAX_BYTES), options) : readSessionFile(file, options),
  )
}

/**
 * The JSON value of a file.
 * @throws {ReadError} when it is not JSON.
 */
export function jsonOf(file: string, console: Console): Promise<unknown> {
  return named(file, async () => {
    const { bytes } = await plainBytes(await bytesOf(file, console))
    const text = new TextDecoder().decode(bytes)
    try {
      return JSON.parse(text)
    } catch (error) {
      const hint = holdsLines(text) ? '; of a stored session, convert prints one' : ''
      throw new ReadError(`this is no JSON body (${(error as Error).message})${hint}`)
    }
  })
}

/** Whether the first line is a JSON object by itself, as in most stored sessions. */
function holdsLines(text: string): boolean {
  const [line = ''] = text.split('\n', 1)
  try {
    return isObject(JSON.parse(line))
  } catch {
    return false
  }
}

/**
 * The text of a file.
 * @throws {ReadError} when there is none.
 */
export function textOf(file: string, console: Console): Promise<string> {
  return named(file, async () => {
    const { bytes } = await plainBytes(await bytesOf(file, console))
    return new TextDecoder().decode(bytes)
  })
}

const bytesOf = (file: string, console: Console): Promise<Uint8Array> =>
  file === '-' ? console.stdin(MAX_BYTES) : fileBytes(file, MAX_BYTES)

/** How a source is called in what is printed. */
export const nameOf = (file: string): string => (file === '-' ? 'standard input' : file)

/** Puts the name of the source in front of what is wrong with it. */
export async function named<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!ReadError.is(error) || error.message.startsWith(`${file}: `)) throw error
    throw new ReadError(`${nameOf(file)}: ${error.message}${hintTo(error)}`)
  }
}

/** The option by which the command line does what the library would by another. */
function hintTo({ message }: ReadError): string {
  return HINTS.find(([beginning]) => message.startsWith(beginning))?.[1] ?? ''
}

const HINTS: readonly (readonly [beginning: string, hint: string])[] = [
  ['no known format fits', '; --from names it, where you know it'],
  ['this is not a regular file, but', ' to standard input, as FILE -'],
]
