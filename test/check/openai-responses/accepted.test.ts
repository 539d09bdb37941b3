import { describe, expect, it } from 'vitest'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import {
  body,
  call,
  computer,
  computerOutput,
  custom,
  customOutput,
  type Item,
  inputFile,
  inputImage,
  inputText,
  localShell,
  message,
  output,
  PDF,
  patch,
  patchOutput,
  reasoning,
  search,
  shell,
  shellOutput,
  tool,
  user,
} from './bodies.ts'
import { CLIENT_SEARCHES } from './rule-cases.ts'

const second = { call_id: 'call_B' }
const interpreter: Item = {
  type: 'code_interpreter_call',
  id: 'ci_1',
  code: null,
  container_id: 'cntr_1',
  outputs: null,
  status: 'completed',
}
const mcpTools: Item = { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] }
const mcpCall: Item = {
  type: 'mcp_call',
  id: 'mcp_1',
  arguments: '{}',
  name: 'f',
  server_label: 's',
  error: null,
  output: null,
}

/** What the live API was recorded to answer with 200. */
const RECORDED: { readonly [what: string]: Item } = {
  'call ids of any origin': body(
    user(),
    ...['toolu_01A', 'srvtoo_1', 'fc_1', 'a1B2c3D4'].flatMap((call_id) => [call({ call_id }), output({ call_id })]),
  ),
  'calls without tools': body(user(), call(), output()),
  'calls of tools that are not defined': { ...body(user(), call(), output()), tools: [tool('g')] },
  'a status on an output': body(user(), call(), output({ status: 'completed' })),
  'a text of the assistant without an id': body(user(), { type: 'message', role: 'assistant', content: 'a' }),
  'a call first': body(call({ id: 'fc_1' }), output(), user()),
  'a call with a status of null': body(user(), call({ id: 'fc_1', status: null }), output()),
  'a call with an id and no reasoning': body(user(), call({ id: 'fc_1', status: 'completed' }), output()),
  'reasoning, call, output': body(user(), reasoning(), call({ id: 'fc_1' }), output()),
  'reasoning, parallel calls, outputs': body(
    user(),
    reasoning(),
    call({ id: 'fc_1' }),
    call({ id: 'fc_2', ...second }),
    output(),
    output(second),
  ),
  'reasoning, message': body(user(), reasoning(), message(), user()),
  'reasoning, search, reasoning, message': body(
    user(),
    reasoning(),
    search(),
    reasoning({ id: 'rs_2' }),
    message(),
    user(),
  ),
  'reasoning, code interpreter, message': body(user(), reasoning(), interpreter, message(), user()),
  'reasoning, image, message': body(
    user(),
    reasoning(),
    { type: 'image_generation_call', id: 'ig_1' },
    message(),
    user(),
  ),
  'tools of a hosted server, reasoning, hosted call': body(
    user(),
    mcpTools,
    reasoning(),
    mcpCall,
    reasoning({ id: 'rs_2' }),
    message(),
  ),
  'a system message in the middle': body(
    user(),
    { role: 'assistant', content: 'a' },
    { role: 'system', content: 's' },
    user(),
  ),
  'a phase': body(user(), { role: 'assistant', content: 'a', phase: 'commentary' }, user()),
  'a search of the server without output': body(
    user(),
    { type: 'tool_search_call', arguments: {}, call_id: null, execution: 'server', status: 'completed' },
    { type: 'tool_search_output', tools: [tool()], call_id: null, execution: 'server' },
  ),
  'more tools anywhere': body({ type: 'additional_tools', role: 'developer', tools: [tool()] }, user()),
  'a compaction first': body({ type: 'compaction', encrypted_content: 'e' }, user()),
  'outputs alone, behind a stored response': {
    ...body(output(), customOutput(second)),
    previous_response_id: 'resp_1',
  },
  'outputs in parts': body(
    user(),
    call(),
    output({ output: [inputText(), inputImage(), inputFile({ file_data: PDF })] }),
  ),
  'a message without annotations': body(user(), message({ content: [{ type: 'output_text', text: 'a' }] }), user()),
  'a file by its URL': body(user([inputFile({ file_url: 'https://example.com/a.pdf' })])),
  'an image without detail': body(user([{ type: 'input_image', image_url: 'https://example.com/a.png' }])),
  'a text as input': { input: 'hi' },
}

/** What the rules imply, though no recording shows it, and what only `strict` minds. */
const BELIEVED: { readonly [what: string]: Item } = {
  'messages between a call and its output': body(user(), call(), message(), user(), output()),
  'outputs in another order': body(user(), call(), call(second), output(second), output()),
  'a call and its output one by one': body(user(), call(), output(), call(second), output(second)),
  'empty texts': body(user(''), { role: 'assistant', content: '' }, user()),
  'arguments that are cut off': body(user(), call({ arguments: '{"a":' }), output()),
  'the id of a call again once it is answered': body(user(), call(), output(), call(), output()),
  'a message without its id behind reasoning': body(user(), reasoning(), { role: 'assistant', content: 'a' }, user()),
  'reasoning without an id': body(user(), reasoning({ id: undefined }), message()),
  'a reference, and the output of what may be its call': body({ type: 'item_reference', id: 'fc_1' }, output()),
  'a reference by its id alone': body({ id: 'msg_1' }, user()),
  'every call that a client runs': body(
    user(),
    ...[custom(), customOutput()],
    ...[shell({ call_id: 's' }), shellOutput({ call_id: 's' })],
    ...[localShell({ call_id: 'l' }), { type: 'local_shell_call_output', id: 'lsh_1', output: '{}' }],
    ...[patch({ call_id: 'p' }), patchOutput({ call_id: 'p' })],
    ...[computer({ call_id: 'c' }), computerOutput({ call_id: 'c' })],
  ),
  'absent fields as undefined': body(
    { ...user(), status: undefined },
    call({ id: undefined }),
    output({ x: undefined }),
  ),
}

describe('what the Responses API accepts', () => {
  for (const [what, accepted] of Object.entries({ ...RECORDED, ...BELIEVED })) {
    it(what, () => expect(checkOpenAIResponses(accepted)).toEqual([]))
  }
  for (const [index, accepted] of CLIENT_SEARCHES.entries()) {
    it(`a search of the client with its output (${index})`, () => {
      expect(checkOpenAIResponses(accepted)).toEqual([])
      expect(checkOpenAIResponses(accepted, { level: 'strict' })).toEqual([])
    })
  }

  it('minds at strict only what a rule of strict names', () => {
    const minded = Object.entries(RECORDED).flatMap(([what, accepted]) =>
      checkOpenAIResponses(accepted, { level: 'strict' }).map(({ rule }) => `${what}: ${rule}`),
    )
    expect(minded).toEqual(['a message without annotations: openai-responses/output-message-shape'])
  })
})
