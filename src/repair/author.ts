import type { Message } from '../model/session.ts'
import { modelName } from '../rules/model-id.ts'
import type { Rules } from '../rules/rules.ts'

/** `same`: what the author signed holds here. `unknown`: nothing speaks against it. `other`: another API, provider or model. */
export type Authorship = 'same' | 'unknown' | 'other'

/** Whether the author of a message is the one the request goes to. */
export function authorship(message: Message, rules: Rules): Authorship {
  const by = message.role === 'assistant' ? message.by : undefined
  if (by === undefined) return 'unknown'
  if (by.api !== undefined && by.api !== rules.api) return 'other'
  const { providers, model } = rules.reasoning
  const provider = by.dialect ?? by.provider
  if (provider !== undefined && !providers.includes(provider)) return 'other'
  if (model === undefined || (model === 'any' && provider === undefined)) return 'unknown'
  if (model !== 'any' && modelName(by.model) !== model) return 'other'
  return by.api === undefined ? 'unknown' : 'same'
}
