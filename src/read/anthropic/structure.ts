import type { Structure } from '../shallow.ts'

/** message, content, block, content of a result, block. */
export const MESSAGE: Structure = { keys: new Set(['content']), levels: 5 }
/** A list of tools or of system blocks. */
export const LIST: Structure = { keys: new Set(), levels: 2 }
