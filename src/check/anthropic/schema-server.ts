import { isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { RuleId } from './run.ts'
import { DOCUMENT } from './schema-content.ts'
import * as shapes from './shape.ts'
import * as words from './words.ts'

const SHAPE: RuleId = 'anthropic/server-result-shape'
const VALUE: shapes.Field = { check: shapes.stringWith(SHAPE), required: SHAPE }
const OPTIONAL: shapes.Field = { check: shapes.stringWith(SHAPE), nullable: true }
const NUMBER: shapes.Field = { check: shapes.integer, nullable: true }
const LINES: shapes.Field = { check: shapes.listOf(shapes.string), nullable: true }

/** One form of a result. The API names the form in the path of its faults, after its own class. */
interface Variant {
  readonly name: string
  readonly shape: shapes.Shape
}

type Forms = { readonly [tag: string]: Variant }

const form = (name: string, fields: { readonly [key: string]: shapes.Field }): Variant => ({
  name: `Request${name}`,
  shape: shapes.shape(fields),
})

const failure = (name: string, explained = false): Variant =>
  form(name, { error_code: VALUE, ...(explained ? { error_message: OPTIONAL } : {}) })

const FILES: shapes.Field = {
  check: shapes.listOf(shapes.objectOf(shapes.shape({ file_id: VALUE }), SHAPE), SHAPE),
  required: SHAPE,
}
const OUTPUT = {
  content: FILES,
  return_code: { check: shapes.integer, required: SHAPE },
  stderr: VALUE,
} as const

const REFERENCES: shapes.Field = {
  check: shapes.listOf(
    shapes.objectOf(shapes.shape({ tool_name: VALUE, cache_control: { check: shapes.anything } }), SHAPE),
    SHAPE,
  ),
  required: SHAPE,
}

/** The forms of each result, the one that the API tries first in front. */
const WEB_FETCH: Forms = {
  web_fetch_tool_result_error: failure('WebFetchToolResultErrorBlock'),
  web_fetch_result: form('WebFetchResultBlock', {
    content: { check: shapes.objectOf(DOCUMENT, SHAPE), required: SHAPE },
    url: VALUE,
    retrieved_at: OPTIONAL,
  }),
}
const CODE_EXECUTION: Forms = {
  code_execution_tool_result_error: failure('CodeExecutionToolResultError'),
  code_execution_result: form('CodeExecutionResultBlock', { ...OUTPUT, stdout: VALUE }),
  encrypted_code_execution_result: form('EncryptedCodeExecutionResultBlock', { ...OUTPUT, encrypted_stdout: VALUE }),
}
const BASH: Forms = {
  bash_code_execution_tool_result_error: failure('BashCodeExecutionToolResultError'),
  bash_code_execution_result: form('BashCodeExecutionResultBlock', { ...OUTPUT, stdout: VALUE }),
}
const TEXT_EDITOR: Forms = {
  text_editor_code_execution_tool_result_error: failure('TextEditorCodeExecutionToolResultError', true),
  text_editor_code_execution_view_result: form('TextEditorCodeExecutionViewResultBlock', {
    content: VALUE,
    file_type: { check: shapes.oneOf(['text', 'image', 'pdf'], SHAPE), required: SHAPE },
    num_lines: NUMBER,
    start_line: NUMBER,
    total_lines: NUMBER,
  }),
  text_editor_code_execution_create_result: form('TextEditorCodeExecutionCreateResultBlock', {
    is_file_update: { check: shapes.boolean(SHAPE), required: SHAPE },
  }),
  text_editor_code_execution_str_replace_result: form('TextEditorCodeExecutionStrReplaceResultBlock', {
    lines: LINES,
    new_lines: NUMBER,
    new_start: NUMBER,
    old_lines: NUMBER,
    old_start: NUMBER,
  }),
}
const TOOL_SEARCH: Forms = {
  tool_search_tool_result_error: failure('ToolSearchToolResultError', true),
  tool_search_tool_search_result: form('ToolSearchToolSearchResultBlock', { tool_references: REFERENCES }),
}
const ADVISOR: Forms = {
  advisor_tool_result_error: failure('AdvisorToolResultError'),
  advisor_result: form('AdvisorResultBlock', { text: VALUE, stop_reason: OPTIONAL }),
  advisor_redacted_result: form('AdvisorRedactedResultBlock', { encrypted_content: VALUE, stop_reason: OPTIONAL }),
}

/** An unknown form answers as the first one, whose fields it lacks. */
function oneFormOf(forms: Forms): shapes.Check {
  const first = Object.values(forms)[0]
  return (value, run) => {
    if (!isObject(value)) return run.fault(SHAPE, words.NOT_OBJECT)
    const found = own(forms, value.type) ?? first
    if (found === undefined) return
    run.path.enter(found.name)
    shapes.checkShape(value, found.shape, run)
    run.path.leave()
  }
}

const ENCRYPTED = 'anthropic/web-search-encrypted-content'

const WEB_SEARCH_RESULT = shapes.shape({
  encrypted_content: { check: shapes.stringWith(ENCRYPTED), required: ENCRYPTED },
  title: VALUE,
  url: VALUE,
  page_age: OPTIONAL,
})

const searchResults = shapes.listOf(shapes.objectOf(WEB_SEARCH_RESULT, SHAPE))
const searchFailure = oneFormOf({ web_search_tool_result_error: failure('WebSearchToolResultError') })

/** A list of results, or one error. */
const webSearch: shapes.Check = (value, run) => {
  if (!Array.isArray(value)) return searchFailure(value, run)
  run.path.enter('list[RequestWebSearchResultBlock]')
  searchResults(value, run)
  run.path.leave()
}

/** The content of the results of the API's own tools, by the type of their block. */
export const SERVER_RESULTS: { readonly [type: string]: shapes.Check } = {
  web_search_tool_result: webSearch,
  web_fetch_tool_result: oneFormOf(WEB_FETCH),
  code_execution_tool_result: oneFormOf(CODE_EXECUTION),
  bash_code_execution_tool_result: oneFormOf(BASH),
  text_editor_code_execution_tool_result: oneFormOf(TEXT_EDITOR),
  tool_search_tool_result: oneFormOf(TOOL_SEARCH),
  advisor_tool_result: oneFormOf(ADVISOR),
}
