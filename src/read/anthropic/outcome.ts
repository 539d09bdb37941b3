import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolCallState, ToolOutput } from '../../model/session.ts'
import type { Block } from './media.ts'
import { lines } from './native.ts'
import { toolOutput } from './output.ts'

/** The readable side of a result of a provider-run call, by the type of its content: the block itself is kept raw. */
const READABLE: { readonly [type: string]: (content: unknown) => string } = {
  web_fetch_result: (content) => {
    const document = valueAt(content, 'content')
    const source = valueAt(document, 'source')
    const text = stringAt(source, 'type') === 'text' ? stringAt(source, 'data') : undefined
    return lines([stringAt(document, 'title'), stringAt(content, 'url'), text])
  },
  code_execution_result: ran,
  encrypted_code_execution_result: ran,
  bash_code_execution_result: ran,
  text_editor_code_execution_view_result: (content) => stringAt(content, 'content') ?? '',
  text_editor_code_execution_create_result: (content) =>
    valueAt(content, 'is_file_update') === true ? 'The file was updated.' : 'The file was created.',
  text_editor_code_execution_str_replace_result: (content) => joined(valueAt(content, 'lines')),
  tool_search_tool_search_result: (content) => joined(valueAt(content, 'tool_references'), 'tool_name'),
  advisor_result: (content) => stringAt(content, 'text') ?? '',
  advisor_redacted_result: () => '',
}

/** The outcome that the result block of a provider-run call stores. */
export function providerState(block: Block): ToolCallState {
  const content = valueAt(block, 'content')
  const type = stringAt(content, 'type')
  if (type?.endsWith('_error') === true) return { status: 'failed', error: errorText(content) }
  const output = readable(content, type)
  return valueAt(block, 'is_error') === true
    ? { status: 'failed', error: output }
    : { status: 'completed', result: output }
}

function readable(content: unknown, type: string | undefined): ToolOutput {
  const read = own(READABLE, type)
  if (read !== undefined) return read(content)
  if (Array.isArray(content) && content.every((item) => stringAt(item, 'type') === 'web_search_result')) {
    return content.map((item) => lines([stringAt(item, 'title'), stringAt(item, 'url')])).join('\n\n')
  }
  return type === undefined ? toolOutput(content) : [{ type: 'json', value: content as Json }]
}

function errorText(content: unknown): string {
  const code = stringAt(content, 'error_code') ?? 'unknown error'
  const message = stringAt(content, 'error_message')
  return message === undefined ? code : `${code}: ${message}`
}

function ran(content: unknown): string {
  const status = valueAt(content, 'return_code')
  const failure = typeof status === 'number' && status !== 0 ? `Exit code ${status}` : undefined
  return lines([stringAt(content, 'stdout'), stringAt(content, 'stderr'), failure])
}

/** The strings of a list, or those under a key of its objects, one a line. */
function joined(list: unknown, key?: string): string {
  if (!Array.isArray(list)) return ''
  const found = key === undefined ? list : list.map((item) => stringAt(item, key))
  return found.filter((item) => typeof item === 'string').join('\n')
}
