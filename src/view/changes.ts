import type { Change, Severity } from '../model/session.ts'
import { count, tally } from './count.ts'
import { escapeText, glimpse } from './escape.ts'

const PREVIEW = 72

/** The worst first. */
const NAMES: { readonly [S in Severity]: readonly [singular: string, plural: string] } = {
  loss: ['loss', 'losses'],
  repair: ['repair', 'repairs'],
  info: ['note', 'notes'],
}

const SEVERITIES = Object.keys(NAMES) as Severity[]

/** Such as `1 loss (reasoning-left-out), 2 repairs (call-closed)`; undefined when nothing was changed. */
export function changesSummary(changes: readonly Change[]): string | undefined {
  if (changes.length === 0) return undefined
  const groups = SEVERITIES.flatMap((severity) => {
    const found = changes.filter((change) => change.severity === severity)
    if (found.length === 0) return []
    const codes = [...tally(found.map((change) => change.code)).keys()]
    return [`${count(found.length, ...NAMES[severity])} (${codes.join(', ')})`]
  })
  return groups.join(', ')
}

/** One line for each change: severity, code, place, what happened, and the previews. */
export function changeLine(change: Change): string {
  const place = placeOf(change)
  return [
    change.severity.padEnd(6),
    change.code.padEnd(22),
    escapeText(change.message),
    ...(place === '' ? [] : [`(${place})`]),
    ...quoted(change),
  ].join(' ')
}

/** The same code and words once, with the places. */
export function groupedChangeLines(changes: readonly Change[]): string[] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const key = `${change.code} ${change.message}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [change])
    else group.push(change)
  }
  return [...groups.values()].map((group) => (group.length === 1 ? changeLine(group[0]!) : groupLine(group)))
}

const SHOWN_PLACES = 4

function groupLine(group: readonly Change[]): string {
  const [first] = group as [Change]
  const places = group
    .slice(0, SHOWN_PLACES)
    .map(placeOf)
    .filter((place) => place !== '')
  const more = group.length > SHOWN_PLACES ? '; ...' : ''
  const where = places.length === 0 ? '' : ` (${places.join('; ')}${more})`
  return `${first.severity.padEnd(6)} ${first.code.padEnd(22)} ${group.length} times: ${escapeText(first.message)}${where}`
}

function placeOf({ at }: Change): string {
  return [
    ...(at.line === undefined ? [] : [`line ${at.line}`]),
    ...(at.message === undefined ? [] : [`message ${at.message}`]),
    ...(at.part === undefined ? [] : [`part ${at.part}`]),
    ...(at.callId === undefined ? [] : [`call ${glimpse(at.callId, 40)}`]),
  ].join(', ')
}

function quoted({ before, after }: Change): string[] {
  if (before === undefined && after === undefined) return []
  if (before === undefined) return [`now "${glimpse(after!, PREVIEW)}"`]
  return [`was "${glimpse(before, PREVIEW)}"${after === undefined ? '' : `, now "${glimpse(after, PREVIEW)}"`}`]
}
