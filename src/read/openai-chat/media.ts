import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { MediaPart } from '../../model/session.ts'
import { fromDataUrl } from '../data-url.ts'
import { picked, slot } from '../slots.ts'

/** An image_url part; some servers take the URL itself instead of an object. */
export function imagePart(part: Fields): MediaPart | undefined {
  const image = valueAt(part, 'image_url')
  const url = typeof image === 'string' ? image : stringAt(image, 'url')
  if (url === undefined) return undefined
  const data = fromDataUrl(url)
  const detail = isObject(image) ? picked(image, ['detail']) : undefined
  const kept = picked(part, ['prompt_cache_breakpoint'])
  return {
    type: 'media',
    kind: 'image',
    mediaType: data?.mediaType ?? '',
    source: data === undefined ? { url } : { base64: data.base64 },
    ...slot('openai-chat', detail === undefined ? kept : { ...detail, ...kept }),
  }
}

export function audioPart(part: Fields): MediaPart | undefined {
  const audio = valueAt(part, 'input_audio')
  const base64 = stringAt(audio, 'data')
  const format = stringAt(audio, 'format')
  if (base64 === undefined || format === undefined) return undefined
  return {
    type: 'media',
    kind: 'audio',
    mediaType: `audio/${format}`,
    source: { base64 },
    ...slot('openai-chat', picked(part, ['prompt_cache_breakpoint'])),
  }
}

/** A file part with one source; undefined where it has none, two, or data that is no plain data URL. */
export function filePart(part: Fields): MediaPart | undefined {
  const file = valueAt(part, 'file')
  const fileId = stringAt(file, 'file_id')
  const text = stringAt(file, 'file_data')
  const data = text === undefined ? undefined : fromDataUrl(text)
  if ((fileId === undefined) === (data === undefined) || (text !== undefined && data === undefined)) return undefined
  const name = stringAt(file, 'filename')
  return {
    type: 'media',
    kind: 'file',
    mediaType: data?.mediaType ?? '',
    source: data === undefined ? { api: 'openai-chat', fileId: fileId ?? '' } : { base64: data.base64 },
    ...(name === undefined ? {} : { name }),
    ...slot('openai-chat', picked(part, ['prompt_cache_breakpoint'])),
  }
}
