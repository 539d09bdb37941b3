/** Small bodies of chat completions, for tests. */

export type Part = { readonly [key: string]: unknown }

export const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
export const PDF = 'data:application/pdf;base64,JVBERi0xLjQK'

export const user = (content: unknown = 'x'): Part => ({ role: 'user', content })
export const call = (id: unknown = 'call_A', rest: Part = {}): Part => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: '{}', ...rest },
})
export const calls = (...tool_calls: readonly unknown[]): Part => ({ role: 'assistant', content: null, tool_calls })
export const result = (tool_call_id: unknown = 'call_A', content: unknown = 'r'): Part => ({
  role: 'tool',
  tool_call_id,
  content,
})
export const chat = (...messages: readonly unknown[]): Part => ({ messages })
/** One call in the second message, and its result. */
export const turn = (toolCall: unknown, id: unknown = 'call_A'): Part => chat(user(), calls(toolCall), result(id))
export const image = (url = PNG): Part => ({ type: 'image_url', image_url: { url } })
export const text = (value: unknown = 'a'): Part => ({ type: 'text', text: value })
export const audio: Part = { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } }
export const file = (body: Part): Part => ({ type: 'file', file: body })
export const tool = (name: unknown = 'f', rest: Part = {}): Part => ({ type: 'function', function: { name, ...rest } })
