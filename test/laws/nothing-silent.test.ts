import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change, ChangeCode, Session } from '../../src/model/session.ts'
import { APIS, write } from './apis.ts'
import { sessions } from './arbitrary/session.ts'
import type { Leaf, LeafKind } from './arbitrary/stamp.ts'
import { count, forAll, printCounts } from './runs.ts'

printCounts('nothing silent')

const HOSTED: readonly ChangeCode[] = ['provider-call-left-out', 'provider-call-as-text']

/** Which changes may say that a leaf is gone. A text, an argument or an instruction is never gone. */
const EXPLAINS: { readonly [K in LeafKind]: readonly ChangeCode[] } = {
  text: [],
  args: [],
  instruction: ['instructions-replaced'],
  definition: ['native-left-out', 'extra-left-out'],
  reason: [],
  output: [],
  reasoning: ['reasoning-left-out'],
  media: ['media-left-out'],
  native: ['native-left-out', 'native-as-text'],
  'native-text': ['native-left-out'],
  slot: [
    ...HOSTED,
    'item-id-left-out',
    'reasoning-as-text',
    'reasoning-left-out',
    'native-left-out',
    'native-as-text',
    'extra-left-out',
    'cache-marker-left-out',
    'message-empty',
    'text-empty',
    'media-left-out',
  ],
}

/** Whether a change names the place of the leaf, and can have taken the leaf away. */
function explains(change: Change, leaf: Leaf): boolean {
  const codes: readonly string[] = leaf.hosted === true ? [...EXPLAINS[leaf.kind], ...HOSTED] : EXPLAINS[leaf.kind]
  if (!codes.includes(change.code)) return false
  if (change.at.message !== leaf.message) return false
  // What belongs to the message itself has no part; of a message that is gone as a whole all parts are gone.
  return change.at.part === leaf.part || change.code === 'message-empty' || leaf.part === undefined
}

/** What the API is told of this leaf: its own slots and blocks, and what every API is told. */
function concerns(leaf: Leaf, api: string, raw: boolean): boolean {
  if (leaf.kind === 'slot') return leaf.api === api
  if (leaf.kind === 'native') return leaf.api === api
  // A native part speaks to its own API by its value, to the others by its text.
  if (leaf.kind === 'native-text') return leaf.api !== api
  // The raw blocks of a call tell what its entry tells.
  return !(raw && (leaf.kind === 'args' || leaf.kind === 'output' || leaf.kind === 'reason'))
}

const placeOf = (leaf: Leaf): string => `${leaf.message}.${leaf.part}`

/**
 * Calls of the API's own tools that the client runs are told by their raw items, or, where those cannot stand, as plain
 * calls by what the entry says.
 */
function toldPlainly(leaf: Leaf, leaves: readonly Leaf[], told: string): boolean {
  if (leaf.kind !== 'slot' || leaf.hosted === true || leaf.part === undefined) return false
  const args = leaves.filter((other) => other.kind === 'args' && placeOf(other) === placeOf(leaf))
  return args.length > 0 && args.every((other) => told.includes(other.token))
}

/** Law 3. What a session holds is in the request, or a change says that it is not. */
describe.each(APIS)('$id', (api) => {
  test('writes every leaf or names it', () => {
    forAll(api.id, fc.tuple(sessions(), api.target), ([{ session, leaves }, target]) => {
      const { request, changes } = write(api, session, target.options)
      const told = JSON.stringify(request)
      const raw = new Set(leaves.filter((leaf) => leaf.kind === 'slot' && leaf.api === api.id).map(placeOf))
      for (const leaf of leaves) {
        if (!concerns(leaf, api.id, raw.has(placeOf(leaf)))) continue
        count(`${api.id} leaves`)
        if (told.includes(leaf.token) || toldPlainly(leaf, leaves, told)) continue
        count(`${api.id} explained`)
        expect({ leaf, named: changes.some((change) => explains(change, leaf)) }).toEqual({ leaf, named: true })
      }
    })
  })

  test('shows no API the slots and blocks of another', () => {
    forAll(`${api.id} foreign`, fc.tuple(sessions(), api.target), ([{ session, leaves }, target]) => {
      const told = JSON.stringify(write(api, session, target.options).request)
      for (const leaf of leaves) {
        if ((leaf.kind !== 'slot' && leaf.kind !== 'native') || leaf.api === api.id) continue
        count(`${api.id} foreign leaves`)
        expect(told).not.toContain(leaf.token)
      }
    })
  })
})

test('names reasoning whose only follower, a call that the API never finished, could not stay', () => {
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const session: Session = {
    version: 1,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'c2ln' } } },
          {
            type: 'tool-call',
            id: 'srvtoolu_1',
            name: 'web_search',
            args: {},
            executor: 'provider',
            state: { status: 'pending' },
            extra: { anthropic: { use } },
          },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'y' }] },
    ],
  }
  const { request, changes } = write(APIS[0]!, session, { model: 'claude-sonnet-4' })
  expect(JSON.stringify(request)).not.toContain('hm')
  expect(changes.map(({ code, at }) => [code, at.message, at.part])).toContainEqual(['reasoning-left-out', 1, 0])
})
