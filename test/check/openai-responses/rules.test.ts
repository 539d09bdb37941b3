import { describe } from 'vitest'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import { RULES } from '../../../src/check/openai-responses/rules.ts'
import { testEachRule } from '../openai/each-rule.ts'
import { CASES } from './rule-cases.ts'

describe('every rule of the Responses API', () => {
  testEachRule({ api: 'openai-responses', table: RULES, cases: CASES, check: checkOpenAIResponses })
})
