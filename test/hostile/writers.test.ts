import { describe, expect, it } from 'vitest'
import {
  convert,
  type OptionsOf,
  openThread,
  ReadError,
  repairSession,
  type Session,
  type WritableApi,
} from '../../src/index.ts'
import { damages, marks, WRONG } from './session.ts'

const TARGETS: readonly (readonly [WritableApi, OptionsOf<WritableApi>])[] = [
  ['anthropic', {}],
  ['anthropic', { level: 'live', model: 'claude-opus-5' }],
  ['openai-chat', {}],
  ['openai-chat', { level: 'live', model: 'gpt-4o' }],
  ['openai-responses', {}],
  ['openai-responses', { level: 'live', model: 'gpt-5' }],
]

/** What a conversion says in all; undefined when it refuses the session in words. */
function told(api: WritableApi, session: object, options: OptionsOf<WritableApi>): string | undefined {
  try {
    const { request, changes } = convert(session as Session, api, options)
    return JSON.stringify([request, changes])
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

describe.each(WRONG)('a session with %s somewhere', (_name, wrong) => {
  it.each(TARGETS)('costs %s %j nothing beside it', (api, options) => {
    for (const { session, beside } of damages(wrong)) {
      const text = told(api, session, options)
      if (text === undefined) continue
      const found = marks(text)
      expect(beside.filter((mark) => !found.has(mark))).toEqual([])
    }
  })

  it('is repaired into one that needs no more repairs', () => {
    for (const { session } of damages(wrong)) {
      let once: Session
      try {
        once = repairSession(session as Session, 'anthropic').session
      } catch (error) {
        if (ReadError.is(error)) continue
        throw error
      }
      expect(repairSession(once, 'anthropic').changes).toEqual([])
    }
  })

  it('reads the same pushed message by message', () => {
    for (const { session } of damages(wrong)) {
      const { messages, ...head } = session as Session
      const whole = told('anthropic', session, {})
      if (whole === undefined) continue
      const thread = openThread('anthropic', { start: { ...head, messages: [] } })
      for (const message of messages) thread.push(message)
      const { request, changes } = thread.request()
      expect(JSON.stringify([request, changes])).toBe(whole)
    }
  })
})
