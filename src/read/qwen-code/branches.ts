import { valueAt } from '../../model/json.ts'
import { branchesOf, type LeftOut } from '../branches.ts'
import { textIn } from '../gemini/parts.ts'
import type { Node } from './records.ts'

/** The branches that a conversation leaves out. */
export function otherBranches(nodes: readonly Node[], chain: readonly Node[]): readonly LeftOut<Node>[] {
  const taken = new Uint8Array(nodes.length)
  for (const node of chain) taken[node.index] = 1
  const followed = new Uint8Array(nodes.length)
  for (const { up } of nodes) if (up !== undefined) followed[up.index] = 1
  return branchesOf({
    leaves: nodes.filter(({ index }) => followed[index] === 0),
    nodes,
    before: ({ up }) => up,
    isTaken: ({ index }) => taken[index] === 1,
    idOf: ({ uuid }) => uuid,
    messageOf: (node) => (node.type === 'user' || node.type === 'assistant' ? node : undefined),
    isResult: ({ type }) => type === 'tool_result',
    textOf: ({ head }) => textIn(valueAt(head.message, 'parts')),
  })
}
