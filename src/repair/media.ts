import { isBlank } from '../model/blank.ts'
import type { MediaPart, OutputPart, Part, TextPart } from '../model/session.ts'
import type { MediaKindRule, MediaRow, Rules, SourceKind } from '../rules/rules.ts'
import { bytesAsText, mediaTypeOf, plainBase64 } from './media-bytes.ts'
import { mapOutput, outputOf } from './output.ts'
import { type Report, replaceParts, type Step } from './step.ts'

/** Media of a kind, a type or a source that the API does not take, and media types that the bytes do not bear out. */
export const media: Step = {
  defect: 'media that the API does not take',
  start(rules) {
    const { user, result } = rules.media
    // What a result may not hold is written behind the results, if a user turn may hold it.
    const outputRow = (part: MediaPart): MediaRow => (takes(result, part, rules) ? result : user)
    const unfit = (part: MediaPart, row: MediaRow): boolean =>
      rules.media.describe || !takes(row, part, rules) || normalised(part) !== part
    const inOutput = (part: OutputPart): boolean => part.type === 'media' && unfit(part, outputRow(part))
    const bad = (part: Part, assistant: boolean): boolean => {
      if (part.type === 'media') return assistant || unfit(part, user)
      const output = part.type === 'tool-call' ? outputOf(part.state) : undefined
      return typeof output === 'object' && output.some(inOutput)
    }
    return {
      suspects: {
        media: (part, { message }) => bad(part, message.role === 'assistant'),
        'listed-output': (part) => bad(part, true),
      },
      mend(draft, _scene, report) {
        const assistant = draft.message.role === 'assistant'
        replaceParts(draft, (part, place) => {
          if (!bad(part, assistant)) return part
          if (part.type === 'media') return mend(part, assistant ? {} : user, rules, place, report)
          if (part.type !== 'tool-call') return part
          const mended = (one: OutputPart): OutputPart =>
            one.type === 'media' && inOutput(one) ? mend(one, outputRow(one), rules, place, report, part.id) : one
          return { ...part, state: mapOutput(part.state, mended) }
        })
      },
    }
  },
}

const SOURCE_KINDS: readonly SourceKind[] = ['base64', 'url', 'text']

function sourceKind(part: MediaPart): SourceKind {
  return SOURCE_KINDS.find((kind) => kind in part.source) ?? 'file'
}

function takes(row: MediaRow, part: MediaPart, rules: Rules): boolean {
  const rule: MediaKindRule | undefined = row[part.kind]
  if (rule === undefined || !rule.sources.includes(sourceKind(part))) return false
  const { source } = part
  if ('base64' in source) return source.base64 !== '' && rule.types.includes(mediaTypeOf(part))
  if ('text' in source) return rule.types.includes('text/plain') && source.text !== ''
  return 'url' in source ? rules.media.urls.test(source.url) : source.api === rules.api
}

/** The part with the media type that its bytes say, and its data without a data URL's head or white space. */
function normalised(part: MediaPart): MediaPart {
  if (!('base64' in part.source)) return part
  const base64 = plainBase64(part.source.base64)
  const mediaType = mediaTypeOf(part)
  if (base64 === part.source.base64 && mediaType === part.mediaType) return part
  return { ...part, mediaType, source: { base64 } }
}

function mend(
  part: MediaPart,
  row: MediaRow,
  rules: Rules,
  place: number,
  report: Report,
  callId?: string,
): MediaPart | TextPart {
  const fit = normalised(part)
  if (!rules.media.describe && takes(row, fit, rules)) {
    report.add('media-type-changed', place, callId, { before: part.mediaType, after: fit.mediaType })
    return fit
  }
  const text = rules.media.describe ? undefined : textOf(fit)
  if (text === undefined) return note(fit, place, report, callId)
  const asText: MediaPart = { ...fit, mediaType: 'text/plain', source: { text } }
  report.add('media-as-text', place, callId, { before: part.mediaType })
  return takes(row, asText, rules)
    ? asText
    : { type: 'text', text: part.name === undefined ? text : `[${part.name}]\n${text}` }
}

function textOf(part: MediaPart): string | undefined {
  if ('text' in part.source) return isBlank(part.source.text) ? undefined : part.source.text
  if (part.kind !== 'file' || !('base64' in part.source) || !part.mediaType.startsWith('text/')) return undefined
  return bytesAsText(part.source.base64)
}

function note(part: MediaPart, place: number, report: Report, callId?: string): TextPart {
  const what = [part.kind, part.mediaType, part.name].filter(Boolean).join(', ')
  const from = 'url' in part.source && !part.source.url.startsWith('data:') ? ` from ${part.source.url}` : ''
  const text = `[${what}${from}: not included]`
  report.add('media-left-out', place, callId, { after: text })
  return { type: 'text', text }
}
