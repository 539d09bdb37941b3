import { checkOptions, TEXT } from '../model/options.ts'

export interface AnswerOptions {
  /** The server that answered, where several speak one API: 'deepseek', 'mistral', 'llamacpp' ... */
  readonly dialect?: string | undefined
}

/** @throws {TypeError} that names the option and what it may be. */
export function checkAnswerOptions(options: unknown): void {
  checkOptions(options, { dialect: TEXT })
}
