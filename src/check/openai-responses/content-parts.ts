import { stringAt } from '../../model/json.ts'
import type { Shape, Tagged } from '../openai/shape.ts'
import { ARRAY, list, nullable, object, oneOf, record, STRING, tagged, text } from '../openai/shape.ts'
import { emptyArray, emptyString, invalidValue } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import { fileData, fileSource, imageSource, imageUrl } from './media.ts'
import type { ResponsesRule } from './rules.ts'

export const MAX_TEXT = 10_485_760
const MAX_IMAGE_URL = 20_971_520
const MAX_FILE = 73_400_320

const TYPE = { type: text<ResponsesRule>() } as const
const CACHE = { prompt_cache_breakpoint: nullable(record<ResponsesRule>()) } as const
const OPEN: Shape<ResponsesRule> = object(TYPE, {}, { open: true })
const FILE_ID = { file_id: nullable(text<ResponsesRule>()) } as const

/** What a user may send, and what a tool may return. */
const INPUT_PARTS = {
  input_text: object<ResponsesRule>({ ...TYPE, text: text({ max: MAX_TEXT }) }, CACHE),
  input_image: object<ResponsesRule>(
    TYPE,
    {
      image_url: { ...nullable(text({ max: MAX_IMAGE_URL })), also: imageUrl },
      detail: nullable(oneOf('low', 'high', 'auto', 'original')),
      ...FILE_ID,
      ...CACHE,
    },
    { also: imageSource },
  ),
  input_file: object<ResponsesRule>(
    TYPE,
    {
      file_data: { ...nullable(text({ max: MAX_FILE })), also: fileData },
      file_url: nullable(text()),
      filename: nullable(text()),
      detail: nullable(oneOf('auto', 'low', 'high')),
      ...FILE_ID,
      ...CACHE,
    },
    { also: fileSource },
  ),
} as const satisfies { readonly [type: string]: Shape<ResponsesRule> }

const TAG = { tag: 'type', missing: 'missing-item-field' } as const

/** The list is verbatim: it names parts that only other items hold. */
const userPart: Tagged<ResponsesRule> = {
  ...TAG,
  rows: {
    ...INPUT_PARTS,
    input_audio: OPEN,
    output_text: OPEN,
    refusal: OPEN,
    computer_screenshot: OPEN,
    summary_text: OPEN,
    encrypted_content: OPEN,
  },
  supported: [
    'input_text',
    'input_image',
    'input_audio',
    'output_text',
    'refusal',
    'input_file',
    'computer_screenshot',
    'summary_text',
    'encrypted_content',
  ],
  invalid: 'content-part-type-user',
  blames: 'tag',
}

const assistantPart: Tagged<ResponsesRule> = {
  ...TAG,
  rows: {
    output_text: object<ResponsesRule>(
      { ...TYPE, text: text({ max: MAX_TEXT }) },
      { annotations: list(), logprobs: nullable(list()) },
    ),
    refusal: object<ResponsesRule>({ ...TYPE, refusal: text() }),
  },
  supported: ['output_text', 'refusal'],
  invalid: 'content-part-type-assistant',
  blames: 'object',
}

const outputPart: Tagged<ResponsesRule> = {
  ...TAG,
  rows: INPUT_PARTS,
  supported: ['input_text', 'input_image', 'input_file'],
  invalid: 'output-part-type',
  blames: 'object',
}

function textOrParts(items: Tagged<ResponsesRule>, rule: ResponsesRule): Shape<ResponsesRule> {
  return {
    takes: STRING | ARRAY,
    wanted: 'one of an array of objects or string',
    text: { max: MAX_TEXT },
    list: { items: tagged(items) },
    rules: { type: rule, missing: rule },
  }
}

export const USER_CONTENT: Shape<ResponsesRule> = { ...textOrParts(userPart, 'content-missing'), also: userContent }
export const ASSISTANT_CONTENT: Shape<ResponsesRule> = {
  ...textOrParts(assistantPart, 'content-missing'),
  also: notEmpty,
}
export const OUTPUT: Shape<ResponsesRule> = {
  ...textOrParts(outputPart, 'output-not-string'),
  rules: { type: 'output-not-string' },
}

/** Parts that the list of the fault names, and the types of the SDK do not allow in a user's message. */
function userContent(content: unknown, walk: Walk<ResponsesRule>): void {
  notEmpty(content, walk)
  if (!walk.report.strict || !Array.isArray(content)) return
  for (const [index, part] of content.entries()) {
    const type = stringAt(part, 'type') ?? ''
    if (!Object.hasOwn(userPart.rows, type) || Object.hasOwn(INPUT_PARTS, type)) continue
    const path = `${walk.place.path()}[${index}].type`
    walk.report.raise('content-part-type-user', invalidValue(type, outputPart.supported, path))
  }
}

/** OpenAI takes an empty text (recorded): in the words of its validator for other strings and lists. */
function notEmpty(content: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!report.strict) return
  if (content === '') report.raise('content-empty', emptyString(place.path()))
  else if (Array.isArray(content) && content.length === 0) report.raise('content-empty', emptyArray(place.path()))
}
