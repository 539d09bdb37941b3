import type { Case } from './case.ts'
import { ENCODING_CASES, THINKING_CASES, TOOL_CASES } from './config-cases.ts'
import { PAIR_CASES, ROLE_CASES, SYSTEM_CASES } from './conversation-cases.ts'
import { CALL_CASES, ITEM_CASES, MEDIA_CASES } from './schema-cases.ts'

export const CASES: readonly Case[] = [
  ...ENCODING_CASES,
  ...ITEM_CASES,
  ...CALL_CASES,
  ...MEDIA_CASES,
  ...TOOL_CASES,
  ...THINKING_CASES,
  ...SYSTEM_CASES,
  ...ROLE_CASES,
  ...PAIR_CASES,
]
