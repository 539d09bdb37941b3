/** Small bodies of the Responses API, for tests. */

export type Item = { readonly [key: string]: unknown }

export const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
export const PDF = 'data:application/pdf;base64,JVBERi0xLjQK'

export const user = (content: unknown = 'x'): Item => ({ role: 'user', content })
export const call = (rest: Item = {}): Item => ({
  type: 'function_call',
  call_id: 'call_A',
  name: 'f',
  arguments: '{}',
  ...rest,
})
export const output = (rest: Item = {}): Item => ({
  type: 'function_call_output',
  call_id: 'call_A',
  output: 'r',
  ...rest,
})
export const custom = (rest: Item = {}): Item => ({
  type: 'custom_tool_call',
  call_id: 'call_A',
  name: 'f',
  input: 'i',
  ...rest,
})
export const customOutput = (rest: Item = {}): Item => ({
  type: 'custom_tool_call_output',
  call_id: 'call_A',
  output: 'r',
  ...rest,
})
export const shell = (rest: Item = {}): Item => ({
  type: 'shell_call',
  call_id: 'call_A',
  action: { commands: ['ls'] },
  ...rest,
})
export const shellOutput = (rest: Item = {}): Item => ({
  type: 'shell_call_output',
  call_id: 'call_A',
  output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  ...rest,
})
export const localShell = (rest: Item = {}): Item => ({
  type: 'local_shell_call',
  id: 'lsh_1',
  call_id: 'call_A',
  action: { type: 'exec', command: ['ls'], env: {} },
  status: 'completed',
  ...rest,
})
export const patch = (rest: Item = {}): Item => ({
  type: 'apply_patch_call',
  call_id: 'call_A',
  operation: { type: 'delete_file', path: 'a' },
  status: 'completed',
  ...rest,
})
export const patchOutput = (rest: Item = {}): Item => ({
  type: 'apply_patch_call_output',
  call_id: 'call_A',
  status: 'failed',
  ...rest,
})
export const computer = (rest: Item = {}): Item => ({
  type: 'computer_call',
  id: 'cu_1',
  call_id: 'call_A',
  pending_safety_checks: [],
  status: 'completed',
  ...rest,
})
export const computerOutput = (rest: Item = {}): Item => ({
  type: 'computer_call_output',
  call_id: 'call_A',
  output: { type: 'computer_screenshot', image_url: PNG },
  ...rest,
})
export const search = (action: unknown = { type: 'search', query: 'q' }): Item => ({
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action,
})
export const reasoning = (rest: Item = {}): Item => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: 'gAAAAABx',
  ...rest,
})
/** An output message as the API gives it back. */
export const message = (rest: Item = {}): Item => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'a', annotations: [] }],
  ...rest,
})
export const inputText = (text: unknown = 'a'): Item => ({ type: 'input_text', text })
export const inputImage = (rest: Item = { image_url: PNG }): Item => ({ type: 'input_image', detail: 'auto', ...rest })
export const inputFile = (rest: Item): Item => ({ type: 'input_file', ...rest })
export const body = (...input: readonly unknown[]): Item => ({ input })
export const tool = (name: unknown = 'f', rest: Item = {}): Item => ({
  type: 'function',
  name,
  parameters: null,
  ...rest,
})
