import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { isSet } from '../openai/given.ts'
import { saysJson } from '../openai/says-json.ts'
import type { Shape } from '../openai/shape.ts'
import {
  ARRAY,
  anything,
  boolean,
  decimal,
  integer,
  nullable,
  object,
  record,
  STRING,
  tagged,
  text,
} from '../openai/shape.ts'
import { type Fault, mutuallyExclusive, semantic, unknownParameter } from '../openai/templates.ts'
import { verify } from '../openai/verify.ts'
import { MAX_TEXT } from './content-parts.ts'
import { ITEMS } from './items.ts'
import { ITEM_REFERENCE, MESSAGE } from './message-items.ts'
import type { ResponsesRequest } from './request.ts'
import type { ResponsesRule } from './rules.ts'
import { TOOLS } from './tools.ts'

const ANY = anything<ResponsesRule>()
const FLAG = nullable(boolean<ResponsesRule>())
const TEXT = nullable(text<ResponsesRule>())
const RECORD = nullable(record<ResponsesRule>())

/** The parameters of the request (SDK 7.59); unknown keys have words of their own. The model may be left out, as on Azure. */
const PARAMS: Shape<ResponsesRule> = object(
  {},
  {
    model: text(),
    input: ANY,
    access_programs: ANY,
    background: FLAG,
    background_options: ANY,
    context_management: ANY,
    conversation: ANY,
    image: ANY,
    include: ANY,
    instructions: nullable(text({ max: MAX_TEXT })),
    max_output_tokens: nullable(integer({ min: 16 }, { range: 'max-output-tokens-min' })),
    max_tool_calls: nullable(integer()),
    metadata: RECORD,
    moderation: ANY,
    parallel_tool_calls: FLAG,
    previous_response_id: TEXT,
    prompt: RECORD,
    prompt_cache_key: TEXT,
    prompt_cache_options: ANY,
    prompt_cache_retention: ANY,
    reasoning: RECORD,
    safety_identifier: TEXT,
    service_tier: TEXT,
    store: FLAG,
    stream: FLAG,
    stream_options: RECORD,
    temperature: nullable(decimal({ min: 0, max: 2 })),
    text: RECORD,
    tool_choice: ANY,
    tools: nullable(TOOLS),
    top_logprobs: nullable(integer({ min: 0, max: 20 })),
    top_p: nullable(decimal({ min: 0, max: 1 })),
    truncation: TEXT,
    user: TEXT,
  },
  { open: true },
)

const KNOWN: ReadonlySet<string> = PARAMS.fields?.names ?? new Set()

/** Parameters of chat completions that stand elsewhere here; the words are reported from memory. */
const MOVED: { readonly [key: string]: string } = { messages: 'input', response_format: 'text.format' }

/** Phase 2: the parameters, unknown keys included. */
export function topLevel(request: ResponsesRequest): void {
  const { body, report } = request
  verify(body, PARAMS, request)
  for (const key of Object.keys(body)) {
    if (!KNOWN.has(key) && body[key] !== undefined) report.raise('unknown-parameter', unknownKey(key))
  }
  if (isSet(body, 'previous_response_id') && isSet(body, 'conversation')) {
    const fault = mutuallyExclusive('previous_response_id', 'conversation', null, 'previous_response_id')
    report.raise('previous-response-and-conversation', fault)
  }
  if (isEmpty(body.input) && !request.continues && !isSet(body, 'prompt')) report.raise('input-empty', inputEmpty())
}

function unknownKey(key: string): Fault {
  const moved = own(MOVED, key)
  if (moved === undefined) return unknownParameter(key)
  const message = `Unsupported parameter: '${key}'. In the Responses API, this parameter has moved to '${moved}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`
  return { message, code: 'unsupported_parameter', param: key, path: key }
}

function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || (Array.isArray(input) && input.length === 0)
}

function inputEmpty(): Fault {
  const message = `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`
  return { message, code: 'missing_required_parameter', param: 'input', path: 'input' }
}

/** Verbatim of 2026-06; newer types (configuration_update, program, program_output) are accepted and not in the text. */
const SUPPORTED = [
  'additional_tools',
  'apply_patch_call',
  'apply_patch_call_output',
  'code_interpreter_call',
  'compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'file_search_call',
  'function_call',
  'function_call_output',
  'image_generation_call',
  'item_reference',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'mcp_list_tools',
  'message',
  'reasoning',
  'shell_call',
  'shell_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
] as const

/** Without a type it is a message in the easy form, or a reference when it has nothing but an id. */
function untagged(item: Fields): Shape<ResponsesRule> | undefined {
  if (valueAt(item, 'role') !== undefined || valueAt(item, 'content') !== undefined) return MESSAGE
  return valueAt(item, 'id') === undefined ? undefined : ITEM_REFERENCE
}

const INPUT: Shape<ResponsesRule> = {
  takes: STRING | ARRAY,
  wanted: 'one of a string or array of input items',
  rules: { type: 'input-wrong-type' },
  text: { max: MAX_TEXT },
  list: {
    items: tagged({
      tag: 'type',
      rows: ITEMS,
      supported: SUPPORTED,
      missing: 'missing-item-field',
      invalid: 'item-type-invalid',
      blames: 'object',
      untagged,
    }),
  },
}

/** Phase 3: the shape of every item, in the order of the list. */
export function itemShapes(request: ResponsesRequest): void {
  const { input } = request.body
  if (input === undefined || input === null) return
  request.place.enter('input')
  verify(input, INPUT, request)
  request.place.leave()
}

/** The plain JSON mode wants the word in some input message; instructions are not looked at. */
export function jsonWord({ body, items, report }: ResponsesRequest): void {
  if (stringAt(valueAt(valueAt(body, 'text'), 'format'), 'type') !== 'json_object') return
  if ((typeof body.input === 'string' && /json/i.test(body.input)) || items.some(saysJson)) return
  const message =
    "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'."
  report.raise('json-word-missing', semantic(message, 'input', 'input'))
}
