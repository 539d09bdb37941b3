import { valueAt } from '../../model/json.ts'
import type { Shape } from '../openai/shape.ts'
import { list, nullable, object, tagged, text } from '../openai/shape.ts'
import { patternMismatch, semantic } from '../openai/templates.ts'
import { verify, type Walk } from '../openai/verify.ts'
import { CONTENT, FUNCTION_CONTENT, TOOL_CONTENT } from './content-parts.ts'
import type { ChatRequest } from './request.ts'
import type { ChatRule } from './rules.ts'
import { CALL_ID, FUNCTION_PAYLOAD, TOOL_CALLS } from './tool-calls.ts'

const OLD_NAME = /^[a-zA-Z0-9_-]+$/
/** Newer answers name this pattern; what passes it is refused at `strict` only. */
const NEW_NAME = /^[^\s<|\\/>]+$/

const NAME: Shape<ChatRule> = {
  ...text<ChatRule>({ min: 1, max: 64 }, { long: 'name-too-long', missing: 'function-role-name' }),
  also: speakerName,
}

function speakerName(name: unknown, { report, place }: Walk<ChatRule>): void {
  if (typeof name !== 'string' || name === '' || name.length > 64 || OLD_NAME.test(name)) return
  if (report.strict || !NEW_NAME.test(name))
    report.raise('name-pattern', patternMismatch(place.path(), OLD_NAME.source))
}

const ROLE = { role: text<ChatRule>() } as const
const SPEAKER: Shape<ChatRule> = object(ROLE, { content: CONTENT, name: NAME })

/** Fields by role. Whether content may be left out, and the id of a tool message, is told by the semantic validator. */
const MESSAGES = {
  system: SPEAKER,
  developer: SPEAKER,
  user: SPEAKER,
  assistant: object<ChatRule>(ROLE, {
    content: CONTENT,
    name: NAME,
    refusal: nullable(text()),
    audio: nullable(object({ id: text() })),
    tool_calls: TOOL_CALLS,
    function_call: nullable(FUNCTION_PAYLOAD),
  }),
  tool: object<ChatRule>(ROLE, { content: TOOL_CONTENT, tool_call_id: nullable(CALL_ID) }),
  function: object<ChatRule>({ ...ROLE, name: NAME }, { content: FUNCTION_CONTENT }),
} as const satisfies { readonly [role: string]: Shape<ChatRule> }

const MESSAGE_LIST: Shape<ChatRule> = list(
  {
    min: 1,
    max: 2048,
    items: tagged({
      tag: 'role',
      rows: MESSAGES,
      supported: ['system', 'assistant', 'user', 'function', 'tool', 'developer'],
      missing: 'role-missing',
      invalid: 'role-invalid',
      blames: 'tag',
    }),
  },
  { type: 'messages-wrong-type', empty: 'messages-empty', long: 'messages-too-many' },
)

/** Phase 3: the shape of every message, in the order of the list. */
export function messageShapes(request: ChatRequest): void {
  const messages = valueAt(request.body, 'messages')
  if (messages === undefined) return
  request.place.enter('messages')
  verify(messages, MESSAGE_LIST, request)
  request.place.leave()
}

/** The words of the API versions of 2023, which Azure still serves: content on every message, calls or not. */
export function contentOf2023(request: ChatRequest): void {
  if (!request.report.azure) return
  for (const [index, message] of request.messages.entries()) {
    if (valueAt(message, 'role') !== 'assistant') continue
    const content = valueAt(message, 'content')
    const path = `messages[${index}].content`
    if (content === undefined) {
      request.report.raise(
        'invalid-request-2023',
        semantic(`'content' is a required property - 'messages.${index}'`, null, path),
      )
    } else if (content === null) {
      request.report.raise(
        'invalid-request-2023',
        semantic(`None is not of type 'string' - 'messages.${index}.content'`, null, path),
      )
    }
  }
}
