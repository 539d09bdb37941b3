import { isObject, stringAt } from '../../model/json.ts'
import { blocksOf } from '../anthropic/blocks.ts'
import { reportFurtherFields } from '../anthropic/fields.ts'
import type { Block } from '../anthropic/media.ts'
import type { Report } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'

/** One content block as the API's own reader takes it; undefined, and reported, when it is none. */
export function blockOf(raw: unknown, report: Report): Block | undefined {
  const bounded = isFlat(raw, FLAT) ? raw : shallow(raw, STRUCTURE, (before) => report('value-too-deep', { before }))
  const block = isObject(bounded) && typeof bounded.type === 'string' ? bounded : blocksOf([bounded], report)[0]
  if (block !== undefined) reportFurtherFields(block, report)
  return block
}

/** A block, the list that a result holds, and the blocks in it. */
const STRUCTURE: Structure = { keys: new Set(['content']), levels: 3 }

/** Most blocks are no deeper: a call, its input, a list in it. */
const FLAT = 4

/** Whether no more than so many containers are nested, without allocating anything. */
function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isFlat(item, levels - 1))
  for (const key in value) if (!isFlat((value as Block)[key], levels - 1)) return false
  return true
}

/** A text of white space only, which the API refuses, or thinking without text and signature, which says nothing. */
export function isBlank(block: Block): boolean {
  if (block.type === 'text') return typeof block.text === 'string' && !/\S/.test(block.text)
  if (block.type !== 'thinking') return false
  return stringAt(block, 'signature') === undefined && !/\S/.test(stringAt(block, 'thinking') ?? '')
}
