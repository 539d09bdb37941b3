import { type Fields, isObject, valueAt } from '../../model/json.ts'
import type { OptionRule } from '../../model/options.ts'
import { isSet } from '../openai/given.ts'
import type { ModelRow } from '../openai/models.ts'
import { modelRow } from '../openai/models.ts'
import { Place } from '../openai/place.ts'
import { Report } from '../openai/report.ts'
import type { FaultRules } from '../openai/shape.ts'
import type { Walk } from '../openai/verify.ts'
import type { CheckOptions } from '../rule.ts'
import { DIALECTS } from './dialects.ts'
import { type ResponsesRule, RULES } from './rules.ts'

/** What a server holds, as far as the caller knows it: a mock knows what it handed out. */
export interface KnownItems {
  /** Ids of stored items, each with the id of the reasoning item that it was generated with, or null. */
  readonly items: ReadonlyMap<string, string | null>
  /** Ids of stored responses. */
  readonly responses: ReadonlySet<string>
}

/** Looked at by what it can do: a map may be of another realm. */
export const KNOWN: OptionRule = {
  wanted: 'an object with a map of items and a set of responses',
  fits: (value) => isObject(value) && can(value.items, 'get') && can(value.responses, 'has'),
}

const can = (value: unknown, method: string): boolean => isObject(value) && typeof value[method] === 'function'

export interface ResponsesCheckOptions extends CheckOptions {
  /** Without it, references to stored items and responses are taken to be good. */
  readonly known?: KnownItems | undefined
}

/** One body under check. */
export interface ResponsesRequest extends Walk<ResponsesRule> {
  readonly body: Fields
  /** The items of the input; none when it is a text. */
  readonly items: readonly unknown[]
  readonly model: ModelRow
  readonly known: KnownItems | undefined
  /** The input continues what the server holds, so calls and items may stand there. */
  readonly continues: boolean
}

/** A part of the check: raises its faults, in the order of the items. */
export type Phase = (request: ResponsesRequest) => void

const DEFAULT_RULES: FaultRules<ResponsesRule> = {
  missing: 'missing-item-field',
  type: 'invalid-type',
  unknown: 'unknown-item-field',
  value: 'invalid-value',
  pattern: 'invalid-value',
  empty: 'invalid-length',
  long: 'string-too-long',
  range: 'invalid-range',
}

export function openRequest(body: unknown, options: ResponsesCheckOptions): ResponsesRequest {
  const report = new Report('openai-responses', RULES, DIALECTS, options)
  const input = valueAt(body, 'input')
  return {
    body: isObject(body) ? body : {},
    items: Array.isArray(input) ? input : [],
    model: modelRow(report.foreign ? undefined : valueAt(body, 'model'), report.strict),
    known: options.known,
    continues: isSet(body, 'previous_response_id') || isSet(body, 'conversation'),
    report,
    place: new Place(),
    rules: DEFAULT_RULES,
    spared: new Set(),
  }
}

/** The type of an item; one without a type is a message when it has a role, else a reference. */
export function typeOf(item: Fields): string {
  const type = valueAt(item, 'type')
  if (typeof type === 'string') return type
  return valueAt(item, 'role') === undefined ? 'item_reference' : 'message'
}
