import { valueAt } from '../../model/json.ts'
import { anything, boolean, forbidden, list, nullable, object, oneOf, record, tagged, text } from '../openai/shape.ts'
import { unknownParameter } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import { ANY_STATUS, CALL, type Item, LARGE, measured, returned, STRING_OR_NULL, TEXTS, TYPE } from './item-fields.ts'
import { itemId } from './item-ids.ts'
import type { ResponsesRule } from './rules.ts'

const SEARCH_ACTION: Item = {
  ...tagged<ResponsesRule>({
    tag: 'type',
    rows: {
      search: object(TYPE, {
        query: STRING_OR_NULL,
        queries: nullable(TEXTS),
        sources: forbidden('unknown-item-field'),
      }),
      open_page: object(TYPE, { url: STRING_OR_NULL }),
      find_in_page: object({ ...TYPE, pattern: text(), url: text() }),
    },
    supported: ['search', 'open_page', 'find_in_page'],
    missing: 'missing-item-field',
    invalid: 'web-search-action',
    blames: 'tag',
  }),
  also: queryNotNull,
}

/** A null query, as models dumped with their empty fields have it, was answered as an unknown parameter. */
function queryNotNull(action: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (valueAt(action, 'type') !== 'search' || valueAt(action, 'query') !== null) return
  report.raise('unknown-item-field', unknownParameter(place.at('query')))
}

const MCP = { ...TYPE, server_label: text<ResponsesRule>() } as const

/** Calls that the API ran itself; they need not have their tool among `tools`, nor an output. */
export const HOSTED_ITEMS: { readonly [type: string]: Item } = {
  web_search_call: object({ ...TYPE, id: itemId(measured('ws')), status: ANY_STATUS, action: SEARCH_ACTION }),
  file_search_call: object(
    { ...TYPE, id: itemId(returned('fs')), queries: TEXTS, status: ANY_STATUS },
    { results: nullable(list({ items: record() })) },
  ),
  code_interpreter_call: object({
    ...TYPE,
    id: itemId(returned('ci')),
    code: STRING_OR_NULL,
    container_id: text(),
    outputs: nullable(list({ items: record() })),
    status: ANY_STATUS,
  }),
  image_generation_call: object(
    { ...TYPE, id: itemId(returned('ig')) },
    {
      status: ANY_STATUS,
      result: STRING_OR_NULL,
      action: forbidden('contested-item-field'),
      background: STRING_OR_NULL,
      error: record(),
      output_format: STRING_OR_NULL,
      quality: STRING_OR_NULL,
      revised_prompt: STRING_OR_NULL,
      size: STRING_OR_NULL,
      svg_usage: record(),
    },
  ),
  mcp_list_tools: object(
    {
      ...MCP,
      id: itemId(returned('mcpl')),
      tools: list({ items: object({ name: text(), input_schema: anything() }, {}, { open: true }) }),
    },
    { error: STRING_OR_NULL },
  ),
  mcp_approval_request: object({
    ...MCP,
    id: itemId(returned('mcpr')),
    arguments: text({}, { type: 'arguments-not-string' }),
    name: text(),
  }),
  mcp_approval_response: object(
    { ...TYPE, approval_request_id: text(), approve: boolean() },
    { id: STRING_OR_NULL, reason: STRING_OR_NULL },
  ),
  mcp_call: object(
    { ...MCP, id: itemId(returned('mcp')), arguments: text({}, { type: 'arguments-not-string' }), name: text() },
    { approval_request_id: STRING_OR_NULL, error: anything(), output: STRING_OR_NULL, status: ANY_STATUS },
  ),
  program: object({ ...CALL, id: text(), code: LARGE, fingerprint: LARGE }),
  program_output: object({ ...CALL, id: text(), result: LARGE, status: oneOf('completed', 'incomplete') }),
}
