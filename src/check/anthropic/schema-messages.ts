import { type Fields, isObject } from '../../model/json.ts'
import type { Rule, Run } from './run.ts'
import { checkBlock } from './schema-blocks.ts'
import { type Check, eachOf } from './shape.ts'
import * as words from './words.ts'

/** Each message in the order in which the API looks: object, role, content, blocks, then keys that it does not know. */
export const messagesSchema: Rule = {
  ids: [
    'anthropic/messages-required',
    'anthropic/message-object',
    'anthropic/message-role-required',
    'anthropic/message-role-allowed',
    'anthropic/message-role-type',
    'anthropic/message-content-required',
    'anthropic/message-content-type',
    'anthropic/block-object',
    'anthropic/block-type-unknown',
    'anthropic/block-field-required',
    'anthropic/block-field-string',
    'anthropic/block-field-type',
    'anthropic/block-extra-field',
    'anthropic/message-extra-keys',
    'anthropic/system-output-config-beta',
    'anthropic/tool-use-id-pattern',
    'anthropic/tool-use-id-length',
    'anthropic/tool-use-name-length',
    'anthropic/tool-use-input-object',
    'anthropic/tool-use-input-required',
    'anthropic/tool-use-caller',
    'anthropic/tool-result-id-pattern',
    'anthropic/tool-result-content-kinds',
    'anthropic/tool-result-content-type',
    'anthropic/tool-result-inner-block',
    'anthropic/tool-result-inner-extra',
    'anthropic/is-error-text-only',
    'anthropic/is-error-type',
    'anthropic/tool-reference-field',
    'anthropic/nested-citation-extra',
    'anthropic/web-citation-encrypted-index',
    'anthropic/thinking-signature-required',
    'anthropic/thinking-text-required',
    'anthropic/redacted-data-required',
    'anthropic/thinking-cache-control',
    'anthropic/server-tool-id-pattern',
    'anthropic/server-tool-name',
    'anthropic/server-tool-input',
    'anthropic/server-result-shape',
    'anthropic/web-search-encrypted-content',
    'anthropic/advisor-beta',
    'anthropic/mcp-blocks-beta',
    'anthropic/fallback-block-beta',
    'anthropic/compaction-beta',
    'anthropic/compaction-fields',
    'anthropic/cache-empty-text',
    'anthropic/cache-type',
    'anthropic/cache-scope',
    'anthropic/image-media-type',
    'anthropic/image-source-type',
    'anthropic/image-url',
    'anthropic/image-url-platform',
    'anthropic/pdf-media-type',
    'anthropic/text-source-media-type',
    'anthropic/search-result-shape',
    'anthropic/bedrock-unsupported',
    'anthropic/vertex-unsupported',
  ],
  check: (run) => {
    const messages = run.body.messages
    run.path.enter('messages')
    if (messages === undefined) run.fault('anthropic/messages-required', words.REQUIRED)
    else if (!Array.isArray(messages)) run.fault('anthropic/messages-required', words.NOT_ARRAY)
    else if (messages.length === 0) run.fault('anthropic/messages-required', 'at least one message is required')
    else eachOf(messages, checkMessage, run)
    run.path.leave()
  },
}

const ROLES = new Set<unknown>(['user', 'assistant', 'system'])

const checkMessage: Check = (message, run) => {
  if (!isObject(message)) return run.fault('anthropic/message-object', words.NOT_OBJECT)
  const role = message.role
  if (role === undefined) return run.faultAt('role', 'anthropic/message-role-required', words.REQUIRED)
  if (typeof role !== 'string') return run.faultAt('role', 'anthropic/message-role-type', words.NOT_STRING)
  if (!ROLES.has(role)) return unexpectedRole(role, run)
  checkContent(message, run)
  for (const key in message) {
    if (key !== 'role' && key !== 'content' && message[key] !== undefined) checkKey(key, role, run)
  }
}

/** The words name no index. */
function unexpectedRole(role: string, run: Run): void {
  const message = `messages: Unexpected role "${role}". Allowed roles are "user" or "assistant"`
  run.report('anthropic/message-role-allowed', message, `${run.path}.role`)
}

function checkContent(message: Fields, run: Run): void {
  const content = message.content
  run.path.enter('content')
  if (content === undefined) {
    if (!isDirective(message)) run.fault('anthropic/message-content-required', words.REQUIRED)
  } else if (Array.isArray(content)) eachOf(content, checkBlock, run)
  else if (typeof content !== 'string') run.fault('anthropic/message-content-type', words.NOT_ARRAY)
  run.path.leave()
}

/** A system message that only sets options needs no content. */
export function isDirective(message: Fields): boolean {
  return message.role === 'system' && isObject(message.output_config)
}

const SYSTEM_KEYS = new Map([
  ['output_config', 'mid-conversation-output-config'],
  ['clear_at', 'mid-conversation-system-clear-at'],
])

function checkKey(key: string, role: string, run: Run): void {
  const beta = role === 'system' ? SYSTEM_KEYS.get(key) : undefined
  if (beta === undefined) run.faultAt(key, 'anthropic/message-extra-keys', words.EXTRA)
  else if (!run.hasBeta(beta)) run.faultAt(key, 'anthropic/system-output-config-beta', words.EXTRA)
}
