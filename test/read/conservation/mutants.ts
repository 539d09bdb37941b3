import { random } from '../hostile.ts'

/** A text that nothing else in a source holds. */
export const TOKEN: RegExp = /t-\d+[a-z]*;/g

export const tokensIn = (text: string): readonly string[] => [...new Set(text.match(TOKEN) ?? [])]

/** The same value with other tokens: what says something else under the same ids. */
export function reworded<V>(value: V, mark: string): V {
  return JSON.parse(JSON.stringify(value).replaceAll(TOKEN, (token) => `${token.slice(0, -1)}${mark};`))
}

export interface Mutant {
  readonly name: string
  readonly value: unknown
}

type Holder = Record<string, unknown>

/** A place in a value: what holds it, and under which key. */
interface Place {
  readonly holder: Holder | unknown[]
  readonly key: string
  readonly path: string
}

type Change = (copy: Place, other: Place) => void

/** What is done at each place of a value; `other` is another place of it. */
interface Mutation {
  readonly name: string
  fits(place: Place): boolean
  /** Where the other place is sought; absent: there is none. */
  other?(place: Place, other: Place): boolean
  readonly change: Change
}

const KIND = /^(type|role|kind|record|subtype|status|state|say|ask|tool_name|toolName|name|record_type|part_kind)$/
const ID = /(^|_)id$|Id$|Uuid$|^uuid$|^parent|Parent$|ID$|^leaf|^call_id$/

