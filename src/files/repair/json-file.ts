import type { Session } from '../../model/session.ts'
import { readSession } from '../../read/index.ts'
import { RepairError } from './error.ts'
import { JsonText } from './json-text.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/** The JSON text of a file. @throws {RepairError} when it is no UTF-8, or no JSON. */
export function jsonText({ bytes }: StoredFile): JsonText {
  return new JsonText(decoded(bytes))
}

/** @throws {RepairError} when it is no UTF-8. */
export function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new RepairError('unsupported', 'this file is not UTF-8 throughout: writing it anew would change more', {
      cause: error,
    })
  }
}

/** The plan that puts the edited text in the place of the file. */
export function replacing({ format, bytes }: StoredFile, text: JsonText, closed: readonly OpenCall[]): Plan {
  const read = (source: Uint8Array): Session => readSession(source, { format }).session
  const session = read(bytes)
  if (text.edits.length === 0) return { session, closed, after: () => session }
  const edited = Buffer.from(text.edited())
  return { session, closed, replacement: { bytes: edited, edits: text.edits }, after: () => read(edited) }
}
