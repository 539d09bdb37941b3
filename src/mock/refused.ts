import type { MockRequest } from './reply.ts'

/** Says of each refused request what its API would answer, and what else is wrong with it. */
export function refusedError(requests: readonly MockRequest[]): Error {
  const count = requests.length === 1 ? 'A request was refused' : `${requests.length} requests were refused`
  const lines = requests.flatMap(({ url, violations }) => [
    `POST ${url}`,
    ...violations.map(({ rule, path, message }) => `  ${rule}${path === '' ? '' : ` at ${path}`}: ${message}`),
  ])
  return new Error([`${count}.`, ...lines].join('\n'))
}
