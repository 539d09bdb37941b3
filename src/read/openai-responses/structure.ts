import type { Structure } from '../shallow.ts'

/** item, content or output, part. */
export const ITEM: Structure = { keys: new Set(['content', 'output', 'summary']), levels: 3 }
/** A list of tools. */
export const LIST: Structure = { keys: new Set(), levels: 2 }
