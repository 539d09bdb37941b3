import { type Fields, isObject } from '../../model/json.ts'
import type { Run } from './run.ts'
import type { Check, Field } from './shape.ts'
import * as words from './words.ts'

const TYPE = 'anthropic/cache-type'
const SCOPE = 'anthropic/cache-scope'

/** The shape of one marker; a good one is remembered for the rules on their number and order. */
const cacheControl: Check = (value, run) => {
  if (!checkMarker(value, run)) return
  const { area, place } = placeOfMarker(run)
  run.markers[area].push({ place, ttl: value.ttl === '1h' ? '1h' : '5m' })
}

/** The top-level marker lets the API choose the block. */
export const automaticCacheControl: Check = (value, run) => {
  checkMarker(value, run)
}

export const CACHE_CONTROL: Field = { check: cacheControl, nullable: true }

function checkMarker(value: unknown, run: Run): value is Fields {
  if (!isObject(value)) {
    run.fault(TYPE, words.NOT_OBJECT)
    return false
  }
  const type = value.type
  if (type !== 'ephemeral') {
    run.faultAt('type', TYPE, type === undefined ? words.REQUIRED : words.notOneOf(['ephemeral']))
    return false
  }
  run.path.enter('ephemeral')
  const ttl = value.ttl
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h') run.faultAt('ttl', TYPE, words.notOneOf(['5m', '1h']))
  for (const key in value) {
    if (key !== 'type' && key !== 'ttl' && value[key] !== undefined) run.faultAt(key, SCOPE, words.EXTRA)
  }
  run.path.leave()
  return true
}

/** The types of blocks and tools stand in the path of a schema fault, and not in those of the conversation phase. */
function placeOfMarker(run: Run): { readonly area: 'tools' | 'system' | 'messages'; readonly place: string } {
  const path = run.path.head(-1)
  const area = path[0] === 'tools' || path[0] === 'system' ? path[0] : 'messages'
  const types = area === 'messages' ? [4, 7] : [2]
  return { area, place: path.filter((_, index) => !types.includes(index)).join('.') }
}
