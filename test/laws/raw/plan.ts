import fc from 'fast-check'
import type { Json } from '../../../src/model/session.ts'

/** A history as a flat list of what happened, before any format has it. Every text holds a token of its own. */
export type Rec =
  | { readonly kind: 'user'; readonly text: string; readonly image?: Image | undefined }
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly id: string }
  | { readonly kind: 'text'; readonly text: string }
  | CallRec
  | ResultRec
  /** A block or item without a type, a message of no known role, a line that is no conversation. */
  | { readonly kind: 'odd' }

export interface CallRec {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly args: Json
  /** Where the stored text is not the text of `args`. */
  readonly argsText?: string | undefined
  /** Stands in the arguments. */
  readonly token: string
}

export interface ResultRec {
  readonly kind: 'result'
  readonly id: string
  readonly name: string
  readonly text: string
  readonly failed: boolean
  /** Stands in the text. */
  readonly token: string
}

export interface Image {
  readonly mediaType: string
  readonly base64: string
}

export interface Plan {
  readonly system: string | undefined
  readonly records: readonly Rec[]
}

const NAMES = ['read', 'write_file', 'bash'] as const

interface Round {
  readonly thinks: boolean
  readonly says: boolean
  readonly calls: readonly { readonly name: string; readonly failed: boolean }[]
  readonly asks: boolean
  readonly image: Image | undefined
}

const round: fc.Arbitrary<Round> = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  calls: fc.array(fc.record({ name: fc.constantFrom(...NAMES), failed: fc.nat(4).map((n) => n === 0) }), {
    maxLength: 3,
  }),
  asks: fc.boolean(),
  image: fc.constantFrom<(Image | undefined)[]>(undefined, undefined, undefined, {
    mediaType: 'image/png',
    base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
  }),
})

/** A history that every API takes as it is: it begins with the user, every call has its result behind it. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    system: fc.constantFrom(undefined, 'You are helpful. s1x'),
    rounds: fc.array(round, { minLength: 1, maxLength: 6, size: 'max' }),
    ending: fc.constantFrom('user', 'results'),
  })
  .map(({ system, rounds, ending }) => ({ system, records: told(rounds, ending === 'user') }))

function told(rounds: readonly Round[], endsWithUser: boolean): readonly Rec[] {
  const records: Rec[] = []
  let tokens = 0
  const token = (letter: string): string => `${letter}${++tokens}x`
  const ask = (image?: Image): void => {
    records.push({ kind: 'user', text: `Please ${token('u')}.`, ...(image === undefined ? {} : { image }) })
  }
  ask()
  rounds.forEach(({ thinks, says, calls, asks, image }, index) => {
    if (thinks) records.push({ kind: 'thinking', text: `I think ${token('h')}.`, id: `rs_${index}` })
    // Thinking is followed by something, and a turn without calls says something.
    if (says || calls.length === 0) records.push({ kind: 'text', text: `Well, ${token('a')}.` })
    const made = calls.map(({ name, failed }, place) => ({
      id: `call_${index}_${place}`,
      name,
      failed,
      token: token('c'),
    }))
    for (const call of made) {
      records.push({ kind: 'call', id: call.id, name: call.name, args: { path: call.token }, token: call.token })
    }
    for (const { id, name, failed } of made) {
      const said = token('r')
      records.push({ kind: 'result', id, name, failed, text: `Output ${said}.`, token: said })
    }
    if (asks || calls.length === 0) ask(image)
  })
  if (endsWithUser && records.at(-1)?.kind === 'result') ask()
  return records
}
