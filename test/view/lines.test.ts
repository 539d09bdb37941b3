import { describe, expect, it } from 'vitest'
import { change } from '../../src/model/change.ts'
import type { AssistantPart, ToolCallState } from '../../src/model/session.ts'
import { changeLine, changesSummary, groupedChangeLines } from '../../src/view/changes.ts'
import { messageLines } from '../../src/view/outline.ts'
import { partLine } from '../../src/view/part-line.ts'
import { violationLines } from '../../src/view/violations.ts'

describe('changes', () => {
  it('are counted, the worst first', () => {
    const changes = [
      change('text-empty', {}),
      change('call-closed', {}),
      change('call-closed', {}),
      change('orphan-result', {}),
    ]
    expect(changesSummary(changes)).toBe('1 loss (orphan-result), 2 repairs (call-closed), 1 note (text-empty)')
    expect(changesSummary([])).toBeUndefined()
  })

  it('are told with place and previews, escaped', () => {
    const at = { line: 7, message: 3, part: 0, callId: 'a\u001b' }
    const line = changeLine(change('id-renamed', at, { before: 'a\u001b', after: 'a_' }))
    expect(line).toContain('(line 7, message 3, part 0, call a\\x1b)')
    expect(line).toContain('was "a\\x1b", now "a_"')
    expect(changeLine(change('tools-stubbed', {}, { after: 'read' }))).toMatch(/ now "read"$/)
    expect(changeLine(change('text-empty', {}))).toMatch(/left out\.$/)
  })

  it('are told once where they are the same', () => {
    const changes = [1, 2, 3, 4, 5].map((line) => change('record-unknown', { line }))
    expect(groupedChangeLines([...changes, change('line-torn', { line: 6 })])).toEqual([
      'info   record-unknown         5 times: A record of an unknown kind was skipped. (line 1; line 2; line 3; line 4; ...)',
      'loss   line-torn              The last line is cut off and was skipped. (line 6)',
    ])
  })
})

describe('parts', () => {
  const call = (state: ToolCallState): string =>
    partLine({ type: 'tool-call', id: 'c', name: 'run', args: { a: 1 }, state })

  it('of each state of a call say what is known of it', () => {
    expect(call({ status: 'completed', result: 'ok' })).toBe('call run {"a":1} [c] completed: ok')
    expect(call({ status: 'completed', result: '' })).toMatch(/completed: \(empty\)$/)
    expect(call({ status: 'failed', error: 'no' })).toMatch(/failed: no$/)
    expect(call({ status: 'failed', error: 'no', denied: true })).toMatch(/denied: no$/)
    expect(call({ status: 'interrupted' })).toMatch(/interrupted, outcome unknown$/)
    expect(call({ status: 'interrupted', dispatched: false, partial: 'half' })).toMatch(/never started: half$/)
    expect(call({ status: 'pending' })).toMatch(/pending$/)
    expect(call({ status: 'pending', reason: 'approval' })).toMatch(/waiting for approval$/)
    expect(call({ status: 'pending', reason: 'approval', approved: true })).toMatch(/approved, not yet run$/)
    expect(call({ status: 'pending', reason: 'approval', approved: false })).toMatch(/not approved$/)
  })

  it('of each kind have a line', () => {
    const parts: readonly (readonly [AssistantPart, string])[] = [
      [{ type: 'text', text: 'a\nb' }, 'a b'],
      [{ type: 'reasoning', text: 'why' }, 'thinking why'],
      [{ type: 'reasoning', text: '', redacted: true }, 'thinking (not readable)'],
      [{ type: 'native', api: 'anthropic', value: { type: 'x' } }, 'anthropic block {"type":"x"}'],
      [
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'A'.repeat(4096) }, name: 'a.png' },
        'image image/png, a.png, 3 kB',
      ],
      [{ type: 'media', kind: 'file', mediaType: '', source: { url: 'https://x/y' } }, 'file https://x/y'],
    ]
    for (const [part, line] of parts) expect(partLine(part)).toBe(line)
  })

  it('of outputs are joined', () => {
    const result = [{ type: 'text', text: 'a' } as const, { type: 'json', value: { b: 1 } } as const]
    expect(call({ status: 'completed', result })).toMatch(/completed: a \{"b":1\}$/)
  })
})

describe('messages', () => {
  it('show who speaks, and an empty message as such', () => {
    const lines = messageLines(
      {
        version: 1,
        messages: [
          { role: 'instruction', authority: 'developer', parts: [{ type: 'text', text: 'be brief' }] },
          { role: 'user', kind: 'summary', parts: [{ type: 'text', text: 'so far' }] },
          { role: 'assistant', parts: [] },
        ],
      },
      { most: 10 },
    )
    expect(lines).toEqual(['   0 developer  be brief', '   1 summary    so far', '   2 assistant  (empty)'])
  })
})

describe('violations', () => {
  it("are the API's words, the rule and the place", () => {
    const violation = { status: 400, type: 'invalid_request_error', code: null, param: null, message: 'No\u001b.' }
    expect(violationLines({ ...violation, rule: 'a/b', path: 'input[4]' })).toEqual([
      '400 invalid_request_error: No\\x1b.',
      '    a/b at input[4]',
    ])
  })
})
