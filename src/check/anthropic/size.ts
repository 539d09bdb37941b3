import type { Platform, Rule, Run } from './run.ts'

const MIB = 1024 * 1024

interface Limit {
  readonly bytes: number
  readonly message: string
}

/** First party the refusal comes from the server in front of the API, with words of its own. */
const LIMITS: { readonly [platform in Platform]: Limit } = {
  anthropic: { bytes: 32 * MIB, message: 'Request exceeds the maximum size' },
  bedrock: { bytes: 20 * MIB, message: 'Request exceeds the maximum allowed number of bytes.' },
  vertex: { bytes: 30 * MIB, message: 'Request exceeds the maximum allowed number of bytes.' },
}

/** JSON escapes take up to six bytes for a unit; punctuation and numbers are covered by this many bytes for a value. */
const MOST_BYTES_PER_UNIT = 6
const MOST_BYTES_PER_VALUE = 32

/** The text is only measured when the sum of the lengths leaves it open. */
function isOver(run: Run, limit: number): boolean {
  const { units, values } = run.scan
  if (units > limit) return true
  if (units * MOST_BYTES_PER_UNIT + values * MOST_BYTES_PER_VALUE <= limit) return false
  return new TextEncoder().encode(run.json ?? '').length > limit
}

const requestTooLarge: Rule = {
  ids: ['anthropic/request-too-large'],
  check: (run) => {
    const { bytes, message } = LIMITS[run.platform]
    if (!isOver(run, bytes)) return
    run.report('anthropic/request-too-large', message, '', { status: 413, type: 'request_too_large' })
  },
}

export const SIZE: readonly Rule[] = [requestTooLarge]
