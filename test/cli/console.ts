import type { Console } from '../../src/cli/command.ts'
import { run } from '../../src/cli/run.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs one command line in this process. */
export async function command(argv: readonly string[], stdin: string | Uint8Array = ''): Promise<Ran> {
  let out = ''
  let err = ''
  const console: Console = {
    print: (text) => {
      out += text
    },
    say: (text) => {
      err += text
    },
    stdin: async () => Buffer.from(stdin),
  }
  const code = await run(argv, console)
  return { code, out, err }
}

export const SESSION = 'examples/session.jsonl'
