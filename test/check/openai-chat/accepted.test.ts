import { describe, expect, it } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { audio, call, calls, chat, file, image, type Part, PDF, result, text, user } from './bodies.ts'

const system: Part = { role: 'system', content: 's' }
const assistant: Part = { role: 'assistant', content: 'a' }
const two = calls(call('call_A'), call('call_B'))

/** What the live API was recorded to answer with 200. */
const RECORDED: { readonly [what: string]: Part } = {
  'an assistant message first': chat(assistant, user()),
  'calls first': chat(calls(call()), result(), user()),
  'a system message alone': chat(system),
  'two user messages': chat(user(), user()),
  'a system message between user messages': chat(user(), system, user()),
  'calls right behind the system message': chat(system, calls(call()), result(), user()),
  'a list that ends in results': chat(user(), calls(call()), result()),
  'calls with content null': chat(user(), calls(call()), result()),
  'calls without content': chat(user(), { role: 'assistant', tool_calls: [call()] }, result()),
  'content in parts, of system and assistant': chat(
    { role: 'system', content: [text()] },
    user(),
    { role: 'assistant', content: [text()] },
    user(),
  ),
  'parallel calls and their results in order': chat(user(), two, result('call_A'), result('call_B')),
  'images and text of a user': chat(user([image(), text()]), user([image()]), user([text()])),
  'files of a user': chat(user([file({ file_data: PDF, filename: 'a.pdf' }), text()])),
  'audio, for a model with ears': { ...chat(user([audio, text()])), model: 'gpt-4o-audio-preview' },
  'ids of other origin': chat(user(), calls(call('toolu_01A')), result('toolu_01A')),
  'calls in a request without tools': chat(user(), calls(call()), result()),
}

/** What the rules imply, though no recording shows it. */
const BELIEVED: { readonly [what: string]: Part } = {
  'results in another order': chat(user(), two, result('call_B'), result('call_A')),
  'a list that ends in an assistant message': chat(user(), assistant),
  'two assistant messages': chat(user(), assistant, assistant),
  'several system messages': chat(system, system, user(), { role: 'developer', content: 'd' }),
  'empty texts of every role': chat(
    { role: 'system', content: '' },
    user(''),
    { role: 'assistant', content: '' },
    calls(call()),
    result('call_A', ''),
  ),
  'results in text parts': chat(user(), calls(call()), result('call_A', [text()])),
  'arguments that are no JSON': chat(user(), calls(call('call_A', { arguments: '{"a":' })), result()),
  'empty arguments': chat(user(), calls(call('call_A', { arguments: '' })), result()),
  'a custom call beside a function call': chat(
    user(),
    calls(call('call_A'), { id: 'call_B', type: 'custom', custom: { name: 'f', input: '' } }),
    result('call_A'),
    result('call_B'),
  ),
  'an audio answer by its id': chat(user(), { role: 'assistant', content: null, audio: { id: 'audio_1' } }, user()),
  'the deprecated function call': chat(
    user(),
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'r' },
  ),
  'the id of a call in a later turn again': chat(user(), calls(call()), result(), calls(call()), result()),
  'a model by Azure’s URL': chat(user()),
  'absent fields as undefined': chat({ ...user(), name: undefined }, { ...assistant, tool_calls: undefined }),
}

describe('what chat completions accept', () => {
  for (const [what, body] of Object.entries({ ...RECORDED, ...BELIEVED })) {
    it(what, () => expect(checkOpenAIChat(body)).toEqual([]))
  }
  for (const [what, body] of Object.entries(RECORDED)) {
    it(`${what}, at strict`, () => expect(checkOpenAIChat(body, { level: 'strict' })).toEqual([]))
  }
})
