import {
  anything,
  boolean,
  forbidden,
  integer,
  list,
  nullable,
  object,
  oneOf,
  record,
  tagged,
  text,
} from '../openai/shape.ts'
import type { Walk } from '../openai/verify.ts'
import { MAX_TEXT, OUTPUT } from './content-parts.ts'
import { HOSTED_ITEMS } from './hosted-items.ts'
import {
  CALL,
  CALLER,
  type Item,
  LARGE,
  measured,
  nullableId,
  optionalId,
  returned,
  STATUS,
  STRING_OR_NULL,
  TEXTS,
  TYPE,
} from './item-fields.ts'
import { ARGUMENTS, CALL_ID, itemId, NAMESPACE, OUTPUT_NAME, toolName } from './item-ids.ts'
import { ITEM_REFERENCE, MESSAGE } from './message-items.ts'
import type { ResponsesRule } from './rules.ts'
import { TOOL_LIST } from './tools.ts'

const REASONING: Item = object(
  {
    ...TYPE,
    id: itemId(measured('rs'), 'reasoning-id-missing'),
    summary: list(
      { items: object({ type: oneOf('summary_text'), text: text() }) },
      { missing: 'reasoning-summary-missing' },
    ),
  },
  {
    encrypted_content: STRING_OR_NULL,
    content: nullable({ ...list(), also: noPlainReasoning }),
    status: forbidden('reasoning-status'),
  },
)

function noPlainReasoning(content: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!Array.isArray(content) || content.length === 0) return
  const path = place.path()
  const message = `Invalid '${path}': array too long. Expected an array with maximum length 0, but got an array with length ${content.length} instead.`
  report.raise('reasoning-content-forbidden', { message, code: 'array_above_max_length', param: path, path })
}

const PATCH_DIFF = object<ResponsesRule>({ ...TYPE, path: text({ min: 1 }), diff: LARGE })

/** `environment: null` must be left out on Azure. No text is known: in the words for a wrong type. */
const ENVIRONMENT: Item = { ...nullable(record()), also: environmentOnAzure }

function environmentOnAzure(environment: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (environment !== null || !report.azure) return
  const path = place.path()
  const message = `Invalid type for '${path}': expected an object, but got null instead.`
  report.raise('invalid-type', { message, code: 'invalid_type', param: path, path })
}

/**
 * Every item of the input by its type: required fields, then optional ones. Sources: the types of SDK 7.59 and the OpenAPI
 * document 2.3.0, and recorded requests where they leave fields out.
 */
export const ITEMS: { readonly [type: string]: Item } = {
  message: MESSAGE,
  item_reference: ITEM_REFERENCE,
  reasoning: REASONING,
  function_call: object(
    { ...CALL, name: toolName('missing-item-field'), arguments: ARGUMENTS },
    {
      id: optionalId(measured('fc')),
      namespace: NAMESPACE,
      async: boolean(),
      caller: CALLER,
      status: nullable(STATUS),
    },
  ),
  function_call_output: object(
    { ...TYPE, output: OUTPUT },
    {
      call_id: nullable(CALL_ID),
      id: nullableId(measured('fc')),
      name: OUTPUT_NAME,
      namespace: nullable(NAMESPACE),
      caller: CALLER,
      status: nullable(STATUS),
    },
  ),
  custom_tool_call: object(
    { ...CALL, name: text({ min: 1, max: 128 }, { long: 'name-too-long' }), input: text() },
    { id: optionalId(measured('ctc')), namespace: NAMESPACE, async: boolean(), caller: CALLER },
  ),
  custom_tool_call_output: object({ ...CALL, output: OUTPUT }, { id: optionalId(measured('ctco')), caller: CALLER }),
  compaction: object({ ...TYPE, encrypted_content: text({ max: 20_971_520 }) }, { id: nullableId(returned('cmp')) }),
  compaction_trigger: object(TYPE, { id: STRING_OR_NULL }),
  additional_tools: object({ ...TYPE, role: oneOf('developer'), tools: TOOL_LIST }, { id: STRING_OR_NULL }),
  configuration_update: object(TYPE, { id: STRING_OR_NULL, reasoning: record(), text: record() }),
  tool_search_call: object(
    { ...TYPE, arguments: anything() },
    {
      id: nullableId(returned('tsc')),
      call_id: nullable(CALL_ID),
      execution: oneOf('server', 'client'),
      status: nullable(STATUS),
    },
  ),
  tool_search_output: object(
    { ...TYPE, tools: TOOL_LIST },
    {
      id: nullableId(returned('tso')),
      call_id: nullable(CALL_ID),
      execution: oneOf('server', 'client'),
      status: nullable(STATUS),
    },
  ),
  computer_call: object(
    { ...TYPE, id: itemId(returned('cu')), call_id: CALL_ID, pending_safety_checks: list(), status: STATUS },
    { action: record(), actions: list() },
  ),
  computer_call_output: object(
    { ...CALL, output: object({ type: oneOf('computer_screenshot') }, { image_url: text(), file_id: text() }) },
    { id: STRING_OR_NULL, acknowledged_safety_checks: nullable(list()), status: nullable(STATUS) },
  ),
  local_shell_call: object({
    ...TYPE,
    id: itemId(returned('lsh')),
    call_id: CALL_ID,
    action: object(
      { type: oneOf('exec'), command: TEXTS, env: record() },
      { timeout_ms: nullable(integer()), user: STRING_OR_NULL, working_directory: STRING_OR_NULL },
    ),
    status: STATUS,
  }),
  local_shell_call_output: object(
    { ...TYPE, id: text({}, { missing: 'typed-item-field' }), output: text({}, { type: 'output-not-string' }) },
    { call_id: nullable(CALL_ID), status: nullable(STATUS) },
  ),
  shell_call: object(
    {
      ...CALL,
      action: object({ commands: TEXTS }, { max_output_length: nullable(integer()), timeout_ms: nullable(integer()) }),
    },
    { id: nullableId(returned('sh')), environment: ENVIRONMENT, caller: CALLER, status: nullable(STATUS) },
  ),
  shell_call_output: object(
    {
      ...CALL,
      output: list(
        { items: object({ stdout: LARGE, stderr: LARGE, outcome: record() }) },
        { type: 'output-not-string' },
      ),
    },
    {
      id: nullableId(returned('sho')),
      max_output_length: nullable(integer()),
      caller: CALLER,
      status: nullable(STATUS),
    },
  ),
  apply_patch_call: object(
    {
      ...CALL,
      operation: tagged({
        tag: 'type',
        rows: {
          create_file: PATCH_DIFF,
          update_file: PATCH_DIFF,
          delete_file: object({ ...TYPE, path: text({ min: 1 }) }),
        },
        supported: ['create_file', 'update_file', 'delete_file'],
        missing: 'missing-item-field',
        invalid: 'invalid-value',
        blames: 'tag',
      }),
      status: oneOf('in_progress', 'completed'),
    },
    { id: nullableId(returned('apc')), caller: CALLER },
  ),
  apply_patch_call_output: object(
    { ...CALL, status: oneOf('completed', 'failed') },
    {
      output: nullable(text({ max: MAX_TEXT }, { type: 'output-not-string' })),
      id: nullableId(returned('apco')),
      caller: CALLER,
    },
  ),
  ...HOSTED_ITEMS,
}
