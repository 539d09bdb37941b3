import { readTree } from '../pi/read.ts'
import type { Reader } from '../reader.ts'
import { detect } from './detect.ts'
import { readRecords } from './read.ts'
import { hasRecords } from './records.ts'

/** Sessions of oino: files of `record` lines, and files in pi's third version with records of dispatch and repair. */
export const reader: Reader = {
  format: 'oino',
  hasBranches: true,
  detect,
  read: (source, options) => (hasRecords(source) ? readRecords(source, options) : readTree(source, options, 'oino')),
}
