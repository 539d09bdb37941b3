import { stringAt, valueAt } from '../../model/json.ts'
import type { MediaPart, OutputPart, TextPart, UserPart } from '../../model/session.ts'
import type { InputContent, InputFile, InputImage, InputText } from './wire.ts'

export function inputText(part: TextPart): InputText {
  if (part.extra === undefined) return { type: 'input_text', text: part.text }
  return { type: 'input_text', text: part.text, ...breakpoint(part) }
}

function breakpoint(part: TextPart | MediaPart): object {
  const found = valueAt(part.extra?.['openai-responses'], 'prompt_cache_breakpoint')
  return found === undefined || found === null ? {} : { prompt_cache_breakpoint: found }
}

export function mediaContent(part: MediaPart): InputImage | InputFile {
  return part.kind === 'image' ? inputImage(part) : inputFile(part)
}

function dataUrl(part: MediaPart): string | undefined {
  return 'base64' in part.source ? `data:${part.mediaType};base64,${part.source.base64}` : undefined
}

function inputImage(part: MediaPart): InputImage {
  const { source } = part
  const detail = (stringAt(part.extra?.['openai-responses'], 'detail') ?? 'auto') as InputImage['detail']
  const where =
    'fileId' in source
      ? { file_id: source.fileId }
      : { image_url: 'url' in source ? source.url : (dataUrl(part) ?? '') }
  return { type: 'input_image', detail, ...where, ...breakpoint(part) }
}

/** A URL stands alone: the API refuses a file name beside it. */
function inputFile(part: MediaPart): InputFile {
  const { source } = part
  const detail = stringAt(part.extra?.['openai-responses'], 'detail')
  const shared = { ...(detail === undefined ? {} : { detail }), ...breakpoint(part) }
  if ('url' in source) return { type: 'input_file', file_url: source.url, ...shared }
  if ('fileId' in source) return { type: 'input_file', file_id: source.fileId, ...shared }
  return { type: 'input_file', file_data: dataUrl(part) ?? '', filename: part.name ?? 'file.pdf', ...shared }
}

export const USER_CONTENT: {
  readonly [K in UserPart['type']]: (part: Extract<UserPart, { type: K }>) => InputContent
} = {
  text: inputText,
  media: mediaContent,
  native: (part) => part.value as unknown as InputContent,
}

export const OUTPUT_CONTENT: {
  readonly [K in OutputPart['type']]: (part: Extract<OutputPart, { type: K }>) => InputContent
} = {
  text: inputText,
  media: mediaContent,
  json: (part) => ({ type: 'input_text', text: JSON.stringify(part.value) }),
  native: (part) => part.value as unknown as InputContent,
}
