import { describe, expect, it } from 'vitest'
import { explain } from '../../../src/check/index.ts'

const rulesOf = (error: unknown): readonly string[] => explain(error)?.rules.map(({ id }) => id) ?? []

describe('older and newer spellings', () => {
  it.each([
    ['messages.1.content.0.tool_use.input: Input should be an object', 'anthropic/tool-use-input-object'],
    ['messages.1.content.0.tool_use.input: Input should be a valid dictionary', 'anthropic/tool-use-input-object'],
    ['messages.0.content: Input should be a valid array', 'anthropic/message-content-type'],
    ['messages.0.content: Input should be a valid list', 'anthropic/message-content-type'],
    ['messages.2.content.0.tool_result.content: Input should be a valid list', 'anthropic/tool-result-content-type'],
    [
      'messages.1: tool_use ids were found without tool_result blocks immediately after: a. Each tool_use block must have',
      'anthropic/tool-result-missing',
    ],
    ['messages.7.content.2: Invalid signature in thinking block', 'anthropic/thinking-signature-invalid'],
    [
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      'openai-chat/tool-message-orphan',
    ],
    [
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      'openai-chat/tool-message-orphan',
    ],
    [
      'messages with role "tool" must be a response to a preceeding message with "tool_calls".',
      'openai-chat/tool-message-orphan',
    ],
    [
      'messages with role `tool` must be a response to a preceding message with `tool_calls`',
      'openai-chat/tool-message-orphan',
    ],
    ["'content' is a required property - 'messages.2'", 'openai-chat/invalid-request-2023'],
    ["[] is too short - 'messages'", 'openai-chat/messages-empty'],
  ])('are one: %s', (text, rule) => {
    expect(rulesOf(text)).toContain(rule)
  })

  it('do not hide the place', () => {
    expect(explain('messages.1.content.0.tool_use.input: Input should be a valid dictionary')?.path).toBe(
      'messages.1.content.0.tool_use.input',
    )
    expect(explain("'content' is a required property - 'messages.2'")?.path).toBe('messages.2')
  })
})

describe('other servers of chat completions', () => {
  it.each([
    [
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
      'tool-message-missing',
    ],
    [
      '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[15].role',
      'tool-message-missing',
    ],
    ['invalid params, tool call result does not follow tool call (2013)', 'tool-message-orphan'],
    ['Not the same number of function calls and responses', 'tool-message-missing'],
    ['Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.', 'tool-call-id-charset'],
    ['invalid params, invalid function arguments json string, tool_call_id: call_1 (2013)', 'tool-call-arguments-json'],
    ['Invalid request content: Each message must have at least one content element.', 'content-empty-string'],
    ['The `reasoning_content` in the thinking mode must be passed back to the API.', 'reasoning-content-required'],
    [
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
      'unknown-message-field',
    ],
    ['Conversation roles must alternate user/assistant/user/assistant/...', 'consecutive-roles'],
    [
      'request (2009 tokens) exceeds the available context size (512 tokens), try increasing it',
      'context-length-exceeded',
    ],
    [
      'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 391',
      'content-part-type-invalid',
    ],
  ])('word its rules in their own way: %s', (text, rule) => {
    expect(rulesOf(text)).toContain(`openai-chat/${rule}`)
    expect(explain({ error: { message: text, type: 'invalid_request_error' } })?.api).toBe('openai-chat')
  })
})

describe('words of several APIs', () => {
  const LONG = 'Your input exceeds the context window of this model. Please adjust your input and try again.'

  it('stand for the rules of all', () => {
    expect(explain(LONG)).toMatchObject({
      rules: [{ id: 'openai-chat/context-length-exceeded' }, { id: 'openai-responses/context-length-exceeded' }],
    })
    expect(explain(LONG)?.api).toBeUndefined()
  })

  it('are narrowed by the place', () => {
    const body = (param: string): object => ({
      error: { message: LONG, type: 'invalid_request_error', code: 'context_length_exceeded', param },
    })
    expect(explain(body('input'))).toMatchObject({ api: 'openai-responses', rules: [{}] })
    expect(explain(body('messages'))).toMatchObject({ api: 'openai-chat', rules: [{}] })
  })

  it('are narrowed by the status', () => {
    expect(explain({ status: 404, message: 'model: claude-nope' })?.rules).toMatchObject([
      { id: 'anthropic/model-unknown' },
    ])
    expect(explain({ status: 500, message: 'model: claude-nope' })).toBeUndefined()
  })

  it('may be told by their code or type alone', () => {
    expect(rulesOf({ error: { message: 'No.', code: 'invalid_encrypted_content' } })).toEqual([
      'openai-responses/encrypted-content-invalid',
    ])
    expect(rulesOf({ type: 'error', error: { type: 'request_too_large', message: 'No.' } })).toEqual([
      'anthropic/request-too-large',
      'anthropic/body-too-large-after-decoding',
    ])
  })
})

describe('what is no refusal of a history', () => {
  it.each([
    undefined,
    null,
    42,
    '',
    ' \n ',
    'hello',
    {},
    [],
    new Error('fetch failed'),
    new TypeError("Cannot read properties of undefined (reading 'content')"),
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    { error: { message: 'Incorrect API key provided: sk-x.', type: 'invalid_request_error', code: 'invalid_api_key' } },
    { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    { type: 'error', error: { type: 'rate_limit_error', message: 'This request would exceed your rate limit' } },
    "ENOENT: no such file or directory, open 'messages.0.json'",
    'The model: claude is nice. File not found: maybe',
    Symbol('x'),
    () => 1,
  ])('is not explained: %s', (error) => {
    expect(explain(error)).toBeUndefined()
  })
})
