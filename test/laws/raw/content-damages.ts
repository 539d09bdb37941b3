import type { Json } from '../../../src/model/session.ts'
import type { Media } from './plan.ts'
import { type Do, insert, pick, rewrite } from './works.ts'

const MEDIA: readonly Media[] = [
  { kind: 'image', mediaType: 'image/jpeg', base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' },
  { kind: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' },
  { kind: 'image', mediaType: 'image/svg+xml', base64: 'PHN2Zz48L3N2Zz4K' },
  { kind: 'text', mediaType: 'text/csv', base64: 'YSxiCjEsMgo=' },
]

/** What makes texts, arguments and media unfit, or puts something between them. */
export const CONTENT_DAMAGES = {
  'arguments cut': rewrite('call', (call) => ({ ...call, argsText: `{"path":"${call.token}` })),
  'arguments of another type': rewrite('call', (call, by) => ({
    ...call,
    args: by % 2 === 0 ? [call.token] : call.token,
    argsText: undefined,
  })),
  'arguments too deep': rewrite('call', (call) => ({
    ...call,
    args: { path: call.token, deep: nested(300) },
    argsText: undefined,
  })),
  'blank user text': (works, at) => {
    insert(works, at % (works.records.length + 1), { kind: 'user', text: '' })
    return true
  },
  'blank answer': (works, at) => {
    insert(works, 1 + (at % works.records.length), { kind: 'text', text: ' \n' })
    return true
  },
  'text ill-formed': rewrite('user', (user, by) => ({
    ...user,
    text: `${user.text}${by % 2 === 0 ? '\ud800' : '\0'}`,
  })),
  'result ill-formed': rewrite('result', (result) => ({ ...result, text: `${result.text}\udc00` })),
  'something odd': (works, at, by) => {
    insert(works, 1 + (at % works.records.length), { kind: 'odd', form: by })
    return true
  },
  'instruction between': (works, at, by) => {
    insert(works, at % (works.records.length + 1), { kind: 'instruction', text: `From now on w${at}_${by}x.` })
    return true
  },
  'media in the question': rewrite('user', (user, by) => ({ ...user, media: pick(MEDIA, by) })),
  'media in the result': rewrite('result', (result, by) => ({ ...result, media: pick(MEDIA, by) })),
  'call of the API itself': (works, at, by) => {
    insert(works, 1 + (at % works.records.length), { kind: 'server', id: `s${at}n${by}`, answered: by % 2 === 0 })
    return true
  },
  'block of the API itself': (works, at, by) => {
    insert(works, 1 + (at % works.records.length), { kind: 'native', id: `n${at}n${by}` })
    return true
  },
  'markers everywhere': (works) => {
    works.marked = true
    return true
  },
  'tool defined twice': (works) => {
    works.toolTwice = true
    return true
  },
  'answer at the end, in blanks': (works, at, by) => {
    insert(works, works.records.length, { kind: 'text', text: `Done, w${at}_${by}x. \n` })
    return true
  },
  'thinking alone': (works, at) => {
    insert(works, works.records.length, { kind: 'thinking', text: `Cut short h${at}x`, id: 'rs_cut' })
    return true
  },
} as const satisfies { readonly [kind: string]: Do }

function nested(depth: number): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
