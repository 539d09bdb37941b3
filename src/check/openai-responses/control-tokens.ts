import { valueAt } from '../../model/json.ts'
import { pathOfText } from '../openai/text-search.ts'
import type { ResponsesRequest } from './request.ts'

const CONTROL_TOKEN = /<\|(?:start|end|message|channel|constrain|call|return)\|>/

/** gpt-5.6 and later block the literal tokens of their own chat format in any text of the input. */
export function controlTokens({ body, model, report }: ResponsesRequest): void {
  if (model.refusesControlTokens !== true) return
  const texts = { instructions: valueAt(body, 'instructions'), input: valueAt(body, 'input') }
  const path = pathOfText(texts, (text) => text.includes('<|') && CONTROL_TOKEN.test(text))
  if (path === undefined) return
  report.raise('harmony-tokens', { message: 'Request blocked.', code: 'invalid_prompt', param: null, path })
}
