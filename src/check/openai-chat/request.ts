import { type Fields, isObject, valueAt } from '../../model/json.ts'
import type { ModelRow } from '../openai/models.ts'
import { modelRow } from '../openai/models.ts'
import { Place } from '../openai/place.ts'
import { Report } from '../openai/report.ts'
import type { FaultRules } from '../openai/shape.ts'
import type { Walk } from '../openai/verify.ts'
import type { CheckOptions } from '../rule.ts'
import { DIALECTS, VENDOR_FIELDS } from './dialects.ts'
import { type ChatRule, RULES } from './rules.ts'

/** One body under check. */
export interface ChatRequest extends Walk<ChatRule> {
  readonly body: Fields
  readonly messages: readonly unknown[]
  readonly model: ModelRow
}

/** A part of the check: raises its faults, in the order of the messages. */
export type Phase = (request: ChatRequest) => void

const DEFAULT_RULES: FaultRules<ChatRule> = {
  missing: 'missing-parameter',
  type: 'invalid-type',
  unknown: 'unknown-message-field',
  value: 'invalid-value',
  pattern: 'invalid-value',
  empty: 'invalid-length',
  long: 'invalid-length',
  range: 'invalid-range',
}

const NONE: ReadonlySet<string> = new Set()

export function openRequest(body: unknown, options: CheckOptions): ChatRequest {
  const report = new Report('openai-chat', RULES, DIALECTS, options)
  const messages = valueAt(body, 'messages')
  return {
    body: isObject(body) ? body : {},
    messages: Array.isArray(messages) ? messages : [],
    model: modelRow(report.foreign ? undefined : valueAt(body, 'model'), report.strict),
    report,
    place: new Place(),
    rules: DEFAULT_RULES,
    spared: report.foreign ? VENDOR_FIELDS : NONE,
  }
}
