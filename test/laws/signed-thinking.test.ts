import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, Session } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { toAnthropic } from '../../src/write/anthropic/index.ts'
import { openThread } from '../../src/write/index.ts'
import { type DamageKind, damaged, damages } from './raw/damage.ts'
import { normal } from './raw/normal.ts'
import { plans } from './raw/plan.ts'
import { rendered } from './raw/render/index.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('signed thinking')

/** Models that bind thinking to what stood before it. */
const BOUND = ['claude-fable-5-1', 'claude-opus-5-5', 'claude-haiku-5-5'] as const

/** What the API refuses, and so is not as the model saw it. Results that are missing or astray are another matter. */
const REFUSED: readonly DamageKind[] = [
  'id foreign',
  'name odd',
  'arguments cut',
  'arguments of another type',
  'text ill-formed',
  'result ill-formed',
]

type Block = { readonly type: string }
interface Turn {
  readonly role: string
  readonly content: readonly Block[]
}

/** All blocks in order, each with its role: what a signature is bound to. No model has seen an empty text. */
function blocksOf(request: unknown): readonly string[] {
  const { messages } = normal('anthropic', request) as unknown as { readonly messages: readonly Turn[] }
  return messages
    .flatMap(({ role, content }) => content.map((block) => JSON.stringify([role, block])))
    .filter((block) => !block.includes('"text":""'))
}

const isThinking = (block: string): boolean => block.includes('"type":"thinking"')

function sessionOf(body: object, model: string): Session {
  return readSession({ ...body, model }, { format: 'anthropic' }).session
}

describe('thinking on models that bind it to its prefix', () => {
  test('stays as long as nothing differs, and goes from the first difference on', () => {
    const cases = fc.tuple(plans, damages(REFUSED, 2), fc.constantFrom(...BOUND), fc.boolean())
    forAll('histories', cases, ([plan, done, model, clean]) => {
      const broken = clean ? plan : damaged(plan, done).plan
      const seen = rendered('anthropic', broken) as object
      const written = blocksOf(toAnthropic(sessionOf(seen, model), { model }).request)
      const stored = blocksOf(seen)
      const same = stored.findIndex((block, index) => block !== written[index])
      const kept = same < 0 ? stored.length : same
      // The first difference may be the thinking that is left out itself: before it, all is kept.
      const thoughts = written.filter(isThinking).length
      expect(written.slice(0, kept).filter(isThinking).length).toBe(thoughts)
      if (clean) expect(thoughts).toBe(stored.filter(isThinking).length)
      count('blocks of thinking kept', thoughts)
      count('blocks of thinking gone', stored.filter(isThinking).length - thoughts)
    })
  })

  test('goes altogether when the prompt is another', () => {
    forAll('other prompts', fc.tuple(plans, fc.constantFrom(...BOUND)), ([plan, model]) => {
      const session = sessionOf(rendered('anthropic', plan) as object, model)
      const tools = [{ name: 'read' }]
      for (const options of [{ instructions: 'Be brief.' }, { tools }]) {
        expect(blocksOf(toAnthropic(session, { model, ...options }).request).filter(isThinking)).toEqual([])
      }
    })
  })

  test('goes behind a result that came late', () => {
    forAll('late results', fc.tuple(plans, fc.constantFrom(...BOUND)), ([plan, model]) => {
      const session = sessionOf(rendered('anthropic', plan) as object, model)
      const late = waiting(session)
      if (late === undefined) return
      count('late results that were tried')
      const thread = openThread('anthropic', { model, start: { ...session, messages: [] } })
      for (const message of late.messages) thread.push(message)
      thread.settle(late.callId, { status: 'completed', result: 'Late.' })
      const { request, changes } = thread.request()
      const written = blocksOf(request)
      const place = written.findIndex((block) => block.includes('"Late."'))
      expect(place).toBeGreaterThanOrEqual(0)
      expect(written.slice(place).filter(isThinking)).toEqual([])
      expect(changes.map(({ code }) => code)).toContain('prefix-changed')
    })
  })
})

/** The session with its first call still open, when something stands behind its turn. */
function waiting(session: Session): { readonly messages: readonly Message[]; readonly callId: string } | undefined {
  for (const [index, message] of session.messages.entries()) {
    if (message.role !== 'assistant') continue
    const place = message.parts.findIndex((part) => part.type === 'tool-call')
    const call = message.parts[place]
    if (call?.type !== 'tool-call') continue
    if (!session.messages.slice(index + 1).some((later) => later.role === 'assistant')) return undefined
    const parts = message.parts.with(place, { ...call, state: { status: 'interrupted' } })
    return { messages: session.messages.with(index, { ...message, parts }), callId: call.id }
  }
  return undefined
}
