import { checkOptions } from '../../model/options.ts'
import { raiseEncoding } from '../openai/encoding.ts'
import { idsOf } from '../openai/report.ts'
import { checkRules } from '../options.ts'
import type { Checker, CheckOptions, Violation } from '../rule.ts'
import { contentOf2023, messageShapes } from './message-schema.ts'
import { pairing } from './pairing.ts'
import { openRequest, type Phase } from './request.ts'
import { capabilities } from './roles.ts'
import { RULES } from './rules.ts'
import { toolOptions, toolsWithReasoning } from './tools.ts'
import { jsonWord, modelOptions, topLevel } from './top-level.ts'

/** The order in which the API validates; the first fault of the first phase that finds one is its answer. */
const PHASES: readonly Phase[] = [
  topLevel, // the parameters come before the list they hold
  messageShapes, // each message by its role, in the order of the list
  modelOptions, // the model is looked at once the shapes are right
  toolsWithReasoning,
  capabilities, // roles and parts that the model takes
  toolOptions, // the older semantic validator: options first
  pairing, // then calls and results, over the whole list
  jsonWord,
  contentOf2023, // API versions of 2023, with a validator of their own
]

const IDS = idsOf('openai-chat', RULES)
const OPTIONS = checkRules('openai-chat', IDS)

/**
 * What `POST /v1/chat/completions` refuses in this body, in the order in which it validates: the first violation is its
 * answer. `dialect` names another server that speaks the API, such as 'deepseek' or 'openrouter'; `platform` is 'openai'
 * or 'azure'. Never throws for a body.
 * @throws {TypeError} for wrong options.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function checkOpenAIChat(body: unknown, options: CheckOptions = {}): readonly Violation[] {
  checkOptions(options, OPTIONS)
  const request = openRequest(body, options)
  if (!raiseEncoding(body, request.report)) for (const phase of PHASES) phase(request)
  return request.report.violations
}

export const checker: Checker = { api: 'openai-chat', rules: IDS, check: checkOpenAIChat }
