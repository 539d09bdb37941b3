import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { append, type Draft, present } from './stream.ts'

/** The calls of a message, from the pieces in which they come. */
export interface ChatCalls {
  add(delta: object): void
  /** Those of the message, the legacy one included. */
  count(): number
  /** The fields of the message that hold them. */
  fields(): Draft
}

interface Call {
  fields: Draft
  /** The object of the called function or custom tool. */
  readonly called: Draft
  readonly kind: 'function' | 'custom'
}

/** Where the two kinds of call hold their text. */
const TEXTS = { function: 'arguments', custom: 'input' } as const

export function chatCalls(): ChatCalls {
  const calls: Call[] = []
  const byIndex = new Map<unknown, Call>()
  let legacy: Draft | undefined

  const addPiece = (piece: unknown): void => {
    if (!isObject(piece)) return
    const index = valueAt(piece, 'index')
    const open = index === undefined || index === null ? byId(calls, piece) : byIndex.get(index)
    const call = open === undefined || isAnother(open, piece) ? begun(piece) : open
    if (call !== open) calls.push(call)
    byIndex.set(index, call)
    addTo(call, piece)
  }

  return {
    add(delta) {
      const pieces = valueAt(delta, 'tool_calls')
      if (Array.isArray(pieces)) pieces.forEach(addPiece)
      const called = valueAt(delta, 'function_call')
      if (!isObject(called)) return
      legacy ??= {}
      addCalled(legacy, called, TEXTS.function)
    },
    count: () => calls.length + (legacy === undefined ? 0 : 1),
    fields: () => ({
      ...(calls.length === 0
        ? {}
        : { tool_calls: calls.map(({ fields, called, kind }) => ({ ...fields, [kind]: called })) }),
      ...(legacy === undefined ? {} : { function_call: legacy }),
    }),
  }
}

/** Without an index: the call of that id, else the one that came last. */
function byId(calls: readonly Call[], piece: object): Call | undefined {
  const id = stringAt(piece, 'id')
  return id === undefined || id === '' ? calls.at(-1) : calls.find(({ fields }) => fields.id === id)
}

/** Some servers count all calls as the same one: another id with a name begins the next. */
function isAnother({ fields, kind }: Call, piece: object): boolean {
  const id = stringAt(piece, 'id')
  const named = stringAt(valueAt(piece, kind), 'name')
  return id !== undefined && id !== '' && typeof fields.id === 'string' && fields.id !== id && Boolean(named)
}

function begun(piece: object): Call {
  return { fields: {}, called: {}, kind: isObject(valueAt(piece, 'custom')) ? 'custom' : 'function' }
}

function addTo(call: Call, piece: { readonly [key: string]: unknown }): void {
  const { index: _, function: __, custom: ___, id, ...others } = piece
  // Some servers give an empty id with every piece but the first.
  const named = id === '' ? {} : { id }
  call.fields = { ...call.fields, ...present({ ...named, ...others }) }
  const added = valueAt(piece, call.kind)
  if (isObject(added)) addCalled(call.called, added, TEXTS[call.kind])
}

/** A name comes whole, and in every piece from some; arguments come in pieces, or as a value. */
function addCalled(called: Draft, added: { readonly [key: string]: unknown }, text: string): void {
  const name = stringAt(added, 'name')
  if (name !== undefined && name !== '') called.name = name
  const value = valueAt(added, text)
  if (typeof value === 'string') append(called, text, value)
  else if (value !== null && value !== undefined) called[text] = value
}
