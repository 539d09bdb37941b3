import { own } from '../../model/own.ts'
import type { Rule, RuleId, Run } from './run.ts'
import type { Block, Item } from './survey.ts'

/** The API of 2023 and 2024 wanted the roles to alternate; today it joins adjacent messages of one role. */
const alternation: Rule = {
  ids: ['anthropic/role-alternation-legacy'],
  level: 'strict',
  check: (run) => {
    for (const { role, items } of run.survey.turns) {
      const second = items[1]
      if (second === undefined) continue
      const message = `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`
      run.report('anthropic/role-alternation-legacy', message, `messages.${second.index}`)
    }
  },
}

/** Three recordings and a probe of nine models saw a leading assistant message accepted; older reports saw it refused. */
const firstMessage: Rule = {
  ids: ['anthropic/first-message-user'],
  level: 'strict',
  check: (run) => {
    const first = run.survey.turns[0]
    if (first?.role !== 'assistant') return
    const message = 'messages: first message must use the "user" role'
    run.report('anthropic/first-message-user', message, `messages.${first.items[0]?.index ?? 0}`)
  },
}

interface Place {
  readonly role: 'user' | 'assistant'
  readonly rule: RuleId
}

const SERVER: Place = { role: 'assistant', rule: 'anthropic/server-tool-in-user' }
const THINKING: Place = { role: 'assistant', rule: 'anthropic/thinking-in-user' }
const MEDIA: Place = { role: 'user', rule: 'anthropic/media-in-assistant' }

/** Where a block may stand; those that are not named may stand in both. */
const PLACES: { readonly [type: string]: Place } = {
  tool_use: { role: 'assistant', rule: 'anthropic/tool-use-in-user' },
  tool_result: { role: 'user', rule: 'anthropic/tool-result-in-assistant' },
  thinking: THINKING,
  redacted_thinking: THINKING,
  server_tool_use: SERVER,
  web_search_tool_result: SERVER,
  web_fetch_tool_result: SERVER,
  code_execution_tool_result: SERVER,
  bash_code_execution_tool_result: SERVER,
  text_editor_code_execution_tool_result: SERVER,
  tool_search_tool_result: SERVER,
  advisor_tool_result: SERVER,
  mcp_tool_use: SERVER,
  mcp_tool_result: SERVER,
  image: MEDIA,
  document: MEDIA,
  search_result: MEDIA,
  container_upload: MEDIA,
}

const blockInRole: Rule = {
  ids: [...new Set(Object.values(PLACES).map(({ rule }) => rule))],
  check: (run) => {
    for (const item of run.survey.items) {
      if (item.role === 'system') continue
      for (const block of item.blocks) checkPlace(block, item, run)
    }
  },
}

function checkPlace(block: Block, item: Item, run: Run): void {
  const place = own(PLACES, block.type)
  if (place === undefined || place.role === item.role) return
  const path = `messages.${item.index}`
  const message =
    place === THINKING
      ? `${path}.content: thinking blocks may only be in \`assistant\` messages`
      : `${path}: \`${block.type}\` blocks can only be in \`${place.role}\` messages`
  run.report(place.rule, message, path)
}

export const LEGACY_ROLES: readonly Rule[] = [alternation, firstMessage]
export const BLOCK_IN_ROLE: readonly Rule[] = [blockInRole]
