import type { MockRequest } from './reply.ts'

/** Of each request, and of a message that quotes what was sent. A hostile body breaks rules by the thousand. */
const MOST_TOLD = 50
const MOST_CHARACTERS = 2000

/** Says of each refused request what its API would answer, and what else is wrong with it. */
export function refusedError(requests: readonly MockRequest[]): Error {
  const count = requests.length === 1 ? 'A request was refused' : `${requests.length} requests were refused`
  const lines = requests.flatMap(({ url, violations }) => [
    `POST ${url}`,
    ...violations
      .slice(0, MOST_TOLD)
      .map(({ rule, path, message }) => `  ${rule}${path === '' ? '' : ` at ${path}`}: ${shortened(message)}`),
    ...(violations.length > MOST_TOLD ? [`  and ${violations.length - MOST_TOLD} more`] : []),
  ])
  return new Error([`${count}.`, ...lines].join('\n'))
}

function shortened(message: string): string {
  return message.length <= MOST_CHARACTERS ? message : `${message.slice(0, MOST_CHARACTERS)}…`
}
