import { isObject } from '../../model/json.ts'
import type { Marker, Rule, Run } from './run.ts'

const MAX_MARKERS = 4

/** In the order in which the API reads a request. */
const markersOf = (run: Run): readonly Marker[] => [
  ...run.markers.tools,
  ...run.markers.system,
  ...run.markers.messages,
]

/** The ttl of the marker that the API itself puts on the last block. */
function automaticTtl(run: Run): '5m' | '1h' | undefined {
  const marker = run.body.cache_control
  if (!isObject(marker) || marker.type !== 'ephemeral') return undefined
  return marker.ttl === '1h' ? '1h' : '5m'
}

/** The marker that already stands on that block. */
function targetOf(run: Run): Marker | undefined {
  const last = run.survey.items.at(-1)?.blocks.at(-1)
  if (last === undefined) return undefined
  const place = `messages.${last.message}.content.${last.index}`
  return run.markers.messages.find((marker) => marker.place === place)
}

const count: Rule = {
  ids: ['anthropic/cache-max-4'],
  check: (run) => {
    const markers = markersOf(run)
    const added = automaticTtl(run) !== undefined && targetOf(run) === undefined ? 1 : 0
    const found = markers.length + added
    if (found <= MAX_MARKERS) return
    const message = `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${found}.`
    run.report('anthropic/cache-max-4', message, markers[MAX_MARKERS]?.place ?? 'cache_control')
  },
}

const order: Rule = {
  ids: ['anthropic/cache-ttl-order'],
  check: (run) => {
    let short = false
    for (const { place, ttl } of markersOf(run)) {
      if (ttl === '5m') short = true
      else if (short) {
        const path = `${place}.cache_control.ttl`
        const message = `${path}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
        run.report('anthropic/cache-ttl-order', message, path)
      }
    }
  },
}

const conflict: Rule = {
  ids: ['anthropic/cache-toplevel-conflict'],
  check: (run) => {
    const ttl = automaticTtl(run)
    const target = targetOf(run)
    if (ttl === undefined || target === undefined || target.ttl === ttl) return
    const message = `Top-level cache_control has ttl='${ttl}' but the target block already has cache_control with ttl='${target.ttl}'`
    run.report('anthropic/cache-toplevel-conflict', message, 'cache_control')
  },
}

export const CACHE: readonly Rule[] = [count, order, conflict]
