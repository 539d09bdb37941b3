import type { AnthropicModel } from '../../rules/anthropic.ts'
import type { AnthropicOptions } from '../../rules/options.ts'
import type { Rules } from '../../rules/rules.ts'
import type { Output } from '../writer.ts'
import type { AnthropicMessage } from './wire.ts'

/** What the handlers of one segment share. */
export interface Context {
  readonly options: AnthropicOptions
  readonly rules: Rules
  readonly model: AnthropicModel
  readonly strict: boolean
  readonly output: Output<AnthropicMessage>
  /** Stored cache markers are written (`cache: 'keep'`). */
  readonly keepsMarkers: boolean
}
