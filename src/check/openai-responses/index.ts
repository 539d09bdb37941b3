import { checkOptions, type OptionRules } from '../../model/options.ts'
import { raiseEncoding } from '../openai/encoding.ts'
import { idsOf } from '../openai/report.ts'
import { checkRules } from '../options.ts'
import type { Checker, Violation } from '../rule.ts'
import { controlTokens } from './control-tokens.ts'
import { lookups, reasoningOfModel } from './reasoning.ts'
import { KNOWN, openRequest, type Phase, type ResponsesCheckOptions } from './request.ts'
import { RULES } from './rules.ts'
import { scanItems } from './scan.ts'
import { namespaces } from './tools.ts'
import { itemShapes, jsonWord, topLevel } from './top-level.ts'

export type { KnownItems, ResponsesCheckOptions } from './request.ts'

/** The order in which the API validates; the first fault of the first phase that finds one is its answer. */
const PHASES: readonly Phase[] = [
  topLevel, // the parameters come before the list they hold
  itemShapes, // each item by its type, in the order of the list
  reasoningOfModel, // the model is looked at once the shapes are right
  namespaces, // a call must name a tool
  scanItems, // calls and outputs, reasoning and what it led to, over the whole list
  lookups, // items and responses that the server must hold
  jsonWord,
  controlTokens, // the text itself is read last
]

const IDS = idsOf('openai-responses', RULES)
const OPTIONS: OptionRules = { ...checkRules('openai-responses', IDS), known: KNOWN }

/**
 * What `POST /v1/responses` refuses in this body, in the order in which it validates: the first violation is its answer.
 * `dialect` names another server that speaks the API, such as 'xai' or 'copilot'; `platform` is 'openai' or 'azure'; `known`
 * says which items and responses the server holds. Never throws for a body.
 * @throws {TypeError} for wrong options.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function checkOpenAIResponses(body: unknown, options: ResponsesCheckOptions = {}): readonly Violation[] {
  checkOptions(options, OPTIONS)
  const request = openRequest(body, options)
  if (!raiseEncoding(body, request.report)) for (const phase of PHASES) phase(request)
  return request.report.violations
}

export const checker: Checker = { api: 'openai-responses', rules: IDS, check: checkOpenAIResponses }
