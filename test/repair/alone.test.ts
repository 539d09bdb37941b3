import { describe, expect, it } from 'vitest'
import { type OutputPart, openThread, type TextPart, toAnthropic } from '../../src/index.ts'
import { assistant, call, done, session, user } from '../write/say.ts'

const said = (text: string): TextPart => ({ type: 'text', text })

/** What is wrong with a part, what becomes of it, and how that is told. */
const FAULTS: readonly (readonly [fault: string, part: OutputPart, becomes: string | undefined, code: string])[] = [
  ['a lone surrogate', said('cut \ud83d'), 'cut \ufffd', 'text-ill-formed'],
  ['a NUL', said('a\0b'), 'a\ufffdb', 'text-ill-formed'],
  [
    'a block of another API',
    { type: 'native', api: 'gemini', value: { code: 1 }, text: 'told' },
    'told',
    'native-as-text',
  ],
  [
    'media that the API does not take',
    { type: 'media', kind: 'video', mediaType: 'video/mp4', source: { base64: 'AAAA' } },
    '[video, video/mp4: not included]',
    'media-left-out',
  ],
  [
    'a field that requests cannot have',
    { ...said('kept'), extra: { anthropic: { odd: 1 } } },
    'kept',
    'extra-left-out',
  ],
  ['a blank text', said(' \n'), undefined, 'text-empty'],
]

const tools = [{ name: 'run' }]
const texts = (content: unknown): unknown[] =>
  (content as readonly { readonly text?: string }[]).map((block) => block.text)
const firstResult = (turn: unknown): unknown =>
  (turn as { readonly content: readonly { readonly content: unknown }[] }).content[0]?.content
const codes = (changes: readonly { readonly code: string }[]): string[] => changes.map((change) => change.code)

describe.each(FAULTS)('%s', (_fault, part, becomes, code) => {
  const kept = ['first', ...(becomes === undefined ? [] : [becomes])]

  it('is mended in the coming turn', () => {
    const { request, changes } = toAnthropic({ ...session(), tools }, { next: [said('first'), part] as never })
    expect(texts(request.messages[0]?.content)).toEqual(kept)
    expect(codes(changes)).toEqual([code])
  })

  it('is mended in an outcome that comes late', () => {
    const start = { ...session(user('x'), assistant(call('c', { status: 'pending' }))), tools }
    const thread = openThread('anthropic', { start })
    thread.settle('c', { status: 'completed', result: [said('first'), part] })
    const { request, changes } = thread.request()
    expect(texts(firstResult(request.messages[2]))).toEqual(kept)
    expect(codes(changes)).toEqual([code])
    expect(changes[0]?.at).toEqual({ message: 1, part: 0, callId: 'c' })
  })

  it('is mended in the system prompt', () => {
    if (part.type !== 'text') return
    const history = { ...session(user('x'), assistant(call('c', done('ok')))), tools }
    const { request, changes } = toAnthropic({ ...history, instructions: [said('first'), part] })
    expect(texts(request.system)).toEqual(kept)
    expect(codes(changes)).toEqual([code])
  })
})

describe('a part of the coming turn that is none of the model', () => {
  it.each<[string, object | null]>([
    ['no part at all', null],
    ['a text without its text', { type: 'text' }],
    ['a part of an answer', { type: 'reasoning', text: 'hm' }],
    ['media without a source', { type: 'media', kind: 'image', mediaType: 'image/png', source: {} }],
  ])('is left out and told of: %s', (_, part) => {
    const { request, changes } = toAnthropic({ ...session(), tools }, { next: [said('first'), part] as never })
    expect(texts(request.messages[0]?.content)).toEqual(['first'])
    expect(codes(changes)).toEqual(['part-invalid'])
  })
})
