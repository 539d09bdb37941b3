import fc from 'fast-check'
import type { Json } from '../../../src/model/session.ts'

/** A history as a flat list of what happened, before any format has it. Every text holds a token of its own. */
export type Rec =
  | { readonly kind: 'user'; readonly text: string; readonly media?: Media | undefined }
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly id: string }
  | { readonly kind: 'text'; readonly text: string }
  | CallRec
  | ResultRec
  /** A call that the API ran itself, `answered` or not. */
  | { readonly kind: 'server'; readonly id: string; readonly answered: boolean }
  /** A block that only one API has, in an answer. */
  | { readonly kind: 'native'; readonly id: string }
  /** A block or item without a type, a message of no known role, a line that is no conversation. */
  | { readonly kind: 'odd'; readonly form: number }

export interface CallRec {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly args: Json
  /** Where the stored text is not the text of `args`. */
  readonly argsText?: string | undefined
  /** Stands in the arguments. */
  readonly token: string
  /** In the form of Chat Completions before there were tools. */
  readonly legacy?: boolean | undefined
}

export interface ResultRec {
  readonly kind: 'result'
  readonly id: string
  readonly name: string
  readonly text: string
  readonly failed: boolean
  /** Stands in the text. */
  readonly token: string
  readonly media?: Media | undefined
  readonly legacy?: boolean | undefined
  /** Stands in the message of the assistant. */
  readonly astray?: boolean | undefined
}

/** `text`: a file of text, whatever its type. */
export interface Media {
  readonly kind: 'image' | 'text'
  readonly mediaType: string
  readonly base64: string
}

export interface Plan {
  readonly system: string | undefined
  /** Cache markers on every user text. */
  readonly marked?: boolean | undefined
  /** One tool is defined twice. */
  readonly toolTwice?: boolean | undefined
  readonly records: readonly Rec[]
}

const NAMES = ['read', 'write_file', 'bash'] as const

interface Round {
  readonly thinks: boolean
  readonly says: boolean
  readonly calls: readonly { readonly name: string; readonly failed: boolean }[]
  readonly asks: boolean
  readonly media: Media | undefined
}

const round: fc.Arbitrary<Round> = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  calls: fc.array(fc.record({ name: fc.constantFrom(...NAMES), failed: fc.nat(4).map((n) => n === 0) }), {
    maxLength: 3,
  }),
  asks: fc.boolean(),
  media: fc.constantFrom<(Media | undefined)[]>(undefined, undefined, undefined, {
    kind: 'image',
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
  const ask = (media?: Media): void => {
    records.push({ kind: 'user', text: `Please ${token('u')}.`, ...(media === undefined ? {} : { media }) })
  }
  ask()
  rounds.forEach(({ thinks, says, calls, asks, media }, index) => {
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
    if (asks || calls.length === 0) ask(media)
  })
  if (endsWithUser && records.at(-1)?.kind === 'result') ask()
  return records
}
