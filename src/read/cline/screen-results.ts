import { nameAt } from './result-text.ts'
import type { ShownCall } from './screen-tools.ts'

/** A result that stands in the text of the next request. */
export interface ShownResult {
  readonly name: string
  readonly text: string
}

const MARK = '] Result:'

/** The results of calls in a request: one stands behind another, each under its heading, and notes of the tool behind them. */
export function resultsIn(request: string, calls: readonly ShownCall[]): readonly (ShownResult | undefined)[] {
  const notes = request.indexOf('<environment_details>')
  const end = notes < 0 ? request.length : notes
  const starts: ({ readonly at: number; readonly name: string } | undefined)[] = []
  let from = 0
  for (const { names } of calls) {
    const found = headingOf(request, names, from, end)
    starts.push(found)
    if (found !== undefined) from = found.at + found.name.length
  }
  return starts.map((start, index) => {
    if (start === undefined) return undefined
    const next = starts.slice(index + 1, index + 1 + LOOKED_AHEAD).find((other) => other !== undefined)
    return { name: start.name, text: request.slice(start.at, next?.at ?? end).trim() }
  })
}

/** Calls without a heading between two with one. */
const LOOKED_AHEAD = 16

/** The next line that begins with the heading of a result of one of these names. */
function headingOf(request: string, names: ReadonlySet<string>, from: number, end: number) {
  for (let at = lineFrom(request, from); at >= 0 && at < end; at = lineFrom(request, at + 1)) {
    const name = nameAt(request, at + 1)
    if (name === undefined || !names.has(name)) continue
    const mark = request.indexOf(MARK, at)
    return mark < 0 ? undefined : { at, name }
  }
  return undefined
}

/** Where a line begins with a bracket. */
function lineFrom(text: string, from: number): number {
  if (from === 0 && text.startsWith('[')) return 0
  const found = text.indexOf('\n[', Math.max(0, from - 1))
  return found < 0 ? -1 : found + 1
}
