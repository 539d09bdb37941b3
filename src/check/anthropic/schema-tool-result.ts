import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { CACHE_CONTROL } from './cache-control.ts'
import { type Area, BLOCK_AREA, type Run } from './run.ts'
import { DOCUMENT, IMAGE, SEARCH_RESULT, TEXT } from './schema-content.ts'
import * as shapes from './shape.ts'
import * as words from './words.ts'

const INNER = 'anthropic/tool-result-inner-block'

const INNER_AREA: Area = { required: INNER, string: INNER, type: INNER, extra: 'anthropic/tool-result-inner-extra' }

const VALUE: shapes.Field = { check: shapes.string, required: true }

const TAB = shapes.objectOf(
  shapes.shape({ tab_id: VALUE, title: VALUE, url: VALUE, active: { check: shapes.boolean() } }),
)

const STATE_CHANGES: shapes.Variants = {
  tab_opened: shapes.shape({ tab_id: VALUE }),
  download_started: shapes.shape({ download_id: VALUE, url: VALUE }),
  download_completed: shapes.shape({
    download_id: VALUE,
    url: VALUE,
    path: { check: shapes.string, nullable: true },
    size_bytes: { check: shapes.integer, nullable: true },
  }),
  download_failed: shapes.shape({
    download_id: VALUE,
    url: VALUE,
    error: { check: shapes.string, nullable: true },
  }),
}

const TOOL_REFERENCE = shapes.shape({
  tool_name: { check: shapes.string, required: 'anthropic/tool-reference-field' },
  cache_control: CACHE_CONTROL,
})

const INNER_BLOCKS: shapes.Variants = {
  document: DOCUMENT,
  image: IMAGE,
  search_result: SEARCH_RESULT,
  text: TEXT,
  tool_reference: TOOL_REFERENCE,
  browser_state: shapes.shape({
    tabs: { check: shapes.listOf(TAB), required: true },
    cache_control: CACHE_CONTROL,
    state_changes: { check: shapes.listOf(shapes.unionOf(STATE_CHANGES, INNER)), nullable: true },
  }),
}

/** The tags as an answer of 2026 lists them; the platforms' answers leave `tool_reference` out. */
const TAGS = ['document', 'image', 'search_result', 'text', 'tool_reference']
const PLATFORM_TAGS = TAGS.slice(0, 4)

/** Reports disagree whether the platforms know tool references, so only `strict` refuses them there. */
function isRefused(tag: unknown, run: Run): boolean {
  if (run.platform === 'anthropic') return false
  return tag === 'browser_state' || (tag === 'tool_reference' && run.strict)
}

const checkInner: shapes.Check = (value, run) => {
  if (!isObject(value)) return run.fault(INNER, words.NOT_OBJECT)
  const tag = value.type
  if (tag === undefined) return run.faultAt('type', INNER, words.REQUIRED)
  const found = isRefused(tag, run) ? undefined : own(INNER_BLOCKS, tag)
  if (found === undefined) {
    const tags = run.platform === 'anthropic' ? TAGS : PLATFORM_TAGS
    return run.fault('anthropic/tool-result-content-kinds', words.unexpectedTag(tag, tags))
  }
  run.path.enter(String(tag))
  shapes.checkShape(value, found, run)
  run.path.leave()
}

/** `""`, `[]` and no content at all are fine. */
export const toolResultContent: shapes.Check = (value, run) => {
  if (typeof value === 'string') return
  if (!Array.isArray(value)) return run.fault('anthropic/tool-result-content-type', words.NOT_ARRAY)
  run.area = INNER_AREA
  shapes.eachOf(value, checkInner, run)
  run.area = BLOCK_AREA
}

/** A failed call tells its failure in text only. */
export function errorHoldsOnlyText(value: unknown, run: Run): void {
  if (!isObject(value) || value.is_error !== true || !Array.isArray(value.content)) return
  const content: readonly unknown[] = value.content
  if (content.every((inner) => !isObject(inner) || (inner satisfies Fields).type === 'text')) return
  run.fault('anthropic/is-error-text-only', 'all content must be type `text` if `is_error` is true')
}
