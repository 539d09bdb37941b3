import { change } from '../model/change.ts'
import { fitsMessage, fitsPart, refuseOtherStates } from '../model/fits.ts'
import { isObject } from '../model/json.ts'
import type {
  Change,
  ChangePlace,
  MediaPart,
  Message,
  OutputPart,
  Part,
  Session,
  ToolCallEntry,
  ToolCallState,
  ToolOutput,
} from '../model/session.ts'
import { refuseOthers } from '../model/session-like.ts'

/** Each may answer undefined: then what is stored stays. */
export interface ResolveHooks {
  call?(call: ToolCallEntry): Promise<ToolCallState | undefined>
  media?(media: MediaPart): Promise<MediaPart | undefined>
}

/**
 * Asks for late results and media before a conversion, since a store may know what the transcript does not. `call` is
 * asked for interrupted and pending calls that the client runs, `media` for each media part, those in tool outputs
 * included. The parts of one message are asked for at once, messages one after the other. What does not change is shared.
 * @throws what a hook throws.
 * @throws {ReadError} when the value is no session.
 * @throws {TypeError} when a hook gives anything else than it should.
 */
export async function resolveSession(
  session: Session,
  hooks: ResolveHooks,
): Promise<{ readonly session: Session; readonly changes: readonly Change[] }> {
  refuseOthers(session)
  if (!isObject(hooks)) throw new TypeError('The hooks must be an object of functions.')
  const changes: Change[] = []
  const messages: Message[] = []
  for (const [index, message] of session.messages.entries()) {
    messages.push(await resolvedMessage(message, index, hooks, changes))
  }
  const same = messages.every((message, index) => message === session.messages[index])
  return { session: same ? session : { ...session, messages }, changes }
}

async function resolvedMessage(
  message: Message,
  index: number,
  hooks: ResolveHooks,
  changes: Change[],
): Promise<Message> {
  if (!fitsMessage(message)) return message
  const told: Change[][] = message.parts.map(() => [])
  const parts = await mapped<Part>(message.parts, (part, place) =>
    resolvedPart(part, { message: index, part: place }, hooks, told[place] ?? []),
  )
  for (const ofPart of told) changes.push(...ofPart)
  return parts === message.parts ? message : ({ ...message, parts } as Message)
}

async function resolvedPart(part: Part, at: ChangePlace, hooks: ResolveHooks, told: Change[]): Promise<Part> {
  // What does not fit the model is left to whoever writes it.
  if (!fitsPart(part, 'assistant')) return part
  if (part.type === 'media') return resolvedMedia(part, at, hooks, told)
  if (part.type !== 'tool-call') return part
  const place = part.id === '' ? at : { ...at, callId: part.id }
  const known = await resolvedState(part, place, hooks, told)
  const state = await withMedia(known, (media) => resolvedMedia(media, place, hooks, told))
  return state === part.state ? part : { ...part, state }
}

async function resolvedState(
  call: ToolCallEntry,
  at: ChangePlace,
  hooks: ResolveHooks,
  told: Change[],
): Promise<ToolCallState> {
  const { status } = call.state
  if (call.executor === 'provider' || (status !== 'interrupted' && status !== 'pending')) return call.state
  const found = await hooks.call?.(call)
  if (found === undefined || found === call.state) return call.state
  refuseOtherStates(found)
  told.push(change('result-resolved', at, { before: status, after: found }))
  return found
}

async function resolvedMedia(
  media: MediaPart,
  at: ChangePlace,
  hooks: ResolveHooks,
  told: Change[],
): Promise<MediaPart> {
  const found = await hooks.media?.(media)
  if (found === undefined || found === media) return media
  if (!fitsPart(found, 'user') || found.type !== 'media')
    throw new TypeError('The media hook must give a media part, or undefined.')
  told.push(change('media-resolved', at, { before: sourceText(media), after: sourceText(found) }))
  return found
}

/** The state with its media asked for, in whichever field its output stands. */
async function withMedia(
  state: ToolCallState,
  resolved: (media: MediaPart) => Promise<MediaPart>,
): Promise<ToolCallState> {
  const output = (value: ToolOutput): Promise<ToolOutput> => outputWithMedia(value, resolved)
  if (state.status === 'completed') {
    const result = await output(state.result)
    return result === state.result ? state : { ...state, result }
  }
  if (state.status === 'failed') {
    const error = await output(state.error)
    return error === state.error ? state : { ...state, error }
  }
  if (state.status === 'pending' || state.partial === undefined) return state
  const partial = await output(state.partial)
  return partial === state.partial ? state : { ...state, partial }
}

/** One after the other, so that changes are told in the order of the parts. */
async function outputWithMedia(
  output: ToolOutput,
  resolved: (media: MediaPart) => Promise<MediaPart>,
): Promise<ToolOutput> {
  if (typeof output === 'string' || !output.some((part) => part.type === 'media')) return output
  const found: OutputPart[] = []
  for (const part of output) found.push(part.type === 'media' ? await resolved(part) : part)
  return found.every((part, index) => part === output[index]) ? output : found
}

/** Where media comes from, without its bytes. */
function sourceText({ source, mediaType }: MediaPart): string {
  if ('url' in source) return source.url
  if ('fileId' in source) return `${source.api} file ${source.fileId}`
  return 'base64' in source ? `${mediaType}, ${source.base64.length} characters of base64` : source.text
}

/** The list itself when nothing in it changed. */
async function mapped<T>(list: readonly T[], each: (item: T, index: number) => Promise<T>): Promise<readonly T[]> {
  const found = await Promise.all(list.map(each))
  return found.every((item, index) => item === list[index]) ? list : found
}
