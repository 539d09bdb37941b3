import { valueAt } from '../../model/json.ts'
import type { Shape } from '../openai/shape.ts'
import { ARRAY, NULL, nullable, object, oneOf, record, STRING, tagged, text } from '../openai/shape.ts'
import { missing } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import { fileData } from './media.ts'
import type { ChatRule } from './rules.ts'

/** The limit of 2025; in 2024 it was 1,048,576. */
const MAX_TEXT = 10_485_760

const CACHE = { prompt_cache_breakpoint: nullable(record<ChatRule>()) } as const
const TYPE = { type: text<ChatRule>() } as const

const PARTS = {
  text: object<ChatRule>(
    { ...TYPE, text: text({ max: MAX_TEXT }, { type: 'content-part-text-wrong-type', long: 'content-too-long' }) },
    CACHE,
  ),
  image_url: object<ChatRule>(
    { ...TYPE, image_url: object({ url: text() }, { detail: oneOf('auto', 'low', 'high', 'original') }) },
    CACHE,
  ),
  input_audio: object<ChatRule>({ ...TYPE, input_audio: object({ data: text(), format: oneOf('wav', 'mp3') }) }, CACHE),
  refusal: object<ChatRule>({ ...TYPE, refusal: text() }),
  audio: object<ChatRule>(TYPE, {}, { open: true }),
  file: object<ChatRule>(
    {
      ...TYPE,
      file: object({}, { file_data: fileData(), file_id: text(), filename: text() }, { also: fileHasSource }),
    },
    CACHE,
  ),
} as const satisfies { readonly [type: string]: Shape<ChatRule> }

/** A file part names an uploaded file or carries one. */
function fileHasSource(file: unknown, walk: Walk<ChatRule>): void {
  const held = valueAt(file, 'file_id') ?? valueAt(file, 'file_data')
  if (held === undefined) walk.report.raise('file-part-empty', missing(walk.place.at('file_id')))
}

/** Reported of user messages in part; lists change between releases. */
const SUPPORTED = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file'] as const
/** Verbatim, of a tool message with a file part; there the fault names the part itself. */
const SUPPORTED_IN_TOOL = ['text', 'refusal', 'image_url', 'input_audio'] as const

const anyPart: Shape<ChatRule> = tagged({
  tag: 'type',
  rows: PARTS,
  supported: SUPPORTED,
  missing: 'content-part-type-missing',
  invalid: 'content-part-type-invalid',
  blames: 'tag',
})

const toolPart: Shape<ChatRule> = tagged({
  tag: 'type',
  rows: { text: PARTS.text, refusal: PARTS.refusal, image_url: PARTS.image_url, input_audio: PARTS.input_audio },
  supported: SUPPORTED_IN_TOOL,
  missing: 'content-part-type-missing',
  invalid: 'content-part-type-invalid',
  blames: 'object',
})

/** A text or parts. Null passes here: who may leave the content out is the semantic validator's business. */
function content(items: Shape<ChatRule>): Shape<ChatRule> {
  return {
    takes: STRING | ARRAY | NULL,
    wanted: 'one of a string or array of objects',
    text: { max: MAX_TEXT },
    list: { min: 1, items },
    rules: { type: 'content-wrong-type', long: 'content-too-long', empty: 'content-array-empty' },
  }
}

export const CONTENT: Shape<ChatRule> = content(anyPart)
export const TOOL_CONTENT: Shape<ChatRule> = content(toolPart)
/** The deprecated function message takes no parts. */
export const FUNCTION_CONTENT: Shape<ChatRule> = nullable(
  text({ max: MAX_TEXT }, { type: 'content-wrong-type', long: 'content-too-long' }),
)
