import { randomUUID } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import { isObject } from '../../model/json.ts'
import type { LeaseHolder } from '../error.ts'
import { isGone, type ProcessIdentity, thisProcess } from '../process-identity.ts'
import { ascii } from './sql.ts'

/** What row 0 says of the owner. */
interface RowHolder extends ProcessIdentity, LeaseHolder {
  /** Of this opening alone. */
  readonly nonce: string
  /** The namespace that the number of the process is of; '' where it is not told. */
  readonly space: string
}

const UNREADABLE: LeaseHolder = { host: '', pid: 0, since: '' }

/** This opening, as row 0 tells it. */
export async function thisHolder(name: string | undefined): Promise<string> {
  const holder: RowHolder = {
    ...(await thisProcess()),
    space: await space(),
    nonce: randomUUID(),
    since: new Date().toISOString(),
    ...(name === undefined ? {} : { name }),
  }
  return ascii(JSON.stringify(holder))
}

/** For people. */
export const toldHolder = (text: string): LeaseHolder => parsed(text) ?? UNREADABLE

/**
 * Whether the row tells of a process that certainly does not run any more. Machines of a fleet may have one name, and
 * containers of one machine see each other's processes no more than those of others: so only where kernel and namespace are
 * those of this process. Else the lease runs out.
 */
export async function isDead(text: string): Promise<boolean> {
  const holder = parsed(text)
  if (holder === undefined || holder.boot === '' || holder.space === '') return false
  const isOfHere = holder.boot === (await thisProcess()).boot && holder.space === (await space())
  return isOfHere && (await isGone(holder))
}

function parsed(text: string): RowHolder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return undefined
    const { host, machine, boot, start, space, since, name = '' } = value
    const isHolder = [host, machine, boot, start, space, since, name].every((found) => typeof found === 'string')
    return isHolder ? (value as unknown as RowHolder) : undefined
  } catch {
    return undefined
  }
}

/** @see https://man7.org/linux/man-pages/man7/namespaces.7.html */
async function space(): Promise<string> {
  try {
    return await readlink('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
