import type { Structure } from '../shallow.ts'

/** Lists and objects of contents, and of the records that Gemini CLI and its forks put around them. */
export const CONTENT: Structure = {
  keys: new Set([
    'content',
    'message',
    'parts',
    'functionCall',
    'functionResponse',
    'toolCalls',
    'result',
    'thoughts',
    'systemPayload',
    'compressedHistory',
    'history',
  ]),
  levels: 9,
}
