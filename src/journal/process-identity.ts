import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** One process of one host, told from all others before and after it. No clock has a part in it. */
export interface ProcessIdentity {
  readonly host: string
  /** The installation of the system; '' where there is none. */
  readonly machine: string
  /** Of this start of the system; '' where it is not told. */
  readonly boot: string
  /** Within which `pid` counts: containers have their own, and see no process of others. '' where it is not told. */
  readonly space: string
  readonly pid: number
  /** When the process started, in ticks since the start of the system; '' where it is not told. */
  readonly start: string
}

/** What a file of the system says; '' when it cannot be read. */
export type Told = (path: string) => Promise<string>

/** Does not change while the process runs. */
let known: Omit<ProcessIdentity, 'host' | 'pid'> | undefined

export async function thisProcess(): Promise<ProcessIdentity> {
  const { machine, boot, space, start } = known ?? (await lookedUp())
  return { host: hostname(), machine, boot, space, pid: process.pid, start }
}

/** Asked again as long as something is not told: that may be for want of a file handle. */
async function lookedUp(): Promise<Omit<ProcessIdentity, 'host' | 'pid'>> {
  const [machine, boot, space, stat] = await Promise.all([
    told('/etc/machine-id'),
    told('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
    told('/proc/self/stat'),
  ])
  const found = { machine, boot, space, start: processIn(stat).start }
  if (Object.values(found).every((text) => text !== '')) known = found
  return found
}

/**
 * Whether that process certainly does not run any more. Of another host nothing is certain, nor of another container of this
 * one; where the system does not tell when a process started, a number that is in use again counts as the same process.
 */
export async function isGone(other: ProcessIdentity, tell: Told = told): Promise<boolean> {
  const self = await thisProcess()
  if (other.host !== self.host || other.machine !== self.machine) return false
  if (other.boot !== self.boot) return other.boot !== '' && self.boot !== ''
  if (other.space !== self.space) return false
  const { start, isZombie } = processIn(await tell(`/proc/${other.pid}/stat`))
  if (isZombie) return true
  if (start !== '' && other.start !== '') return start !== other.start
  // Not told is not gone: processes of other users may be hidden, and to read takes a file handle, of which there may be none.
  return !isRunning(other.pid)
}

/**
 * What `/proc/<pid>/stat` says. When the process started is its 22nd field. A zombie is gone: it writes nothing any more.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function processIn(stat: string): { readonly start: string; readonly isZombie: boolean } {
  // The second field is the name, in parentheses, which may hold anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { start: fields[18] ?? '', isZombie: state === 'Z' || state === 'X' }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function told(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    return ''
  }
}