const at = ({ holder, key }: Place): unknown => (holder as Holder)[key]
const put = ({ holder, key }: Place, value: unknown): void => {
  ;(holder as Holder)[key] = value
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isRecord = (place: Place): boolean => Array.isArray(place.holder) && isObject(at(place))
const isText = (place: Place): boolean => typeof at(place) === 'string'
const isNamed = (pattern: RegExp) => (place: Place) => !Array.isArray(place.holder) && pattern.test(place.key)
const isId = (place: Place): boolean => isNamed(ID)(place) && !isObject(at(place))
const isKind = (place: Place): boolean => isNamed(KIND)(place) && isText(place)
const isField = ({ holder }: Place): boolean => !Array.isArray(holder)
const listOf = ({ holder }: Place): unknown[] => holder as unknown[]
const copyOf = <V>(value: V): V => structuredClone(value)

function renamed({ holder, key }: Place, name: string): void {
  const fields = Object.entries(holder).map(([old, value]) => [old === key ? name : old, value])
  for (const old of Object.keys(holder)) delete (holder as Holder)[old]
  Object.assign(holder, Object.fromEntries(fields))
}

const set = (name: string, value: unknown, fits: Mutation['fits'] = () => true): Mutation => ({
  name,
  fits,
  change: (place) => put(place, copyOf(value)),
})

/** One at each place. */
const MUTATIONS: readonly Mutation[] = [
  {
    name: 'swap',
    fits: isRecord,
    other: (place, other) => other.holder === place.holder && other.key !== place.key,
    change: (place, other) => {
      const held = at(place)
      put(place, at(other))
      put(other, held)
    },
  },
  {
    name: 'repeat behind',
    fits: isRecord,
    change: (place) => listOf(place).splice(Number(place.key) + 1, 0, copyOf(at(place))),
  },
  { name: 'repeat at the end', fits: isRecord, change: (place) => listOf(place).push(copyOf(at(place))) },
  {
    name: 'repeat with other content',
    fits: isRecord,
    change: (place) => listOf(place).splice(Number(place.key) + 1, 0, reworded(at(place), 'x')),
  },
  {
    name: 'repeat with other content at the end',
    fits: isRecord,
    change: (place) => listOf(place).push(reworded(at(place), 'x')),
  },
  {
    name: 'repeat with other content before',
    fits: isRecord,
    change: (place) => listOf(place).splice(Number(place.key), 0, reworded(at(place), 'x')),
  },
  { name: 'drop', fits: isRecord, change: (place) => listOf(place).splice(Number(place.key), 1) },
  {
    name: 'move to another list',
    fits: isRecord,
    other: (place, other) => Array.isArray(other.holder) && other.holder !== place.holder && !isInside(place, other),
    change: (place, other) => listOf(other).push(...listOf(place).splice(Number(place.key), 1)),
  },
  {
    name: 'another kind',
    fits: isKind,
    other: (place, other) => isKind(other) && other.key === place.key && at(other) !== at(place),
    change: (place, other) => put(place, at(other)),
  },
  set('unknown kind', 'unheard_of', isKind),
  {
    name: 'another id',
    fits: isId,
    other: (place, other) => isId(other) && at(other) !== at(place),
    change: (place, other) => put(place, at(other)),
  },
  set('absent id', 'nowhere', isId),
  set('empty id', '', isId),
  set('no id', null, isId),
  {
    name: 'own id',
    fits: (place) => isId(place) && 'parent' === place.key.slice(0, 6),
    change: (place) => {
      const { id, uuid } = place.holder as Holder
      put(place, id ?? uuid)
    },
  },
  { name: 'rename', fits: isField, change: (place) => renamed(place, `${place.key}X`) },
  { name: 'left out', fits: isField, change: ({ holder, key }) => delete (holder as Holder)[key] },
  { name: 'in a list', fits: () => true, change: (place) => put(place, [at(place)]) },
  { name: 'in an object', fits: () => true, change: (place) => put(place, { value: at(place) }) },
  {
    name: 'list to text',
    fits: (place) => isObject(at(place)),
    change: (place) => put(place, JSON.stringify(at(place))),
  },
  {
    name: 'text to blocks',
    fits: (place) => isText(place) && !isKind(place) && !isId(place),
    change: (place) => put(place, [{ type: 'text', text: at(place) }]),
  },
  {
    name: 'number for text',
    fits: (place) => isText(place),
    change: (place) => put(place, 7),
  },
  {
    name: 'merge lists',
    fits: isRecord,
    other: (place, other) =>
      other.holder === place.holder && Number(other.key) === Number(place.key) + 1 && shareList(at(place), at(other)),
    change: (place, other) => merge(at(place) as Holder, listOf(place).splice(Number(other.key), 1)[0]),
  },
  set('null', null),
  set('true', true),
  set('empty list', []),
  set('empty object', {}),
  set('empty text', ''),
]

/** What a record is, wherever it says so. */
function kindOf(value: unknown): string {
  const at = (from: unknown, key: string): unknown => (isObject(from) ? (from as Holder)[key] : undefined)
  const message = at(value, 'message') ?? at(at(at(value, 'entry'), 'kind'), 'message')
  const kinds = [at(value, 'type'), at(value, 'role'), at(at(at(value, 'entry'), 'kind'), 'kind')]
  return JSON.stringify([...kinds, at(message, 'role'), at(message, 'kind'), at(at(value, 'info'), 'role')])
}

/** Blocks of a message are not merged, messages are. */
function shareList(one: unknown, other: unknown): boolean {
  const lists = (value: unknown): string[] =>
    isObject(value) ? Object.keys(value).filter((key) => isObject((value as Holder)[key])) : []
  return kindOf(one) === kindOf(other) && lists(one).some((key) => lists(other).includes(key))
}

/** Lists of one become those of both. */
function merge(into: Holder, from: unknown): void {
  if (!isObject(from)) return
  for (const [key, value] of Object.entries(from)) {
    const old = into[key]
    if (Array.isArray(old) && Array.isArray(value)) into[key] = [...old, ...value]
    else if (isObject(old) && isObject(value) && !Array.isArray(old)) merge(old as Holder, value)
    else if (!(key in into)) into[key] = value
    else if (tokensIn(JSON.stringify(value) ?? '').length > 0) into[key] = [old, value]
  }
}

const isInside = (place: Place, other: Place): boolean => other.path.startsWith(`${place.path}.`)

function placesOf(value: unknown): readonly Place[] {
  const found: Place[] = []
  const walk = (holder: Holder | unknown[], path: string): void => {
    for (const [key, inner] of Object.entries(holder)) {
      const place = { holder, key, path: `${path}.${key}` }
      found.push(place)
      if (isObject(inner)) walk(inner as Holder, place.path)
    }
  }
  if (isObject(value)) walk(value as Holder, '')
  return found
}

/** How many there are: each mutation at each place. */
function* steps(value: unknown): Generator<{ readonly mutation: Mutation; readonly index: number }> {
  const places = placesOf(value)
  for (const mutation of MUTATIONS)
    for (const [index, place] of places.entries()) if (mutation.fits(place)) yield { mutation, index }
}

function applied(value: unknown, { mutation, index }: Step, below: (limit: number) => number): Mutant | undefined {
  const copy = copyOf(value)
  const places = placesOf(copy)
  const place = places[index]
  if (place === undefined || !mutation.fits(place)) return undefined
  const others = mutation.other === undefined ? [place] : places.filter((other) => mutation.other!(place, other))
  const other = others[below(others.length)]
  if (other === undefined) return undefined
  const beside = mutation.other === undefined ? '' : ` with ${other.path}`
  mutation.change(place, other)
  return { name: `${mutation.name} ${place.path}${beside}`, value: copy }
}

type Step = { readonly mutation: Mutation; readonly index: number }

/** Each mutation at each place, `share` of them; then so many with two at once. */
export function* mutantsOf(value: unknown, seed: number, wanted: number, pairs: number): Generator<Mutant> {
  const below = random(seed)
  const all = [...steps(value)]
  const every = Math.max(1, Math.floor(all.length / wanted))
  for (let index = below(every); index < all.length; index += every) {
    const mutant = applied(value, all[index]!, below)
    if (mutant !== undefined) yield mutant
  }
  for (let run = 0; run < pairs; run++) {
    const first = applied(value, all[below(all.length)]!, below)
    if (first === undefined) continue
    const second = [...steps(first.value)]
    const both = second.length === 0 ? undefined : applied(first.value, second[below(second.length)]!, below)
    if (both !== undefined) yield { name: `${first.name}; ${both.name}`, value: both.value }
  }
}
