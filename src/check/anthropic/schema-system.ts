import { isObject } from '../../model/json.ts'
import type { Rule } from './run.ts'
import { BLOCK_AREA } from './run.ts'
import { TEXT } from './schema-content.ts'
import { type Check, checkShape, eachOf } from './shape.ts'
import * as words from './words.ts'

const TYPE = 'anthropic/system-type'

/** The top-level system prompt: text, or text blocks, without a tag in their paths. */
export const systemPrompt: Rule = {
  ids: [TYPE],
  check: (run) => {
    const system = run.body.system
    if (system === undefined || typeof system === 'string') return
    run.path.enter('system')
    run.area = BLOCK_AREA
    if (Array.isArray(system)) eachOf(system, checkItem, run)
    else run.fault(TYPE, words.NOT_ARRAY)
    run.path.leave()
  },
}

const checkItem: Check = (item, run) => {
  if (!isObject(item)) return run.fault(TYPE, words.NOT_OBJECT)
  if (item.type !== 'text') return run.faultAt('type', TYPE, words.notOneOf(['text']))
  checkShape(item, TEXT, run)
}
