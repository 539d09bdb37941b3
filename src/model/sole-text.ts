import type { ToolOutput } from './session.ts'

/** The text of an output that is nothing else. */
export function soleText(output: ToolOutput): string | undefined {
  if (typeof output === 'string') return output
  const [only] = output
  return output.length === 1 && only?.type === 'text' ? only.text : undefined
}
