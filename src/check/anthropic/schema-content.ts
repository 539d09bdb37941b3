import { isObject } from '../../model/json.ts'
import { CACHE_CONTROL } from './cache-control.ts'
import { citations } from './citations.ts'
import type { RuleId } from './run.ts'
import * as shapes from './shape.ts'
import { documentSource, imageSource } from './sources.ts'
import * as words from './words.ts'

/** The blocks that may stand in messages and in tool results alike. */

const CITATIONS_CONFIG = shapes.objectOf(shapes.shape({ enabled: { check: shapes.boolean() } }))
const TRANSFORMATIONS = shapes.objectOf(
  shapes.shape({ oversized_image: { check: shapes.oneOf(['downsize', 'error']) } }),
)

/** A marker on nothing is refused before the empty text itself is. */
const markedEmptyText: shapes.Check = (value, run) => {
  if (!isObject(value) || value.text !== '' || !isObject(value.cache_control)) return
  run.fault('anthropic/cache-empty-text', 'cache_control cannot be set for empty text blocks')
}

export const TEXT: shapes.Shape = shapes.shape(
  {
    text: { check: shapes.string, required: true },
    cache_control: CACHE_CONTROL,
    citations: { check: citations, nullable: true },
  },
  markedEmptyText,
)

export const IMAGE: shapes.Shape = shapes.shape({
  source: { check: imageSource, required: true },
  cache_control: CACHE_CONTROL,
  transformations: { check: TRANSFORMATIONS, nullable: true },
})

const sourceBlocks = shapes.listOf(shapes.unionOf({ image: IMAGE, text: TEXT }, 'anthropic/block-type-unknown'))

const sourceContent: shapes.Check = (value, run) => {
  if (typeof value !== 'string') sourceBlocks(value, run)
}

export const DOCUMENT: shapes.Shape = shapes.shape({
  source: { check: documentSource(sourceContent), required: true },
  cache_control: CACHE_CONTROL,
  citations: { check: CITATIONS_CONFIG, nullable: true },
  context: { check: shapes.string, nullable: true },
  title: { check: shapes.string, nullable: true },
})

const SEARCH_RESULT_SHAPE: RuleId = 'anthropic/search-result-shape'

/** Text only, and so without a tag in the path. */
const searchResultText: shapes.Check = (value, run) => {
  if (!isObject(value)) return run.fault(SEARCH_RESULT_SHAPE, words.NOT_OBJECT)
  if (value.type !== 'text') return run.faultAt('type', SEARCH_RESULT_SHAPE, words.notOneOf(['text']))
  shapes.checkShape(value, TEXT, run)
}

export const SEARCH_RESULT: shapes.Shape = shapes.shape({
  content: { check: shapes.listOf(searchResultText, SEARCH_RESULT_SHAPE), required: SEARCH_RESULT_SHAPE },
  source: { check: shapes.stringWith(SEARCH_RESULT_SHAPE), required: SEARCH_RESULT_SHAPE },
  title: { check: shapes.stringWith(SEARCH_RESULT_SHAPE), required: SEARCH_RESULT_SHAPE },
  cache_control: CACHE_CONTROL,
  citations: { check: CITATIONS_CONFIG },
})
