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

export async function thisProcess(): Promise<ProcessIdentity> {
  const [machine, boot, space, start] = await Promise.all([
    told('/etc/machine-id'),
    told('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
    startOf(process.pid),
  ])
  return { host: hostname(), machine, boot, space, pid: process.pid, start: start === 'gone' ? '' : start }
}

/**
 * Whether that process certainly does not run any more. Of another host nothing is certain, nor of another container of this
 * one; where the system does not tell when a process started, a number that is in use again counts as the same process.
 */
export async function isGone(other: ProcessIdentity): Promise<boolean> {
  const self = await thisProcess()
  if (other.host !== self.host || other.machine !== self.machine) return false
  if (other.boot !== self.boot) return other.boot !== '' && self.boot !== ''
  if (other.space !== self.space) return false
  const start = await startOf(other.pid)
  if (start === 'gone') return true
  if (start !== '' && other.start !== '') return start !== other.start
  return !isRunning(other.pid)
}

/**
 * The 22nd field of `/proc/<pid>/stat`. A zombie is gone: it writes nothing any more.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
async function startOf(pid: number): Promise<string | 'gone'> {
  const stat = await told(`/proc/${pid}/stat`)
  if (stat === '') return (await told('/proc/self/stat')) === '' ? '' : 'gone'
  // The second field is the name, in parentheses, which may hold anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? 'gone' : (fields[18] ?? '')
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
