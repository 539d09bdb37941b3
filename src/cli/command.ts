export const EXIT = {
  fine: 0,
  /** The API would refuse it, an error is not understood, a file wants a repair, or content would be lost under `--strict`. */
  refused: 1,
  /** It cannot be read, or the command line is wrong. */
  failed: 2,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Where a command reads and prints. */
export interface Console {
  print(text: string): void
  /** What is said beside the output: on the other stream, so that a pipe gets the output alone. */
  say(text: string): void
  stdin(maxBytes: number): Promise<Uint8Array>
}

export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What `--help` prints. */
  readonly help: string
  run(argv: readonly string[], console: Console): Promise<ExitCode>
}

/** The command line is wrong: printed with a hint to `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
