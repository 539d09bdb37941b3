import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import { detectFormat, readers, readSession } from '../../src/read/index.ts'
import { CONVERSATIONS } from './conversations.ts'
import { jsonl } from './hostile.ts'
import { claudeCode, entry, SAMPLES } from './samples.ts'

describe('the format is found', () => {
  it.each(SAMPLES)('%s', (format, source) => {
    const text = JSON.stringify(source)
    for (const input of [source as object, text, JSON.stringify(source, null, 2), new TextEncoder().encode(text)]) {
      expect(detectFormat(input)).toBe(format)
      const result = readSession(input)
      expect(result.format).toBe(format)
      expect(parseSession(result.session)).toBe(result.session)
    }
  })

  it('in JSON lines, whatever the first record is', () => {
    const lines = [{ type: 'mode', of: 'another tool' }, claudeCode].map((record) => JSON.stringify(record))
    expect(detectFormat(lines.join('\n'))).toBe('claude-code')
    expect(detectFormat(`{"broken\n${JSON.stringify(entry)}\n`)).toBe('entries')
  })

  it('or not', () => {
    for (const source of ['', 'hello', '{}', '[]', '{"a":1}\n{"b":2}', {}, [], [1], { messages: {} }]) {
      expect(detectFormat(source)).toBeUndefined()
      expect(() => readSession(source)).toThrow(ReadError)
    }
  })
})

describe('reading', () => {
  it('tells what was found wrong with lines first', () => {
    const { changes } = readSession(`${JSON.stringify({ ...entry, toolCalls: [{ name: 'x' }] })}\nnonsense\n{"torn`)
    expect(changes.map((change) => [change.code, change.at.line])).toEqual([
      ['line-unreadable', 2],
      ['line-torn', 3],
      ['call-unfinished', 1],
    ])
  })

  it('takes the format that is asked for, whatever the source looks like', () => {
    const plain = [{ role: 'user', content: 'hi' }]
    for (const format of ['entries', 'openai-chat', 'anthropic'] as const) {
      const { session, format: found } = readSession(plain, { format })
      expect(found).toBe(format)
      expect(session.messages).toMatchObject([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }])
    }
    expect(() => readSession(plain, { format: 'letta' })).toThrow('letta')
    expect(() => readSession(plain, { format: 'dirge' })).toThrow('dirge')
  })

  it('says so when nothing of the format that is asked for is there', () => {
    const lines = '{"type":"user","uuid":"u1","message":{"role":"user","content":"hi"}}\n{"type":"summary"}\n'
    for (const { format } of readers) {
      if (format === 'claude-code') continue
      let messages: readonly unknown[] | undefined
      try {
        messages = readSession(lines, { format }).session.messages
      } catch (error) {
        expect(error).toBeInstanceOf(ReadError)
        continue
      }
      // Lenient readers find something in it, but none finds nothing and says that all is well.
      expect({ format, found: messages.length > 0 }).toEqual({ format, found: true })
    }
  })

  it('passes the limits on', () => {
    expect(() => readSession('[{"role":"user","content":"hi"}]', { maxBytes: 5 })).toThrow('maxBytes')
  })
})

it('no format has two readers', () => {
  expect(new Set(readers.map((reader) => reader.format)).size).toBe(readers.length)
})

describe('a leaf that is not there is refused, not passed over', () => {
  it.each(CONVERSATIONS)('%s', (format, value) => {
    const reader = readers.find((one) => one.format === format)
    const reason = reader?.hasBranches === true ? 'none such' : 'has no branches, none ends with "none such"'
    const text = Array.isArray(value) ? jsonl(value) : JSON.stringify(value)
    expect(() => readSession(text, { leaf: 'none such' })).toThrow(reason)
  })
})
