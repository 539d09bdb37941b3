import type { WriteOptions } from '../rules/options.ts'
import type { Fold } from './fold.ts'
import { type Recording, recorder } from './recording.ts'
import type { Origin, Repaired, Setting, Writer } from './writer.ts'

/**
 * Answers where a place of a request comes from by writing its segment once more with tracing on, so that a conversion
 * keeps no map. Holds for the request it was made with, also while the thread goes on.
 */
export function originFinder<Wire extends object, Request, Options extends WriteOptions, Traits>(
  writer: Writer<Wire, Request, Options, Traits>,
  setting: Setting<Options, Traits>,
  fold: Fold<Wire, Request, Options, Traits>,
  next: Repaired | undefined,
): (path: string) => Origin | undefined {
  const wires = fold.written.wires.length
  const tail = { ...fold.tail(next), assistants: [...fold.tail().assistants], rest: [...fold.tail(next).rest] }
  const { segments, starts } = fold
  const closed = segments.length
  const traced = (index: number): { readonly recording: Recording<Wire>; readonly offset: number } => {
    const recording = recorder<Wire>(true)
    const at = index >= wires ? -1 : lastAtMost(starts, index)
    const write = writer.open(recording, setting)
    if (at < 0) write(tail, segments.slice(0, closed))
    else write(segments[at]!)
    return { recording, offset: at < 0 ? wires : starts[at]! }
  }
  return (path) => {
    if (typeof path !== 'string') return undefined
    const [list, index, ...rest] = path.split(/[.[\]]+/).filter((token) => token !== '')
    if (list !== writer.list || index === undefined || !/^\d+$/.test(index)) return undefined
    const { recording, offset } = traced(Number(index))
    return deepest(recording.wires[Number(index) - offset], rest, recording)
  }
}

function deepest<Wire>(
  wire: Wire | undefined,
  path: readonly string[],
  recording: Recording<Wire>,
): Origin | undefined {
  let found: Origin | undefined
  let value: unknown = wire
  for (const token of ['', ...path]) {
    if (token !== '')
      value =
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([key]) => key === token)?.[1]
          : undefined
    if (typeof value !== 'object' || value === null) break
    found = recording.origins?.get(value) ?? found
  }
  return found
}

/** Index of the last number that is not above the limit. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (numbers[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}
