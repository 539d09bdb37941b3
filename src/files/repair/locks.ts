/** A file whose locks are looked for. */
export interface LockedFile {
  /** Without links in it. */
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * Whether a process holds a lock of one of the files, by the table of locks of Linux. One of `own` does not count. Inodes are
 * counted on each device anew: the number alone may be that of any file of another disk.
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
export function isLocked(files: readonly LockedFile[], locks: string, mounts: string, own: number): boolean {
  const points = mountPoints(mounts)
  const names = new Set(files.flatMap((file) => lockNames(file, points)))
  return locks.split('\n').some((line) => {
    const words = line.split(/ +/)
    const at = words.findIndex((word) => word.split(':').length === 3)
    return names.has(words[at] ?? '') && words[at - 1] !== String(own)
  })
}

interface MountPoint {
  readonly path: string
  readonly device: string
}

/**
 * The names that a lock of the file may have. Some file systems (btrfs, overlays) give each of their volumes a device of its
 * own, which `stat` tells; locks then are of the device that is mounted.
 */
function lockNames({ path, dev, ino }: LockedFile, points: readonly MountPoint[]): readonly string[] {
  const mounted = points.findLast((point) => path === point.path || path.startsWith(point.path.replace(/\/?$/, '/')))
  const devices = [deviceName(majorOf(dev), minorOf(dev)), ...(mounted === undefined ? [] : [mounted.device])]
  return devices.map((device) => `${device}:${ino}`)
}

/**
 * Those that are deeper behind those that they are in, and of several in one place the one that covers the others last.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
 */
function mountPoints(mounts: string): readonly MountPoint[] {
  const points = mounts.split('\n').flatMap((line) => {
    const [, , device, , path] = line.split(' ')
    const [major, minor] = device?.split(':') ?? []
    if (path === undefined || major === undefined || minor === undefined) return []
    return [{ path: unescaped(path), device: deviceName(Number(major), Number(minor)) }]
  })
  return points.sort((a, b) => a.path.length - b.path.length)
}

/** Spaces and the like stand as their octal numbers. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

const deviceName = (major: number, minor: number): string => `${hex(major)}:${hex(minor)}`

const hex = (number: number): string => number.toString(16).padStart(2, '0')

/** @see https://man7.org/linux/man-pages/man3/makedev.3.html */
const majorOf = (dev: bigint): number => Number(((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n))
const minorOf = (dev: bigint): number => Number((dev & 0xffn) | ((dev >> 12n) & 0xffffff00n))
