import type { Message, Session, ToolCallState } from '../src/index.ts'

const RESULT = 'The quick brown fox jumps over the lazy dog. '.repeat(22)

/**
 * A history of so many messages, half of them the user's, with one call and a text result of about 1 kB in each answer.
 * A dirty one has a defect in about every second answer: foreign ids, reused ids, blank texts, cut arguments, open calls,
 * lone surrogates.
 */
export function history(length: number, dirty = false): Session {
  const messages: Message[] = []
  for (let turn = 0; messages.length < length; turn++) {
    messages.push({ role: 'user', parts: [{ type: 'text', text: `Question ${turn}: ${RESULT.slice(0, 90)}` }] })
    const cut = dirty && turn % 14 === 3
    messages.push({
      role: 'assistant',
      parts: [
        { type: 'text', text: dirty && turn % 6 === 1 ? '\n' : `Answer ${turn}` },
        {
          type: 'tool-call',
          id: idOf(turn, dirty),
          name: 'bash',
          args: cut ? '{"command":"ls' : { command: `ls ${turn}`, timeout: 1000 },
          argsText: cut ? '{"command":"ls' : `{"command":"ls ${turn}","timeout":1000}`,
          state: stateOf(turn, dirty),
        },
      ],
    })
  }
  // As it comes from a store: parsed, with no shared strings.
  return JSON.parse(JSON.stringify({ version: 1, tools: [{ name: 'bash', parameters: { type: 'object' } }], messages }))
}

function idOf(turn: number, dirty: boolean): string {
  if (dirty && turn % 10 === 2) return `call.${turn}:0`
  return dirty && turn % 25 === 4 ? 'call_again' : `call_${turn}`
}

function stateOf(turn: number, dirty: boolean): ToolCallState {
  if (dirty && turn % 16 === 5) return { status: 'interrupted' }
  return { status: 'completed', result: dirty && turn % 20 === 7 ? `${RESULT}\ud83d` : RESULT }
}

/** The same conversation as a Claude Code transcript, one block a line. */
export function transcript(length: number): string {
  const lines: string[] = []
  let parent: string | null = null
  const add = (record: object): void => {
    const uuid: string = `u${lines.length}`
    const about = {
      isSidechain: false,
      sessionId: 's',
      version: '2.1.40',
      cwd: '/w',
      userType: 'external',
      timestamp: '2026-02-01T10:00:00.000Z',
    }
    lines.push(JSON.stringify({ ...record, uuid, parentUuid: parent, ...about }))
    parent = uuid
  }
  for (const message of history(length).messages) {
    for (const part of message.parts) {
      if (part.type === 'text' && message.role === 'user')
        add({ type: 'user', message: { role: 'user', content: part.text } })
      const answer = (block: object): void =>
        add({
          type: 'assistant',
          requestId: `r${lines.length}`,
          message: {
            id: `m${parent}`,
            role: 'assistant',
            model: 'claude-sonnet-4-6',
            content: [block],
            usage: { input_tokens: 10, output_tokens: 5 },
          },
        })
      if (part.type === 'text' && message.role === 'assistant') answer({ type: 'text', text: part.text })
      if (part.type !== 'tool-call') continue
      answer({ type: 'tool_use', id: part.id, name: part.name, input: part.args })
      add({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: part.id, content: RESULT }] },
        toolUseResult: { stdout: RESULT },
      })
    }
  }
  return `${lines.join('\n')}\n`
}
