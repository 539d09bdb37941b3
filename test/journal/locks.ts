import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { thisProcess } from '../../src/journal/process-identity.ts'

/** A process that has ended, as it was while it ran. */
export async function ended(): Promise<{ pid: number; start: string }> {
  const child = spawn('true')
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  await once(child, 'exit')
  return { pid: child.pid!, start: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]! }
}

export const NONCE = '00000000-0000-4000-8000-000000000000'

/** A lock as this process would make it, but for some fields. */
export async function lock(path: string, fields: object): Promise<void> {
  const holder = { ...(await thisProcess()), nonce: NONCE, since: '2020-01-01T00:00:00.000Z', ...fields }
  writeFileSync(`${path}.lock`, JSON.stringify(holder))
}
