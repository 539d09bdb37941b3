import fc from 'fast-check'
import type { MediaPart } from '../../../src/model/session.ts'

/** Heads of real files, in whole groups of base64, so that a token of eight characters may follow. */
const HEADS: { readonly [type: string]: string } = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
  'image/jpeg': '/9j/4AAQSkZJRgABAQAAAQABAAD/',
  'image/gif': 'R0lGODlhAQABAIAAAAAA',
  'image/webp': 'UklGRiQAAABXRUJQVlA4IBgAAAAw',
  'application/pdf': 'JVBERi0xLjQK',
  'audio/wav': 'UklGRiQAAABXQVZFZm10',
  'audio/mp3': 'SUQzBAAAAAAA',
  'video/mp4': 'AAAAGGZ0eXBtcDQy',
}

const KINDS: { readonly [type: string]: MediaPart['kind'] } = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'application/pdf': 'file',
  'audio/wav': 'audio',
  'audio/mp3': 'audio',
  'video/mp4': 'video',
}

const type = fc.constantFrom(...Object.keys(HEADS))

const base64: fc.Arbitrary<MediaPart> = type.map((mediaType) => ({
  type: 'media',
  kind: KINDS[mediaType]!,
  mediaType,
  source: { base64: `${HEADS[mediaType]}@@` },
}))

const url: fc.Arbitrary<MediaPart> = type.map((mediaType) => ({
  type: 'media',
  kind: KINDS[mediaType]!,
  mediaType,
  source: { url: 'https://example.com/@@' },
}))

/** Wrong or missing types, unusual names of types, data that is none, places that no API may look at. */
const odd: fc.Arbitrary<MediaPart> = fc.constantFrom<MediaPart>(
  { type: 'media', kind: 'image', mediaType: 'image/jpeg', source: { base64: `${HEADS['image/png']}@@` } },
  { type: 'media', kind: 'image', mediaType: 'IMAGE/JPG; q=1', source: { base64: `${HEADS['image/jpeg']}@@` } },
  { type: 'media', kind: 'image', mediaType: 'image/svg+xml', source: { base64: 'PHN2Zz48L3N2Zz4K' } },
  {
    type: 'media',
    kind: 'image',
    mediaType: 'image/png',
    source: { base64: `data:image/png;base64,${HEADS['image/png']}@@` },
  },
  { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: '' } },
  { type: 'media', kind: 'image', mediaType: '', source: { url: 'http://example.com/@@.png' } },
  { type: 'media', kind: 'image', mediaType: 'image/png', source: { url: 'file:///tmp/@@.png' } },
  { type: 'media', kind: 'image', mediaType: 'image/png', source: { text: '@@' } },
  { type: 'media', kind: 'audio', mediaType: 'audio/mpeg', source: { base64: `${HEADS['audio/mp3']}@@` } },
  { type: 'media', kind: 'file', mediaType: 'text/plain', source: { text: '@@' }, name: 'notes.txt' },
  { type: 'media', kind: 'file', mediaType: 'text/plain', source: { text: ' ' } },
  { type: 'media', kind: 'file', mediaType: 'text/csv', source: { base64: 'YSxiCjEsMgo=' }, name: 'table.csv' },
  { type: 'media', kind: 'file', mediaType: 'application/zip', source: { base64: 'UEsDBAoAAAAAAAAA' }, name: 'a.zip' },
  {
    type: 'media',
    kind: 'file',
    mediaType: 'application/pdf',
    source: { base64: `${HEADS['application/pdf']}@@` },
    name: 'b\ud800.pdf',
  },
)

const byId: fc.Arbitrary<MediaPart> = fc
  .tuple(
    fc.constantFrom('anthropic' as const, 'openai-chat' as const, 'openai-responses' as const, 'gemini' as const),
    fc.constantFrom('image' as const, 'file' as const),
  )
  .map(([api, kind]) => ({ type: 'media', kind, mediaType: '', source: { api, fileId: 'file_@@' } }))

export const media: fc.Arbitrary<MediaPart> = fc.oneof(
  { arbitrary: base64, weight: 4 },
  { arbitrary: url, weight: 3 },
  { arbitrary: odd, weight: 3 },
  { arbitrary: byId, weight: 2 },
)
