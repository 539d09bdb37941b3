import { isObject } from '../../model/json.ts'
import { type Check, type Field, integer, listOf, shape, string, unionOf } from './shape.ts'
import * as words from './words.ts'

const TEXT: Field = { check: string, required: true }
const TITLE: Field = { check: string, nullable: true, required: true }
const COUNT: Field = { check: integer, required: true }

/**
 * Answers carry `file_id` in citations, requests had no such key. The API seems to tolerate it by now, so only `strict`
 * refuses it.
 */
const FILE_ID: Field = {
  check: (_value, run) => {
    if (run.strict) run.fault('anthropic/nested-citation-extra', words.EXTRA)
  },
}

const IN_DOCUMENT = { cited_text: TEXT, document_index: COUNT, document_title: TITLE, file_id: FILE_ID }

const ENCRYPTED_INDEX = 'anthropic/web-citation-encrypted-index'

const LOCATIONS = {
  char_location: shape({ ...IN_DOCUMENT, end_char_index: COUNT, start_char_index: COUNT }),
  page_location: shape({ ...IN_DOCUMENT, end_page_number: COUNT, start_page_number: COUNT }),
  content_block_location: shape({ ...IN_DOCUMENT, end_block_index: COUNT, start_block_index: COUNT }),
  search_result_location: shape({
    cited_text: TEXT,
    end_block_index: COUNT,
    search_result_index: COUNT,
    source: TEXT,
    start_block_index: COUNT,
    title: TITLE,
  }),
  web_search_result_location: shape({
    cited_text: TEXT,
    encrypted_index: { check: string, required: ENCRYPTED_INDEX },
    title: TITLE,
    url: TEXT,
  }),
}

/** The citations of a text block. */
export const citations: Check = listOf(unionOf(LOCATIONS, 'anthropic/block-type-unknown'))

/** An empty index cannot be one that the API gave; others can only be verified by the API. */
export function hasEmptyIndex(citation: unknown): boolean {
  return isObject(citation) && citation.type === 'web_search_result_location' && citation.encrypted_index === ''
}
