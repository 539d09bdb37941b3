import { stringAt } from '../../model/json.ts'
import type { MediaPart, TextPart, UserPart } from '../../model/session.ts'
import type { AudioContent, ChatMessage, FileContent, ImageContent, TextContent, UserContent } from './wire.ts'

export function textContent(part: TextPart): TextContent {
  if (part.extra === undefined) return { type: 'text', text: part.text }
  return { type: 'text', text: part.text, ...breakpoint(part) }
}

/** One plain text is written as a string: all servers take that. */
export function shortest<Part extends { readonly type: string }>(content: Part[]): string | Part[] {
  const [only] = content
  if (only === undefined) return ''
  return content.length === 1 && isPlain(only) ? only.text : content
}

function isPlain(part: object): part is TextContent {
  if ((part as TextContent).type !== 'text') return false
  for (const key in part) if (key !== 'type' && key !== 'text') return false
  return true
}

/** A marker of OpenAI's prompt cache. */
function breakpoint(part: TextPart | MediaPart): object {
  const slot = part.extra?.['openai-chat'] as { readonly prompt_cache_breakpoint?: object } | undefined
  return slot?.prompt_cache_breakpoint === undefined ? {} : { prompt_cache_breakpoint: slot.prompt_cache_breakpoint }
}

export const USER_CONTENT: { readonly [K in UserPart['type']]: (part: Extract<UserPart, { type: K }>) => UserContent } =
  {
    text: textContent,
    media: mediaContent,
    native: (part) => part.value as unknown as UserContent,
  }

const MEDIA: { readonly [kind in MediaPart['kind']]: (part: MediaPart) => UserContent } = {
  image: imageContent,
  audio: audioContent,
  file: fileContent,
  video: fileContent,
}

export function mediaContent(part: MediaPart): UserContent {
  return MEDIA[part.kind](part)
}

const dataUrl = (part: MediaPart): string =>
  'base64' in part.source ? `data:${part.mediaType};base64,${part.source.base64}` : ''

function imageContent(part: MediaPart): ImageContent {
  const detail = stringAt(part.extra?.['openai-chat'], 'detail') as 'auto' | undefined
  const url = 'url' in part.source ? part.source.url : dataUrl(part)
  return { type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) }, ...breakpoint(part) }
}

function audioContent(part: MediaPart): AudioContent {
  const format = part.mediaType === 'audio/wav' ? 'wav' : 'mp3'
  const data = 'base64' in part.source ? part.source.base64 : ''
  return { type: 'input_audio', input_audio: { data, format }, ...breakpoint(part) }
}

function fileContent(part: MediaPart): FileContent {
  const named = part.name === undefined ? {} : { filename: part.name }
  const file =
    'fileId' in part.source ? { file_id: part.source.fileId, ...named } : { file_data: dataUrl(part), ...named }
  return { type: 'file', file, ...breakpoint(part) }
}

/** @see rule openai-chat/name-pattern: other names are refused. */
export function named(message: ChatMessage, slot: unknown): ChatMessage {
  const name = stringAt(slot, 'name')
  if (name !== undefined && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) Object.assign(message, { name })
  return message
}
