import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message, OutputPart, ToolCallState } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import type { Line } from './hostile.ts'

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/opencode')
const present = existsSync(FOLDER)
if (!present) console.info('what opencode sends: no exports here, skipped')
const names = present ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : []

interface Stored {
  readonly info: Line
  readonly parts: readonly Line[]
}

const isSummary = ({ info }: Stored): boolean =>
  info.summary === true && Boolean(info.finish) && info.error === undefined

/** Which messages the program sends: from the last successful compaction on, with the tail that it kept behind the summary. */
function sent(all: readonly Stored[]): readonly Stored[] {
  const summarised = new Set(all.filter(isSummary).map(({ info }) => info.parentID))
  const compaction = (one: Stored) => one.parts.find(({ type }) => type === 'compaction')
  const cut = all.findLastIndex((one) => summarised.has(one.info.id) && compaction(one) !== undefined)
  if (cut < 0) return all
  const tail = all.findIndex(({ info }) => info.id === compaction(all[cut]!)?.tail_start_id)
  const summary = all.findIndex((one) => isSummary(one) && one.info.parentID === all[cut]!.info.id)
  if (tail < 0) return all.slice(cut)
  return [...all.slice(cut, summary + 1), ...all.slice(tail, cut), ...all.slice(summary + 1)]
}

/**
 * What the program makes of a message for the model that wrote it, as `role kind text`, but where it is wrong and ours is not:
 *
 * - A message that ended in an error it leaves out, with the calls that had run: a model would run them again. Ours keeps it.
 * - The output of a call that it cleared to save room still stands in the file: ours has it.
 * - The partial output of a call that was cut off it sends as a success, and calls that never ended as errors: ours says
 *   interrupted, and with what had come.
 * - Empty texts of a message with signed thoughts it sends as a blank. Ours keeps what is stored between two thoughts, whose
 *   signatures hold their places, and leaves out an empty text elsewhere.
 */
function projected({ info, parts }: Stored): readonly string[] {
  if (info.role === 'user') return parts.flatMap((part) => USER[part.type as string]?.(part, parts) ?? [])
  const told = parts.filter(
    (part, place) => part.type !== 'text' || part.text !== '' || parts[place + 1]?.type === 'reasoning',
  )
  return told.flatMap((part) => ASSISTANT[part.type as string]?.(part) ?? []).map((line) => `assistant ${line}`)
}

const USER: { readonly [type: string]: (part: Line, parts: readonly Line[]) => readonly string[] } = {
  text: ({ text, ignored }) => (ignored === true || text === '' ? [] : [`user text ${text}`]),
  file: ({ mime }) => (mime === 'text/plain' || mime === 'application/x-directory' ? [] : [`user file ${mime}`]),
  compaction: () => ['user text What did we do so far?'],
  subtask: () => ['user text The following tool was executed by the user'],
}

const ASSISTANT: { readonly [type: string]: (part: Line) => readonly string[] } = {
  text: ({ text }) => [`text ${text}`],
  reasoning: ({ text }) => [`reasoning ${text}`],
  tool: ({ callID, tool, state }) => [`call ${callID} ${tool} ${outcome(state as Line)}`],
}

function outcome(state: Line): string {
  const { status, output, error, metadata, attachments } = state
  const { interrupted, output: partial } = (metadata ?? {}) as Line
  const files = ((attachments ?? []) as Line[]).map(({ mime }) => ` + ${mime}`).join('')
  if (status === 'completed') return `completed ${output}${files}`
  if (status === 'error' && interrupted !== true) return `failed ${error}`
  return `interrupted ${typeof partial === 'string' ? partial : ''}`
}

function ours(message: Message): readonly string[] {
  return message.parts.map((part) => {
    if (part.type === 'media') return `${message.role} file ${part.mediaType}`
    if (part.type === 'tool-call') return `${message.role} call ${part.id} ${part.name} ${ourOutcome(part.state)}`
    return `${message.role} ${part.type} ${part.type === 'native' ? '' : part.text}`
  })
}

function ourOutcome(state: ToolCallState): string {
  if (state.status === 'completed') return `completed ${outputOf(state.result)}`
  if (state.status === 'failed') return `failed ${outputOf(state.error)}`
  return `${state.status} ${state.status === 'interrupted' ? outputOf(state.partial ?? '') : ''}`
}

const outputOf = (output: string | readonly OutputPart[]): string =>
  typeof output === 'string'
    ? output
    : output
        .map((part) => (part.type === 'media' ? ` + ${part.mediaType}` : part.type === 'text' ? part.text : ''))
        .join('')

describe.skipIf(!present)('what opencode itself sends', () => {
  it.each(names)('%s', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    const { messages } = JSON.parse(text) as { messages: Stored[] }
    const wanted = sent(messages).flatMap(projected)
    expect(wanted.length).toBeGreaterThan(2)
    expect(readSession(text).session.messages.flatMap(ours)).toEqual(wanted)
  })
})
