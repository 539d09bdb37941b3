import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import {
  convert,
  fromAnthropic,
  openThread,
  ReadError,
  readSession,
  repairSession,
  resolveSession,
  type Session,
  sessionBuilder,
  type ToolCallEntry,
  type ToolCallState,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
  type WritableApi,
} from '../../src/index.ts'
import { parseSession } from '../../src/model/schema.ts'
import { SESSION, WRONG } from './session.ts'

const session = SESSION as unknown as Session
const APIS: readonly WritableApi[] = ['anthropic', 'openai-chat', 'openai-responses']
const TO = { anthropic: toAnthropic, 'openai-chat': toOpenAIChat, 'openai-responses': toOpenAIResponses }
const NAMES = [
  'model',
  'level',
  'next',
  'instructions',
  'tools',
  'reasoning',
  'media',
  'cache',
  'texts',
  'onLoss',
  'platform',
]
const running: ToolCallEntry = { type: 'tool-call', id: 'x', name: 'run', args: {}, state: { status: 'pending' } }

/** Runs; what is thrown must be meant for the caller. */
function inWords(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    if (!ReadError.is(error)) expect(String(error)).toMatch(/ must (be|give|return) |No (writer|checker) for /)
  }
}

describe.each(WRONG)('%s', (_name, wrong) => {
  it.each(APIS)('as an option of %s is refused in words, or taken', (api) => {
    for (const name of NAMES) inWords(() => JSON.stringify(convert(session, api, { [name]: wrong }).request))
    for (const status of ['interrupted', 'failed', 'pending'])
      inWords(() => convert(session, api, { texts: { [status]: () => wrong } }))
    inWords(() => convert(session, api, wrong as object))
    inWords(() => convert(session, api).origin(wrong as string))
    inWords(() => check(api, {}, wrong as object))
    inWords(() => check(api, {}, { without: wrong as string[], level: wrong as 'live' }))
  })

  it('as an API, or for a reader or an answer, is refused in words', () => {
    inWords(() => convert(session, wrong as 'anthropic'))
    inWords(() => readSession('[]', wrong as object))
    for (const name of ['format', 'dialect', 'leaf', 'history', 'maxBytes'])
      inWords(() => readSession('{"messages":[{"role":"user","content":"x"}]}', { [name]: wrong }))
    inWords(() => fromAnthropic({ role: 'assistant', content: 'x' }, wrong as object))
  })

  it('settles no call', () => {
    const thread = openThread('anthropic')
    thread.push({ role: 'assistant', parts: [running] })
    expect(() => thread.settle('x', wrong as ToolCallState)).toThrow(/must be one of completed/)
    expect(() => sessionBuilder().settle('x', wrong as ToolCallState)).toThrow(/must be one of completed/)
  })

  it('among what is built is left out and reported', () => {
    const builder = sessionBuilder()
    builder.user([{ type: 'text', text: 'kept' }, wrong as never])
    builder.assistant(wrong as never)
    builder.assistant([running, wrong as never], { extra: wrong as object, by: wrong as never })
    const built = builder.build()
    expect(parseSession(built.session)).toBe(built.session)
    expect(JSON.stringify(built.session)).toContain('kept')
    expect(JSON.stringify(built.session)).toContain('"run"')
    if (typeof wrong !== 'string') expect(built.changes.length).toBeGreaterThan(0)
  })

  it('from a hook is refused in words', async () => {
    if (wrong === undefined) return
    await expect(resolveSession(session, { call: async () => wrong as never })).rejects.toThrow(/must be one of/)
    await expect(resolveSession(session, { media: async () => wrong as never })).rejects.toThrow(/must give/)
  })
})

describe.each(APIS)('without a session, %s', (api) => {
  it.each([undefined, null, [], {}])('%o is refused', (none) => {
    expect(() => convert(none as never, api)).toThrow(ReadError)
    expect(() => repairSession(none as never, api)).toThrow(ReadError)
    expect(() => TO[api](none as never)).toThrow(ReadError)
  })

  it('begins a thread', () => {
    expect(openThread(api).request().changes).toEqual([])
    expect(openThread(api, { start: undefined }).request().changes).toEqual([])
  })
})
