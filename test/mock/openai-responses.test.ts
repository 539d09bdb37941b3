import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { fromOpenAIResponses } from '../../src/answer/openai-responses.ts'
import { mocked, openai, thrown } from './server.ts'

const mock = mocked()

const { responses } = openai
type Item = OpenAI.Responses.ResponseInputItem

const TOOLS: OpenAI.Responses.Tool[] = [
  {
    type: 'function',
    name: 'weather',
    strict: false,
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  { type: 'custom', name: 'note' },
]
const QUESTION: Item = { role: 'user', content: 'How is the weather in Oslo and in Rome?' }
const BASE = { model: 'gpt-5', tools: TOOLS, input: [QUESTION] }
const TWO_CALLS = {
  text: 'I look it up in both cities.',
  toolCalls: [
    { name: 'weather', args: { city: 'Oslo' } },
    { name: 'note', args: 'Rome, in free text' },
  ],
}
const ID = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{48}$`))

describe('an accepted request', () => {
  it('is answered by a short text when nothing is queued', async () => {
    const response = await responses.create({
      ...BASE,
      input: 'Hello',
      instructions: 'Be brief.',
      temperature: 1,
      metadata: { a: 'b' },
    })
    expect(response).toMatchObject({
      id: ID('resp'),
      object: 'response',
      status: 'completed',
      model: 'gpt-5',
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      tools: TOOLS,
      output: [{ type: 'message', id: ID('msg'), role: 'assistant', status: 'completed' }],
    })
    expect(response.output_text).toMatch(/./)
    expect(response._request_id).toMatch(/^req_[0-9a-f]{32}$/)
    const { input_tokens = 0, output_tokens = 0, total_tokens } = response.usage ?? {}
    expect(input_tokens).toBeGreaterThan(0)
    expect(total_tokens).toBe(input_tokens + output_tokens)
  })

  it('is answered by text, reasoning and calls as scripted', async () => {
    mock.reply({ ...TWO_CALLS, reasoning: 'Two calls at once.' })
    const { output } = await responses.create({ ...BASE, include: ['reasoning.encrypted_content'] })
    expect(output).toMatchObject([
      {
        type: 'reasoning',
        id: ID('rs'),
        content: [],
        summary: [{ type: 'summary_text', text: 'Two calls at once.' }],
        encrypted_content: expect.stringMatching(/^gAAAA/),
      },
      { type: 'message', content: [{ type: 'output_text', text: 'I look it up in both cities.', annotations: [] }] },
      {
        type: 'function_call',
        id: ID('fc'),
        call_id: expect.stringMatching(/^call_/),
        name: 'weather',
        arguments: '{"city":"Oslo"}',
        status: 'completed',
      },
      {
        type: 'custom_tool_call',
        id: ID('ctc'),
        call_id: expect.stringMatching(/^call_/),
        name: 'note',
        input: 'Rome, in free text',
      },
    ])
    expect(new Set(output.map((item) => item.id)).size).toBe(4)
  })

  it.each(['end', 'length', 'refusal', 'filtered', 'error'] as const)(
    'comes as a stream with the same content (%s)',
    async (stop) => {
      const script = { ...TWO_CALLS, reasoning: 'Long thoughts, one after the other 🧭🧭🧭.', stop }
      mock.reply(script)
      const plain = await responses.create(BASE)
      mock.reset()
      mock.reply(script)
      const stream = responses.stream(BASE)
      const types: string[] = []
      for await (const event of stream) types.push(event.type)
      const streamed = await stream.finalResponse()
      const cut = (response: object): unknown =>
        JSON.parse(JSON.stringify(response), (key, value) => (key.startsWith('parsed') ? undefined : value))
      const { completed_at: _, ...whole } = cut(plain) as Record<string, unknown>
      expect(cut(streamed)).toMatchObject(whole)
      expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
      expect(types).toContain(stop === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta')
      expect(types).toContain('response.reasoning_summary_text.delta')
      expect(types).toContain('response.function_call_arguments.done')
      expect(types).toContain('response.custom_tool_call_input.done')
      const status = {
        end: 'completed',
        refusal: 'completed',
        length: 'incomplete',
        filtered: 'incomplete',
        error: 'failed',
      }[stop]
      expect(types.at(-1)).toBe(`response.${status}`)
      expect(plain.status).toBe(status)
    },
  )

  it('numbers the events of a stream', async () => {
    const numbers: number[] = []
    for await (const event of await responses.create({ ...BASE, stream: true })) numbers.push(event.sequence_number)
    expect(numbers).toEqual(numbers.map((_, index) => index))
  })

  it('reads back as the scripted message', async () => {
    mock.reply({
      ...TWO_CALLS,
      reasoning: 'Hm.',
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, cacheWriteTokens: 1, reasoningTokens: 2 },
    })
    const message = fromOpenAIResponses(await responses.create(BASE))
    expect(message.stop).toBe('tool-calls')
    expect(message.usage).toMatchObject({
      inputTokens: 11,
      outputTokens: 7,
      cacheReadTokens: 5,
      cacheWriteTokens: 1,
      reasoningTokens: 2,
    })
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look it up in both cities.' },
      { type: 'tool-call', name: 'weather', args: { city: 'Oslo' } },
      { type: 'tool-call', name: 'note', kind: 'custom', args: 'Rome, in free text' },
    ])
  })

  it.each([true, false])('has calls whose outputs make a second turn (store: %s)', async (store) => {
    mock.reply({ ...TWO_CALLS, reasoning: 'Both.' }, 'Cold in Oslo, warm in Rome.')
    const options = { ...BASE, store, include: ['reasoning.encrypted_content' as const] }
    const first = await responses.create(options)
    const outputs = first.output.flatMap((item): Item[] => {
      if (item.type === 'function_call')
        return [{ type: 'function_call_output', call_id: item.call_id, output: 'fine' }]
      return item.type === 'custom_tool_call'
        ? [{ type: 'custom_tool_call_output', call_id: item.call_id, output: 'fine' }]
        : []
    })
    expect(outputs).toHaveLength(2)
    const second = await responses.create({ ...options, input: [QUESTION, ...(first.output as Item[]), ...outputs] })
    expect(second.output_text).toBe('Cold in Oslo, warm in Rome.')
    mock.expectAccepted()
  })

  it('continues a response that it stored', async () => {
    mock.reply({ toolCalls: [{ name: 'weather', args: {} }] })
    const first = await responses.create(BASE)
    const [call] = first.output
    if (call?.type !== 'function_call') throw new Error('a call was scripted')
    const input: Item[] = [{ type: 'function_call_output', call_id: call.call_id, output: 'fine' }]
    await responses.create({ ...BASE, previous_response_id: first.id, input })
    await responses.create({ ...BASE, previous_response_id: 'resp_of_another_server', input })
    mock.expectAccepted()
  })
})

const UNANSWERED: Item[] = [
  QUESTION,
  { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
  { role: 'user', content: 'Well?' },
]
const UNANSWERED_WORDS = 'No tool output found for function call call_1.'

describe('a refused request', () => {
  it.each([false, true])('is thrown as the typed error of the SDK (stream: %s)', async (stream) => {
    const error = await thrown(responses.create({ ...BASE, stream, input: UNANSWERED }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({
      status: 400,
      message: `400 ${UNANSWERED_WORDS}`,
      type: 'invalid_request_error',
      code: null,
      param: 'input',
      requestID: expect.stringMatching(/^req_/),
    })
  })

  it('is thrown by the stream helper', async () => {
    const stream = responses.stream({ ...BASE, input: UNANSWERED })
    expect(await thrown(stream.finalResponse())).toBeInstanceOf(OpenAI.BadRequestError)
  })

  it('leaves out the reasoning that a stored call was made with', async () => {
    mock.reply({ reasoning: 'Hm.', toolCalls: [{ name: 'weather', args: {} }] })
    const [reasoning, call] = (await responses.create(BASE)).output
    if (call?.type !== 'function_call') throw new Error('a call was scripted')
    const input: Item[] = [QUESTION, call, { type: 'function_call_output', call_id: call.call_id, output: 'fine' }]
    expect(await thrown(responses.create({ ...BASE, input }))).toMatchObject({
      message: `400 Item '${call.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning?.id}'.`,
    })
  })

  it('continues a response that was not stored', async () => {
    const first = await responses.create({ ...BASE, store: false })
    const error = await thrown(responses.create({ ...BASE, previous_response_id: first.id }))
    expect(error).toMatchObject({ message: `400 Previous response with id '${first.id}' not found.` })
  })

  it('has the words of the API for what is no JSON', async () => {
    const response = await fetch('https://api.openai.com/v1/responses', { method: 'POST', body: '' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        message: expect.stringMatching(/^We could not parse the JSON body of your request\./),
        type: 'invalid_request_error',
      },
    })
  })
})

describe('what fails', () => {
  it.each([
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ] as const)('is answered with status %i', async (status, type) => {
    mock.reply({ status }, { status })
    expect(await thrown(responses.create(BASE))).toBeInstanceOf(type)
    expect(await thrown(responses.stream(BASE).finalResponse())).toBeInstanceOf(type)
  })

  it('drops the connection, before and in the middle of a stream', async () => {
    mock.reply({ drop: true }, { text: 'Half of an answer', stop: 'aborted' }, { text: 'Half', stop: 'aborted' })
    expect(await thrown(responses.create(BASE))).toBeInstanceOf(OpenAI.APIConnectionError)
    let text = ''
    const read = async (): Promise<void> => {
      for await (const event of await responses.create({ ...BASE, stream: true })) {
        if (event.type === 'response.output_text.delta') text += event.delta
      }
    }
    await thrown(read())
    expect(text).toBe('Half of an answer')
    expect(await thrown(responses.create(BASE))).toBeInstanceOf(OpenAI.APIConnectionError)
  })
})
