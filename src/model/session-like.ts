import { ReadError } from './error.ts'
import { isObject } from './json.ts'

/**
 * Whether a value is meant as a session, whatever is wrong with its parts.
 * @throws {ReadError} with the path and the reason, when it is not.
 */
export function refuseOthers(session: unknown): void {
  if (!isObject(session) || !Array.isArray(session.messages)) {
    throw new ReadError('this is no session: expected an object with a list of messages', { path: 'messages' })
  }
  const { version = 1, messages } = session
  if (version !== 1) throw new ReadError('this version of the session is not known', { path: 'version' })
  if (messages.length > 0 && !messages.some(isMessage)) {
    throw new ReadError('none of the messages has a role and parts; readSession reads other forms', {
      path: 'messages[0]',
    })
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.role === 'string' && Array.isArray(value.parts)
}
