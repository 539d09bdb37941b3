import { type ChangeCode, type ChangeDetail, change } from '../../model/change.ts'
import { type Fields, stringAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import type { ReadOptions } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { kindOf, textsOf } from './fragments.ts'
import { type Compaction, isMessage, type Logged, type LoggedItem, type TurnNote } from './log.ts'

/** An item that goes to the model, or a note on the turn before it. */
export type Replayed = LoggedItem | TurnNote

export interface History {
  readonly replayed: readonly Replayed[]
  readonly changes: readonly Change[]
}

/** What Codex would send after all compactions, or without those that `history` asks to undo. */
export function historyOf(log: readonly Logged[], mode: ReadOptions['history']): History {
  let replayed: Replayed[] = []
  let applied: Compaction | undefined
  const changes: Change[] = []
  for (const logged of log) {
    if (logged.kind !== 'compaction') replayed.push(logged)
    else if (isUndone(logged, mode) && replayed.some(isAnswer))
      changes.push(told(logged, 'message-left-out', STANDS_FOR))
    else {
      applied = logged
      replayed = compacted(logged, replayed)
    }
  }
  if (applied !== undefined) changes.push(told(applied, 'compaction-applied'))
  return { replayed, changes }
}

const STANDS_FOR: ChangeDetail = { message: SUMMARY_LEFT_OUT }

function told({ line }: Compaction, code: ChangeCode, detail?: ChangeDetail): Change {
  return change(code, line === undefined ? {} : { line }, detail)
}

function isUndone({ replacement }: Compaction, mode: ReadOptions['history']): boolean {
  return mode === 'full' || (mode === 'portable' && replacement?.some(isOpaque) === true)
}

/** Only the API that wrote it can read it. */
function isOpaque(item: unknown): boolean {
  const type = stringAt(item, 'type')
  return type !== undefined && COMPACTIONS.has(type) && stringAt(item, 'encrypted_content') !== undefined
}

export const COMPACTIONS: ReadonlySet<string> = new Set(['compaction', 'compaction_summary', 'context_compaction'])

/** What the model said or did; without it there is nothing that a summary stands for. */
function isAnswer(replayed: Replayed): boolean {
  if (replayed.kind !== 'item') return false
  return isMessage(replayed.item) ? replayed.item.role === 'assistant' : true
}

function compacted(point: Compaction, before: readonly Replayed[]): Replayed[] {
  const { line, model } = point
  const logged = (item: Fields): LoggedItem => ({ kind: 'item', item, line, model })
  const { replacement } = point
  if (replacement !== undefined) return replacement.map(logged)
  const summary = point.summary === '' ? '(no summary available)' : point.summary
  return [...keptPrompts(before), { ...logged(userText(summary)), summary: true }]
}

/** What a compaction of the first kind keeps beside its summary. */
const KEPT_TOKENS = 20_000
/** Codex estimates, and so must we. */
const BYTES_PER_TOKEN = 4

/** The newest prompts, the oldest of them cut in the middle where they go over the limit. */
function keptPrompts(before: readonly Replayed[]): LoggedItem[] {
  const kept: LoggedItem[] = []
  let left = KEPT_TOKENS
  for (let index = before.length - 1; index >= 0 && left > 0; index--) {
    const replayed = before[index]!
    if (replayed.kind !== 'item' || !isPrompt(replayed)) continue
    const text = textsOf(replayed.item).join('\n')
    const tokens = tokensOf(text)
    kept.push(tokens <= left ? replayed : shortened(replayed, cutInMiddle(text, left)))
    left -= tokens
  }
  return kept.reverse()
}

function shortened({ line, at, model }: LoggedItem, text: string): LoggedItem {
  return { kind: 'item', item: userText(text), line, at, model }
}

function isPrompt({ item, summary }: LoggedItem): boolean {
  return summary !== true && isMessage(item) && item.role === 'user' && kindOf(item) === undefined
}

const tokensOf = (text: string): number => Math.ceil(text.length / BYTES_PER_TOKEN)

function cutInMiddle(text: string, tokens: number): string {
  const half = Math.floor((tokens * BYTES_PER_TOKEN) / 2)
  return `${text.slice(0, half)}…${tokensOf(text) - tokens} tokens truncated…${text.slice(text.length - half)}`
}

const userText = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
