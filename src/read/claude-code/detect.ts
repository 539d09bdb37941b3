import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { SAMPLE } from '../evidence.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source } from '../reader.ts'
import { isMetadata } from './records.ts'

const CHAIN_TYPES: { readonly [type: string]: true } = {
  user: true,
  assistant: true,
  system: true,
  progress: true,
  attachment: true,
}

/**
 * The first record proves little: most files begin with a snapshot of files. A record of the parent chain proves it, but not
 * where a record tells of Qwen Code, which has the same envelope, or of pi.
 */
export function detect(source: Source): number {
  let best = 0
  for (const { value } of lineRecordsOf(source).slice(0, SAMPLE)) {
    if (!isObject(value) || typeof value.type !== 'string') continue
    if (isForeign(value)) return 0
    best = Math.max(best, score(value, value.type))
  }
  return best
}

function score(record: Fields, type: string): number {
  if (own(CHAIN_TYPES, type) === true) return chainScore(record)
  if (!isMetadata(type)) return 0
  if (type === 'summary') return typeof record.leafUuid === 'string' ? 0.6 : 0
  if (type === 'file-history-snapshot') return typeof record.messageId === 'string' ? 0.7 : 0
  return typeof record.sessionId === 'string' ? 0.6 : 0
}

function chainScore(record: Fields): number {
  if (typeof record.uuid !== 'string' || !('parentUuid' in record)) return 0
  return typeof record.sessionId === 'string' ? 0.95 : 0.8
}

function isForeign(record: Fields): boolean {
  const message = record.message
  if (isObject(message) && Array.isArray(message.parts)) return true
  return record.type === 'session' || record.type === 'tool_result' || record.systemPayload !== undefined
}
