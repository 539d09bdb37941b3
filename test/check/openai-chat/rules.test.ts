import { describe } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { RULES } from '../../../src/check/openai-chat/rules.ts'
import { testEachRule } from '../openai/each-rule.ts'
import { CASES } from './rule-cases.ts'

describe('every rule of chat completions', () => {
  testEachRule({ api: 'openai-chat', table: RULES, cases: CASES, check: checkOpenAIChat })
})
