import { isObject } from '../../model/json.ts'
import { hasEmptyIndex } from './citations.ts'
import type { Rule, RuleId, Run } from './run.ts'
import { type Block, placeOf } from './survey.ts'

/** What the API encrypted only the API can verify, but an empty text is none of its own. */

const encryptedResults = (block: Block): boolean => {
  const content = block.value.content
  return Array.isArray(content) && content.some((result) => isObject(result) && result.encrypted_content === '')
}

const encryptedOutput = (block: Block): boolean => {
  const content = block.value.content
  return isObject(content) && content.encrypted_stdout === ''
}

const citedIndex = (block: Block): boolean => {
  const citations = block.value.citations
  return Array.isArray(citations) && citations.some(hasEmptyIndex)
}

interface Secret {
  readonly rule: RuleId
  readonly isEmpty: (block: Block) => boolean
  readonly message: string
}

const SECRETS: ReadonlyMap<string, Secret> = new Map<string, Secret>([
  [
    'web_search_tool_result',
    {
      rule: 'anthropic/web-search-encrypted-content',
      isEmpty: encryptedResults,
      message: 'Invalid `encrypted_content` in `search_result` block',
    },
  ],
  [
    'code_execution_tool_result',
    {
      rule: 'anthropic/encrypted-stdout',
      isEmpty: encryptedOutput,
      message: 'Invalid `encrypted_stdout` in `encrypted_code_execution_result` block',
    },
  ],
  [
    'text',
    {
      rule: 'anthropic/web-citation-encrypted-index',
      isEmpty: citedIndex,
      message: 'Invalid `encrypted_index` in `text` block',
    },
  ],
])

function checkBlock(block: Block, run: Run): void {
  const secret = SECRETS.get(block.type)
  if (secret?.isEmpty(block)) run.report(secret.rule, secret.message, placeOf(block))
}

export const SECRETS_RULES: readonly Rule[] = [
  {
    ids: [...SECRETS.values()].map(({ rule }) => rule),
    check: (run) => {
      for (const item of run.survey.items) for (const block of item.blocks) checkBlock(block, run)
    },
  },
]
