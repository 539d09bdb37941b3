import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, MediaPart, OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { others, slot } from '../slots.ts'
import { type Part, partsOf, readPart } from './parts.ts'

/** What a `functionResponse` says, with the media that belong to it. */
export function outcomeOf(response: Part, media: readonly MediaPart[] = []): ToolCallState {
  const stored = valueAt(response, 'response')
  const all = [...media, ...mediaIn(valueAt(response, 'parts'))]
  const error = valueAt(stored, 'error')
  const kept = slot('gemini', keptOf(response, stored))
  if (error === undefined || error === null || error === '')
    return { status: 'completed', result: withMedia(outputOf(stored), all), ...kept }
  return { status: 'failed', error: withMedia(errorOf(stored, error), all), ...deniedBy(error), ...kept }
}

/** The same outcome as a failure, where something beside the response says that it is one. */
export function failed(state: ToolCallState): ToolCallState {
  if (state.status !== 'completed') return state
  const { result, extra } = state
  return { status: 'failed', error: result, ...(extra === undefined ? {} : { extra }) }
}

const READ = new Set(['id', 'name', 'response', 'parts'])

/** The response itself is kept where its output alone does not tell its form. */
function keptOf(response: Part, stored: unknown): JsonObject | undefined {
  const rest = others(response, READ)
  const isPlain =
    !isObject(stored) || onlyText(stored, 'output') !== undefined || onlyText(stored, 'error') !== undefined
  return isPlain ? rest : { ...rest, response: stored as Json }
}

function onlyText(stored: Part, key: string): string | undefined {
  const text = stringAt(stored, key)
  return text !== undefined && Object.keys(stored).every((other) => other === key || stored[other] === null)
    ? text
    : undefined
}

/** Tools name their text in several ways; what is more than one text stays JSON. */
function outputOf(stored: unknown): ToolOutput {
  if (typeof stored === 'string') return stored
  if (stored === undefined || stored === null) return ''
  if (!isObject(stored)) return [{ type: 'json', value: stored as Json }]
  const text = TEXT_KEYS.map((key) => onlyText(stored, key)).find((found) => found !== undefined)
  if (text !== undefined) return text
  const keys = Object.keys(stored)
  if (keys.length === 0) return ''
  return [{ type: 'json', value: (keys.length === 1 && keys[0] === 'output' ? stored.output : stored) as Json }]
}

const TEXT_KEYS = ['output', 'content', 'result'] as const

function errorOf(stored: unknown, error: unknown): ToolOutput {
  if (typeof error === 'string' && isObject(stored) && onlyText(stored, 'error') !== undefined) return error
  return [{ type: 'json', value: stored as Json }]
}

/** What Gemini CLI answers when the user does not let a call run. */
function deniedBy(error: unknown): { readonly denied?: true } {
  return typeof error === 'string' && error.includes('User did not allow') ? { denied: true } : {}
}

function withMedia(output: ToolOutput, media: readonly MediaPart[]): ToolOutput {
  if (media.length === 0) return output
  const told: readonly OutputPart[] =
    typeof output !== 'string' ? output : output === '' ? [] : [{ type: 'text', text: output }]
  return [...told, ...media]
}

function mediaIn(parts: unknown): MediaPart[] {
  return partsOf(parts).flatMap((part) => {
    const read = readPart(part)
    return typeof read === 'object' && 'said' in read && read.said.type === 'media' ? [read.said] : []
  })
}
