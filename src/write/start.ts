import { change } from '../model/change.ts'
import { fitTexts, fitTools } from '../model/fits.ts'
import type { Change, Session } from '../model/session.ts'
import { refuseOthers } from '../model/session-like.ts'
import { canonicalPrompt } from '../read/entries/canonical.ts'

/**
 * The session itself when its prompt is clean, else without what is not. Messages are looked at one by one, later.
 * @throws {ReadError} when it is no session at all.
 */
export function startOf(session: Session, changes: Change[]): Session {
  refuseOthers(session)
  const { instructions, tools } = session
  if ((instructions === undefined || fitTexts(instructions)) && (tools === undefined || fitTools(tools))) return session
  const fitted = canonicalPrompt({ ...session }, (code, detail) => changes.push(change(code, {}, detail)))
  return fitted as unknown as Session
}
