import { headBytes, isBase64, isPdf, type Sniffed, sniffImage } from './media-bytes.ts'
import type { Rule, RuleId, Run } from './run.ts'

const MIB = 1024 * 1024
const MAX_SIDE = 8000
const MANY_IMAGES = 20
const MAX_SIDE_OF_MANY = 2000

/** First party since 2026; the platforms, and the API before, stop at half of it. */
const megabytes = (run: Run): number => (run.platform === 'anthropic' && !run.strict ? 10 : 5)

interface Image {
  /** `messages.1.content.0.image.source.base64`. */
  readonly path: string
  readonly data: string
  readonly mediaType: unknown
}

function isMany(run: Run): boolean {
  const counted = run.media.filter(({ kind }) => kind === 'image' || run.platform !== 'anthropic')
  return counted.length > MANY_IMAGES
}

interface Fault {
  readonly rule: RuleId
  readonly message: string
}

/** What is wrong with the text of the data, before it is decoded. */
function dataFault({ data, path }: Image, run: Run): Fault | undefined {
  const bytes = megabytes(run) * MIB
  if (data === '') return { rule: 'anthropic/image-empty', message: `${path}: image cannot be empty` }
  if (!isBase64(data) || (run.strict && data.length % 4 !== 0)) {
    return { rule: 'anthropic/image-base64-invalid', message: `${path}.data: Invalid base64 data` }
  }
  if (data.length <= bytes) return undefined
  const words = `image exceeds ${megabytes(run)} MB maximum: ${data.length} bytes > ${bytes} bytes`
  return { rule: 'anthropic/image-size', message: `${path}: ${words}` }
}

/** What is wrong with the bytes. */
function bytesFault({ mediaType, path }: Image, sniffed: Sniffed | undefined): Fault | undefined {
  if (sniffed === undefined || sniffed.width === 0 || sniffed.height === 0) {
    return { rule: 'anthropic/image-unprocessable', message: 'Could not process image' }
  }
  if (sniffed.mediaType === mediaType) return undefined
  const words = `Image does not match the provided media type ${mediaType}`
  return { rule: 'anthropic/image-media-mismatch', message: `${path}.data: ${words}` }
}

/** One image: the first fault hides those behind it, since bytes that cannot be read have no size. */
function checkImage(image: Image, many: boolean, run: Run): void {
  const unread = dataFault(image, run)
  const bytes = unread === undefined ? headBytes(image.data) : undefined
  const sniffed = bytes === undefined ? undefined : sniffImage(bytes)
  const fault = unread ?? bytesFault(image, sniffed)
  if (fault !== undefined) run.report(fault.rule, fault.message, image.path)
  else if (sniffed !== undefined) checkSides(image, sniffed, many, run)
}

function checkSides(image: Image, sniffed: Sniffed, many: boolean, run: Run): void {
  const side = Math.max(sniffed.width ?? 0, sniffed.height ?? 0)
  const words = 'At least one of the image dimensions exceed max allowed size'
  if (side > MAX_SIDE) {
    const message = `${image.path}.data: ${words}: ${MAX_SIDE} pixels`
    run.report('anthropic/image-dimensions', message, image.path)
  } else if (many && side > MAX_SIDE_OF_MANY) {
    const message = `${image.path}.data: ${words} for many-image requests: ${MAX_SIDE_OF_MANY} pixels`
    run.report('anthropic/image-many', message, image.path)
  }
}

const images: Rule = {
  ids: [
    'anthropic/image-empty',
    'anthropic/image-base64-invalid',
    'anthropic/image-size',
    'anthropic/image-unprocessable',
    'anthropic/image-media-mismatch',
    'anthropic/image-dimensions',
    'anthropic/image-many',
  ],
  check: (run) => {
    const many = isMany(run)
    for (const found of run.media) {
      const { type, data, media_type: mediaType } = found.source
      if (found.kind !== 'image' || type !== 'base64' || typeof data !== 'string') continue
      checkImage({ path: `${found.place}.image.source.base64`, data, mediaType }, many, run)
    }
  },
}

/** Hosts that the API can never reach. */
const LOCAL = /^https:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/?#]|$)/i

const urls: Rule = {
  ids: ['anthropic/image-url'],
  check: (run) => {
    for (const { kind, place, source } of run.media) {
      const { type, url } = source
      if (type !== 'url' || typeof url !== 'string' || !LOCAL.test(url)) continue
      const message = 'Unable to download the file. Please verify the URL and try again.'
      run.report('anthropic/image-url', message, `${place}.${kind}.source.url.url`)
    }
  },
}

/** Pages are not counted: their number stands in compressed parts of the file. */
const pdfs: Rule = {
  ids: ['anthropic/pdf-invalid'],
  check: (run) => {
    for (const { kind, place, source } of run.media) {
      const { type, data } = source
      if (kind !== 'document' || type !== 'base64' || typeof data !== 'string') continue
      const path = `${place}.pdf.source.base64.data`
      const bytes = headBytes(data, 2048)
      if (data === '') run.report('anthropic/pdf-invalid', 'PDF cannot be empty', path)
      else if (bytes === undefined || !isPdf(bytes)) {
        run.report('anthropic/pdf-invalid', `${path}: The PDF specified was not valid.`, path)
      }
    }
  },
}

const tooMany: Rule = {
  ids: ['anthropic/image-count'],
  check: (run) => {
    const found = run.media.filter(({ kind }) => kind === 'image').length
    if (found <= run.model.images) return
    const documents = run.media.filter(({ kind, source }) => kind === 'document' && source.type === 'base64').length
    const message = `Too much media: ${documents} document pages + ${found} images > ${run.model.images}`
    run.report('anthropic/image-count', message, 'messages')
  },
}

/** What is found when media is decoded. */
export const MEDIA: readonly Rule[] = [tooMany, images, urls, pdfs]
