import { stringAt } from '../../model/json.ts'
import { blocksOf } from '../anthropic/blocks.ts'
import { reportFurtherFields } from '../anthropic/fields.ts'
import type { Block } from '../anthropic/media.ts'
import type { Report } from '../report.ts'
import { shallow } from '../shallow.ts'

/** One content block as the API's own reader takes it; undefined, and reported, when it is none. */
export function blockOf(raw: unknown, report: Report): Block | undefined {
  const bounded = shallow(raw, 1, (before) => report('value-too-deep', { before }))
  const block = blocksOf([bounded], report)[0]
  if (block !== undefined) reportFurtherFields(block, report)
  return block
}

/** A text of white space only, which the API refuses, or thinking without text and signature, which says nothing. */
export function isBlank(block: Block): boolean {
  const text = stringAt(block, 'text')
  if (block.type === 'text') return text !== undefined && !/\S/.test(text)
  return (
    block.type === 'thinking' &&
    stringAt(block, 'signature') === undefined &&
    !/\S/.test(stringAt(block, 'thinking') ?? '')
  )
}
