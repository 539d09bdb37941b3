import type { RepairResult, SentRequest } from '../files/index.ts'
import { isObject, valueAt } from '../model/json.ts'
import { count } from './count.ts'
import { escapeJson, escapeText, glimpse } from './escape.ts'

/** What a repair did, or would do, and the request before and after. */
export function repairLines(name: string, result: RepairResult): string[] {
  const { format, closed, leftToTool, appended, replaced, before, after, written } = result
  const head = `${escapeText(name)}: ${format}, ${count(closed.length, 'open call')}`
  return [
    closed.length === 0 && replaced.length === 0 && appended.length === 0 ? `${head}, nothing to repair` : head,
    ...closed.map(
      (call) => `  ${callName(call)}  ${call.dispatched === false ? 'was not started' : 'outcome unknown'}`,
    ),
    ...leftToTool.map((call) => `  ${callName(call)}  left to the tool, which closes it when it loads the file`),
    ...section(written ? 'Appended:' : 'To be appended:', appended.map(escapeJson)),
    ...section(written ? 'Replaced:' : 'To be replaced:', replaced.map(replacedLine)),
    ...(before === undefined || after === undefined ? [] : requestLines(before, after)),
  ]
}

const callName = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  `${glimpse(name, 40)} [${glimpse(id, 60)}]`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

function replacedLine({ place, before, after }: RepairResult['replaced'][number]): string {
  const was = before === undefined ? '' : ` was ${glimpse(before, 60)}`
  const now = after === undefined ? ' gone' : ` now ${glimpse(after, 60)}`
  return `${escapeText(place)}:${was}${before === undefined ? '' : ','}${now}`
}

/** Of two long requests the place where they part is what matters. */
const SHOWN = 4
const WIDTH = 110

function requestLines(before: SentRequest, after: SentRequest): string[] {
  const [old, then] = [listOf(before.request), listOf(after.request)]
  let same = 0
  while (same < old.length && JSON.stringify(old[same]) === JSON.stringify(then[same])) same++
  const start = Math.max(0, same - 1)
  return [
    ...section(`Request before: ${verdict(before)}`, shown(old, start)),
    ...section(`Request after: ${verdict(after)}`, shown(then, start)),
  ]
}

function verdict({ api, model, violations: [first] }: SentRequest): string {
  const who = `${api}, ${glimpse(model, 40)}`
  if (first === undefined) return `${who} takes it`
  const { status, type, message, rule } = first
  return `${who} refuses it: ${status} ${escapeText(type)}: ${escapeText(message)} (${rule})`
}

function listOf(request: object): readonly unknown[] {
  const list = valueAt(request, 'messages') ?? valueAt(request, 'input')
  return Array.isArray(list) ? list : []
}

function shown(list: readonly unknown[], start: number): string[] {
  const lines = list
    .slice(start, start + SHOWN)
    .map((item, index) => `${String(start + index).padStart(4)} ${glimpse(isObject(item) ? printed(item) : '', WIDTH)}`)
  const more = list.length - start - lines.length
  return [
    ...(start > 0 ? [`     ... ${start} before, the same in both`] : []),
    ...lines,
    ...(more > 0 ? [`     ... ${more} behind`] : []),
  ]
}

const printed = (item: object): string => JSON.stringify(item) ?? ''
