/** The least that each form of the stores of opencode, Crush and goose is known by. */
const opencodeMessage = {
  info: { id: 'msg_a', role: 'user', time: { created: 1 } },
  parts: [{ type: 'text', text: 'hi' }],
}
const opencodeFirst = {
  id: 'msg_a',
  role: 'user',
  parts: [{ type: 'text', text: 'hi' }],
  metadata: { time: { created: 1 }, sessionID: 'ses_a', tool: {} },
}
const opencodeFlat = { id: 'msg_a', type: 'user', text: 'hi', time: { created: 1 } }
const opencodeRow = { id: 'msg_a', session_id: 'ses_a', data: '{"role":"user","time":{"created":1}}' }
const opencodeShare = [
  { type: 'session', data: { id: 'ses_a', title: 'T', time: { created: 1 } } },
  { type: 'message', data: { id: 'msg_a', sessionID: 'ses_a', role: 'user', time: { created: 1 } } },
  { type: 'part', data: { id: 'prt_a', sessionID: 'ses_a', messageID: 'msg_a', type: 'text', text: 'hi' } },
]

const crushSession = { id: 's', parent_session_id: null, title: 'T', summary_message_id: null, updated_at: 1 }
const crushMessage = { id: 'm', session_id: 's', role: 'user', parts: '[{"type":"text","data":{"text":"hi"}}]' }

const gooseHead = { working_dir: '/w', description: 'T', message_count: 1 }
const gooseMessage = { role: 'user', created: 1_750_000_000, content: [{ type: 'text', text: 'hi' }] }
const gooseCall = {
  role: 'assistant',
  content: [{ type: 'toolRequest', id: 'a', toolCall: { status: 'success', value: { name: 'x', arguments: {} } } }],
}
const gooseSession = { id: '20260101_1', name: 'T', working_dir: '/w', updated_at: '2026-01-01 00:00:00' }
const gooseRow = { id: 1, session_id: '20260101_1', role: 'user', content_json: '[{"type":"text","text":"hi"}]' }

export const STORES: readonly [string, unknown][] = [
  ['opencode', { info: { id: 'ses_a' }, messages: [opencodeMessage] }],
  ['opencode', [opencodeMessage]],
  ['opencode', { info: { id: 'ses_a' }, messages: [opencodeFirst] }],
  ['opencode', { info: { id: 'ses_a' }, messages: [opencodeFlat] }],
  ['opencode', { info: { id: 'ses_a', time: { created: 1 } }, messages: [] }],
  ['opencode', opencodeShare],
  ['opencode', { tables: { session: [{ id: 'ses_a' }], message: [opencodeRow], part: [] } }],
  ['opencode', { tables: { session: [{ id: 'ses_a' }], message: [] } }],
  ['crush', { tables: { sessions: [crushSession], messages: [crushMessage] } }],
  ['crush', { tables: { sessions: [crushSession], messages: [] } }],
  ['goose', [gooseHead, gooseMessage]],
  ['goose', [gooseMessage]],
  ['goose', [gooseCall]],
  ['goose', { ...gooseSession, conversation: [gooseMessage] }],
  ['goose', { ...gooseSession, conversation: [] }],
  ['goose', { tables: { sessions: [gooseSession], messages: [gooseRow] } }],
  ['goose', { tables: { sessions: [gooseSession], messages: [] } }],
]
