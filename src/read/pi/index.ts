import type { Reader } from '../reader.ts'
import { detect } from './detect.ts'
import { readTree } from './read.ts'

/** Session files of pi, versions 1 to 3, and of its relatives that write the same. */
export const reader: Reader = {
  format: 'pi',
  hasBranches: true,
  detect,
  read: (source, options) => readTree(source, options, 'pi'),
}
