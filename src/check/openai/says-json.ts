import { stringAt, valueAt } from '../../model/json.ts'

/** Whether a message or an item holds the word that the plain JSON mode wants. */
export function saysJson(message: unknown): boolean {
  const content = valueAt(message, 'content')
  if (typeof content === 'string') return /json/i.test(content)
  return Array.isArray(content) && content.some((part) => /json/i.test(stringAt(part, 'text') ?? ''))
}
