import type { Json } from '../model/session.ts'
import type { Report } from './report.ts'
import { type Structure, shallow } from './shallow.ts'

/** The value itself, or its JSON text when it is nested more deeply than the model allows. */
export function bounded(value: unknown, report: Report): Json {
  return shallow(value, OPAQUE, (before) => report('value-too-deep', { before })) as Json
}

/** A value that no format knows the inside of. */
const OPAQUE: Structure = { keys: new Set(), levels: 0 }
