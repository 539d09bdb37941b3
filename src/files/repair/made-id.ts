import { createHash } from 'node:crypto'

/** 32 hex digits that the parts decide: a dry run and the repair name their records alike. */
export function madeHex(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** As a UUID that a name decides looks. */
export function madeUuid(...parts: readonly (string | number)[]): string {
  const hex = madeHex(...parts)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
