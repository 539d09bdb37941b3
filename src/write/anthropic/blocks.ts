import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, MediaPart, TextPart } from '../../model/session.ts'
import { markerOf } from './cache.ts'
import type { Context } from './context.ts'
import type { CacheControl, Citation, DocumentBlock, ImageBlock, TextBlock } from './wire.ts'

/** Blocks that stand in user turns, assistant turns and results alike. */

export function textBlock(part: TextPart, context: Context): TextBlock {
  const slot = part.extra?.anthropic
  if (slot === undefined) return { type: 'text', text: part.text }
  const citations = citationsOf(slot)
  return {
    type: 'text',
    text: part.text,
    ...(citations.length === 0 ? {} : { citations }),
    ...marker(slot, context),
  }
}

/** The stored marker, where markers are kept. */
export function marker(slot: unknown, context: Context): { cache_control?: CacheControl } {
  const found = context.keepsMarkers ? markerOf(slot) : undefined
  if (found === undefined) return {}
  context.output.mark()
  return { cache_control: found }
}

function citationsOf(slot: unknown): Citation[] {
  const stored = valueAt(slot, 'citations')
  return Array.isArray(stored) ? (stored as Citation[]) : []
}

export function mediaBlock(part: MediaPart, context: Context): ImageBlock | DocumentBlock {
  const slot = part.extra?.anthropic
  if (part.kind === 'image') {
    return {
      type: 'image',
      source: sourceOf(part) as ImageBlock['source'],
      ...transformations(slot),
      ...marker(slot, context),
    }
  }
  const citations = valueAt(slot, 'citations')
  const about = stringAt(slot, 'context')
  return {
    type: 'document',
    source: sourceOf(part) as DocumentBlock['source'],
    ...(part.name === undefined || part.name === '' ? {} : { title: part.name }),
    ...(about === undefined ? {} : { context: about }),
    ...(isObject(citations) ? { citations: citations as { enabled?: boolean } } : {}),
    ...marker(slot, context),
  }
}

function transformations(slot: Json | undefined): object {
  const found = valueAt(slot, 'transformations')
  return isObject(found) ? { transformations: found } : {}
}

function sourceOf(part: MediaPart): ImageBlock['source'] | DocumentBlock['source'] {
  const { source } = part
  if ('base64' in source)
    return { type: 'base64', media_type: part.mediaType as 'application/pdf', data: source.base64 }
  if ('url' in source) return { type: 'url', url: source.url }
  if ('text' in source) return { type: 'text', media_type: 'text/plain', data: source.text }
  return { type: 'file', file_id: source.fileId }
}
