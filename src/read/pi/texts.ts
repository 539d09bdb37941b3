import { type Fields, stringAt } from '../../model/json.ts'

/** The words with which pi sends what is not stored as text. They are its own, byte for byte, so that the model sees what it saw. */

/** @see https://github.com/badlogic/pi-mono `convertToLlm` in packages/coding-agent/src/core/messages.ts */
export const compactionText = (summary: string): string =>
  `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`

export const branchText = (summary: string): string =>
  `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`

/** A command that the user ran. Fields of the wrong type count as absent. */
export function bashText(message: Fields): string {
  const { exitCode, cancelled, truncated } = message
  const output = stringAt(message, 'output') ?? ''
  const path = stringAt(message, 'fullOutputPath') ?? ''
  const isBad = typeof exitCode === 'number' && exitCode !== 0
  return [
    `Ran \`${stringAt(message, 'command') ?? ''}\`\n`,
    output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``,
    cancelled === true ? '\n\n(command cancelled)' : isBad ? `\n\nCommand exited with code ${exitCode}` : '',
    truncated === true && path !== '' ? `\n\n[Output truncated. Full output: ${path}]` : '',
  ].join('')
}
