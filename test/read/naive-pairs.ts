import type { OpenCall } from '../../src/read/assemble.ts'

export type Step =
  | { readonly kind: 'user' }
  | { readonly kind: 'instruction' }
  | { readonly kind: 'assistant'; readonly join: boolean; readonly calls: readonly OpenCall[] }
  | ResultStep

interface ResultStep {
  readonly kind: 'result'
  readonly callId: string
  readonly name: string | undefined
  readonly synthetic: boolean
  readonly value: string
}

interface Known {
  readonly id: string
  readonly name: string
  readonly turn: number
  outcome: string
  stage: 'open' | 'closed' | 'settled'
  closed: number
}

/** Another way to the same pairs: every result looks at every call before it. Gives `id=outcome` of each call. */
export function naivePairs(steps: readonly Step[]): string[] {
  const calls: Known[] = []
  let waiting: ResultStep[] = []
  let turn = 0
  const flush = () => {
    for (const result of waiting) take(ofNoId(calls, result), result)
    waiting = []
  }
  for (const step of steps) {
    if (step.kind !== 'result') flush()
    if (step.kind === 'user') turn++
    else if (step.kind === 'assistant') calls.push(...step.calls.map((call) => known(call, turn)))
    else if (step.kind === 'result' && step.callId === '') waiting.push(step)
    else if (step.kind === 'result') {
      const sameId = calls.filter((call) => call.id === step.callId)
      take(nearest(sameId, step), step)
    }
  }
  flush()
  return calls.map((call) => `${call.id}=${call.outcome}`)
}

const known = ({ id, name }: OpenCall, turn: number): Known => ({
  id,
  name,
  turn,
  outcome: 'interrupted',
  stage: 'open',
  closed: 0,
})

function ofNoId(calls: readonly Known[], result: ResultStep): Known | undefined {
  const lists = [
    calls.filter((call) => call.id === '' && call.name === result.name),
    calls.filter((call) => call.name === result.name),
    calls.filter((call) => call.id === ''),
    result.name === undefined ? calls : [],
  ]
  return lists.map((list) => nearest(list, result)).find((call) => call !== undefined)
}

function nearest(calls: readonly Known[], result: ResultStep): Known | undefined {
  const takers = calls.filter((call) => call.stage === 'open' || (!result.synthetic && call.stage === 'closed'))
  const turn = Math.max(...takers.map((call) => call.turn))
  const ofTurn = takers.filter((call) => call.turn === turn)
  return ofTurn.find((call) => call.stage === 'open') ?? ofTurn.toSorted((a, b) => a.closed - b.closed)[0]
}

let clock = 0
function take(call: Known | undefined, result: ResultStep): void {
  if (call === undefined) return
  call.outcome = result.value
  call.stage = result.synthetic ? 'closed' : 'settled'
  call.closed = clock++
}
