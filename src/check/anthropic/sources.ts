import { type Fields, isObject } from '../../model/json.ts'
import type { FoundMedia, RuleId, Run } from './run.ts'
import { type Check, oneOf, shape, string, unionOf, type Variants } from './shape.ts'
import * as words from './words.ts'

const TEXT = { check: string, required: true } as const

/** A URL that is no HTTPS URL is refused before anything is fetched. */
const httpsUrl: Check = (value, run) => {
  if (typeof value !== 'string') string(value, run)
  else if (!/^https:\/\//i.test(value)) run.fault('anthropic/image-url', 'Only HTTPS URLs are supported.')
}

const only = (value: string, rule: RuleId) => ({ check: oneOf([value], rule), required: true }) as const

const FILE = shape({ file_id: TEXT })
const URL_SOURCE = shape({ url: { check: httpsUrl, required: true } })

const IMAGE_SOURCES: Variants = {
  base64: shape({
    data: TEXT,
    media_type: {
      check: oneOf(['image/jpeg', 'image/png', 'image/gif', 'image/webp'], 'anthropic/image-media-type'),
      required: true,
    },
  }),
  file: FILE,
  url: URL_SOURCE,
}

/** @param content what a source of blocks may hold */
function documentSources(content: Check): Variants {
  return {
    base64: shape({ data: TEXT, media_type: only('application/pdf', 'anthropic/pdf-media-type') }),
    content: shape({ content: { check: content, required: true } }),
    file: FILE,
    text: shape({ data: TEXT, media_type: only('text/plain', 'anthropic/text-source-media-type') }),
    url: URL_SOURCE,
  }
}

const imageUnion = unionOf(IMAGE_SOURCES, 'anthropic/image-source-type')

export const imageSource: Check = (value, run) => {
  if (!refusedByPlatform(value, run, ['base64'])) imageUnion(value, run)
  remember('image', value, run)
}

export function documentSource(content: Check): Check {
  const union = unionOf(documentSources(content), 'anthropic/image-source-type')
  return (value, run) => {
    if (!refusedByPlatform(value, run, ['base64', 'content', 'text'])) union(value, run)
    remember('document', value, run)
  }
}

/** Bedrock and Vertex fetch nothing and keep no files. */
function refusedByPlatform(value: unknown, run: Run, tags: readonly string[]): boolean {
  if (run.platform === 'anthropic' || !isObject(value)) return false
  if (value.type === 'url') {
    const path = `${run.path}.base64.data`
    run.report('anthropic/image-url-platform', `${path}: URL sources are not supported`, path)
    return true
  }
  if (value.type !== 'file') return false
  run.fault(`anthropic/${run.platform}-unsupported`, words.unexpectedTag('file', tags))
  return true
}

/** For the phase that decodes media; the two last segments are the block's type and `source`. */
function remember(kind: FoundMedia['kind'], source: unknown, run: Run): void {
  if (isObject(source)) run.media.push({ kind, place: run.path.head(-2).join('.'), source: source satisfies Fields })
}
