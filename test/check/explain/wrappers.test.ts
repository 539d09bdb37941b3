import { describe, expect, it } from 'vitest'
import { explain } from '../../../src/check/index.ts'
import { repr } from './texts.ts'

const WORDS =
  'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01, toolu_02. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
const BODY = { type: 'error', error: { type: 'invalid_request_error', message: WORDS }, request_id: 'req_011CSHoE' }
const JSON_BODY = JSON.stringify(BODY)
const CHAT_WORDS =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_A"
const CHAT_BODY = {
  error: { message: CHAT_WORDS, type: 'invalid_request_error', param: 'messages.[3].role', code: null },
}

/** Every wrapper that is known, around one refusal. */
const WRAPPED: { readonly [by: string]: unknown } = {
  'the words alone': WORDS,
  'a part of a log': `2026-03-02T09:00:03Z ERROR agent: turn failed\n  ${WORDS}\n  at run (agent.js:3:1)`,
  'the body': BODY,
  'the body as text': JSON_BODY,
  'the inner error': BODY.error,
  'Claude Code': `API Error: 400 ${JSON_BODY}`,
  'the SDK for Node': `400 ${JSON_BODY}`,
  'the SDK for Node, thrown': Object.assign(new Error(`400 ${JSON_BODY}`), { status: 400, error: BODY }),
  'an error around it': new Error('The agent failed', { cause: new Error(`400 ${JSON_BODY}`) }),
  'an error around an error around it': new Error('a', { cause: new Error('b', { cause: { error: BODY } }) }),
  'several errors': new AggregateError([new Error('other'), new Error(WORDS)], 'All attempts failed'),
  'the SDK for Python': `Error code: 400 - ${repr(BODY)}`,
  'a traceback of Python': `Traceback (most recent call last):\n  File "a.py", line 3\nanthropic.BadRequestError: Error code: 400 - ${repr(BODY)}`,
  LiteLLM: `litellm.BadRequestError: AnthropicException - ${JSON_BODY}. Received Model Group=claude\nAvailable Model Group Fallbacks=None`,
  'LiteLLM over Bedrock': `litellm.BadRequestError: BedrockException - {"message":${JSON.stringify(WORDS)}}`,
  'LiteLLM over Vertex': `litellm.BadRequestError: Vertex_aiException BadRequestError - b'${JSON_BODY}'`,
  'the proxy of LiteLLM': {
    error: {
      message: `litellm.BadRequestError: AnthropicException - ${JSON_BODY}`,
      type: null,
      param: null,
      code: '400',
    },
  },
  OpenRouter: {
    error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON_BODY, provider_name: 'Anthropic' } },
    user_id: 'user_1',
  },
  'OpenRouter, as text': `Error: 400 ${JSON.stringify({ error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON_BODY } } })}`,
  Vertex: { error: { code: 400, status: 'INVALID_ARGUMENT', message: JSON_BODY } },
  'Vertex, in a list': [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: JSON_BODY } }],
  'Vertex, as text': JSON.stringify({ error: { code: 400, message: JSON_BODY, status: 'INVALID_ARGUMENT' } }, null, 2),
  'Bedrock InvokeModel': { message: WORDS },
  botocore: `botocore.errorfactory.ValidationException: An error occurred (ValidationException) when calling the InvokeModel operation: ${WORDS}`,
  'botocore, Converse': `An error occurred (ValidationException) when calling the ConverseStream operation: The model returned the following errors: ${WORDS}`,
  'the SDK of AWS': Object.assign(new Error(`The model returned the following errors: ${WORDS}`), {
    name: 'ValidationException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  }),
  'the AI SDK': Object.assign(new Error('Bad Request'), {
    name: 'AI_APICallError',
    statusCode: 400,
    responseBody: JSON_BODY,
  }),
  'the AI SDK, after retries': Object.assign(new Error('Failed after 3 attempts'), {
    lastError: Object.assign(new Error('Bad Request'), { statusCode: 400, responseBody: JSON_BODY }),
  }),
  axios: Object.assign(new Error('Request failed with status code 400'), { response: { status: 400, data: BODY } }),
  'a logger': { level: 'error', err: { message: `400 ${JSON_BODY}` } },
  'a text in keys of its own': JSON.stringify({ severity: 'error', payload: JSON_BODY }),
  'a stream event': `event: error\ndata: ${JSON_BODY}\n\n`,
  'a body that is cut off': JSON.stringify({ error: { message: JSON_BODY } }).slice(0, -40),
}

describe('a refusal', () => {
  it.each(Object.entries(WRAPPED))('is found in what comes from %s', (_by, error) => {
    expect(explain(error)).toEqual({
      api: 'anthropic',
      rules: [
        expect.objectContaining({ id: 'anthropic/tool-result-missing' }),
        expect.objectContaining({ id: 'anthropic/tool-result-at-end' }),
        expect.objectContaining({ id: 'anthropic/tool-result-first' }),
        expect.objectContaining({ id: 'anthropic/text-after-tool-use' }),
      ],
      path: 'messages.3',
      ids: ['toolu_01', 'toolu_02'],
    })
  })

  it.each([
    CHAT_BODY,
    JSON.stringify(CHAT_BODY),
    `Error code: 400 - ${repr(CHAT_BODY)}`,
    Object.assign(new Error(`400 ${CHAT_WORDS}`), { status: 400, error: CHAT_BODY.error, ...CHAT_BODY.error }),
    { error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(CHAT_BODY) } } },
    `API Error: 400 ${JSON.stringify(CHAT_BODY)}`,
  ])('of chat completions keeps its `param`', (error) => {
    expect(explain(error)).toMatchObject({
      api: 'openai-chat',
      rules: [{ id: 'openai-chat/tool-message-missing' }, { id: 'openai-chat/tool-message-id-unmatched' }],
      path: 'messages.[3].role',
      ids: ['call_A'],
    })
  })

  it('of Responses may come through the surface of Codex', () => {
    expect(
      explain(
        "[ItemParam] [input[4]] [invalid_enum_value] Invalid value: 'x'. Supported values are: 'additional_tools', 'apply_patch_call', and 'web_search_call'.",
      ),
    ).toMatchObject({
      api: 'openai-responses',
      rules: [{ id: 'openai-responses/item-type-invalid' }],
      path: 'input[4]',
    })
    expect(
      explain(
        "[ApiIdParam] [input[371].id] [invalid_id_prefix] Invalid 'input[371].id': 'call_1'. Expected an ID that begins with 'fc'.",
      ),
    ).toMatchObject({ rules: [{ id: 'openai-responses/item-id-prefix' }], path: 'input[371].id', ids: ['call_1'] })
  })

  it('names its place apart from its words', () => {
    const details = {
      error_code: 'image_dimensions_too_large',
      max_side_length_pixels: 8000,
      paths: ['messages.0.content.1'],
    }
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'Too large', details } }
    expect(explain(body)).toMatchObject({
      api: 'anthropic',
      rules: [{ id: 'anthropic/image-dimensions' }, {}, {}],
      path: 'messages.0.content.1',
    })
    const mistral = {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'messages', 2, 'assistant', 'reasoning_content'],
          msg: 'Extra inputs are not permitted',
          input: 'x',
        },
      ],
    }
    for (const error of [mistral, { object: 'error', message: mistral }, JSON.stringify(mistral)]) {
      expect(explain(error)).toMatchObject({
        rules: [{ id: 'openai-chat/unknown-message-field' }],
        path: 'messages.2.assistant.reasoning_content',
      })
    }
  })

  it('of Converse counts members from 1', () => {
    expect(
      explain(
        "1 validation error detected: Value 'a.b' at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
      ),
    ).toMatchObject({
      api: 'bedrock',
      rules: [{ id: 'anthropic/converse-tool-id' }],
      path: 'messages.1.content.0.toolUse.toolUseId',
      ids: ['a.b'],
    })
  })
})
