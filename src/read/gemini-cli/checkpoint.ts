import { isObject, stringAt } from '../../model/json.ts'
import type { UserMessage } from '../../model/session.ts'
import type { Assembler } from '../assemble.ts'
import { Contents } from '../gemini/contents.ts'
import { textIn } from '../gemini/parts.ts'
import { CONTENT } from '../gemini/structure.ts'
import { reporter } from '../report.ts'
import { shallow } from '../shallow.ts'

/** Tells the contents of a checkpoint: what was sent and what came back, as the API has it. */
export function tellContents(list: readonly unknown[], into: Assembler): void {
  const contents = new Contents(into)
  const report = reporter(
    (change) => into.report(change),
    () => ({ message: contents.messages }),
  )
  for (const stored of list) {
    const content = shallow(stored, CONTENT, (before) => report('value-too-deep', { before }))
    const role = stringAt(content, 'role')
    if (!isObject(content) || content.parts === undefined) report('record-invalid', { before: content })
    else if (role === 'model') contents.model(content.parts, {}, report)
    else if (role === 'user') contents.user(content.parts, kindOf(content.parts), report)
    else report('record-invalid', { before: content })
  }
}

/** How the tool begins what it tells the model of the session. */
const INJECTED = ['This is the Gemini CLI', 'This is the Qwen Code', '<session_context>', '<hook_context>']

/** The kind of a user content, by its text. */
export function kindOf(parts: unknown): { readonly kind?: UserMessage['kind'] } {
  const text = textIn(parts)
  if (text.includes('<state_snapshot>')) return { kind: 'summary' }
  return INJECTED.some((start) => text.startsWith(start)) ? { kind: 'injected' } : {}
}
