import { change } from '../model/change.ts'
import { stringAt } from '../model/json.ts'
import type { Change, Message } from '../model/session.ts'
import { type Origin, type Output, placeOf, type Repaired } from './writer.ts'

/** What was written, with what had to be reported. */
export interface Recording<Wire> extends Output<Wire> {
  readonly wires: Wire[]
  /** Indices of wires that carry cache markers. */
  readonly marked: number[]
  readonly changes: Change[]
  /** Block -> where it comes from; only when tracing. */
  readonly origins: ReadonlyMap<object, Origin> | undefined
}

export function recorder<Wire extends object>(tracing = false): Recording<Wire> {
  const wires: Wire[] = []
  const marked: number[] = []
  const changes: Change[] = []
  const origins = tracing ? new Map<object, Origin>() : undefined
  let marks = false
  const trace = (block: object, from: Repaired, position?: number, callId?: string): void => {
    if (origins !== undefined && from.index !== undefined)
      origins.set(block, originOf(from, from.index, position, callId))
  }
  return {
    wires,
    marked,
    changes,
    origins,
    trace,
    add(wire, from) {
      // What is made up carries no marker: the mark belongs to a later element.
      if (marks && from !== undefined) {
        marked.push(wires.length)
        marks = false
      }
      wires.push(wire)
      if (from !== undefined && origins?.has(wire) === false) trace(wire, from)
    },
    mark() {
      marks = true
    },
    report(code, from, position, callId, detail) {
      const at = from.index === undefined ? {} : originOf(from, from.index, position, callId)
      changes.push(change(code, at, detail))
    },
  }
}

function originOf(from: Repaired, message: number, position: number | undefined, callId: string | undefined): Origin {
  const at: { message: number; part?: number; callId?: string } = { message }
  if (position !== undefined) at.part = placeOf(from, position)
  if (callId !== undefined) at.callId = storedId(from.stored ?? from.message, at.part) ?? callId
  return at
}

/** The id under which a call is stored, whatever it was renamed to. */
export function storedId(message: Message, part: number | undefined): string | undefined {
  const found = part === undefined ? undefined : message.parts[part]
  return found?.type === 'tool-call' ? stringAt(found, 'id') : undefined
}
