import { describe, expect, it } from 'vitest'
import { isLocked, type LockedFile } from '../../../src/files/repair/locks.ts'

const OWN = 77
const MOUNTS = [
  '26 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
  '40 26 0:38 /home /home rw,relatime shared:1 - btrfs /dev/sdb1 rw,subvol=/home',
  '41 40 259:300 / /home/a\\040b rw - xfs /dev/nvme0n1p4 rw',
  '42 40 8:18 / /home/covered rw - ext4 /dev/sdb2 rw',
  '44 26 8:33 /file /srv/alone.db rw - ext4 /dev/sdc1 rw',
  '43 40 8:19 / /home/covered rw - ext4 /dev/sdb3 rw',
].join('\n')

/** As the system puts the two numbers of a device together, where both are small. */
const device = (major: bigint, minor: bigint): bigint => (major << 8n) | minor

const file = (path: string, dev: bigint, ino = 1234n): LockedFile => ({ path, dev, ino })
const lock = (place: string, pid = 4711): string => `1: POSIX  ADVISORY  WRITE ${pid} ${place} 1073741826 1073742335\n`

const isHeld = (one: LockedFile, locks: string): boolean => isLocked([one], locks, MOUNTS, OWN)

describe('the table of locks', () => {
  const database = file('/srv/opencode.db', device(8n, 1n))

  it('tells a lock of the file', () => {
    expect(isHeld(database, lock('08:01:1234'))).toBe(true)
    expect(isHeld(database, `${lock('08:01:99')}2: FLOCK  ADVISORY  READ  5 08:01:1234 0 EOF\n`)).toBe(true)
    expect(isHeld(database, '1: OFDLCK ADVISORY  WRITE -1 08:01:1234 0 EOF\n')).toBe(true)
    expect(isHeld(database, `1: -> POSIX  ADVISORY  WRITE 9 08:01:1234 0 EOF\n`)).toBe(true)
  })

  it('tells nothing of a file of the same number on another device', () => {
    expect(isHeld(database, lock('08:02:1234'))).toBe(false)
    expect(isHeld(database, lock('fe:01:1234'))).toBe(false)
    expect(isHeld(database, lock('08:01:12345'))).toBe(false)
  })

  it('does not count locks of this process', () => {
    expect(isHeld(database, lock('08:01:1234', OWN))).toBe(false)
  })

  it('names the device that is mounted, where files have one of their own', () => {
    expect(isHeld(file('/home/me/opencode.db', device(0n, 55n)), lock('00:26:1234'))).toBe(true)
    expect(isHeld(file('/home/me/opencode.db', device(0n, 55n)), lock('08:01:1234'))).toBe(false)
    expect(isHeld(file('/homely/opencode.db', device(0n, 55n)), lock('00:26:1234'))).toBe(false)
    expect(isHeld(file('/home/a b/opencode.db', 0n), lock('103:12c:1234'))).toBe(true)
    expect(isHeld(file('/home/covered/opencode.db', 0n), lock('08:13:1234'))).toBe(true)
    expect(isHeld(file('/home/covered/opencode.db', 0n), lock('08:12:1234'))).toBe(false)
    expect(isHeld(file('/srv/alone.db', 0n), lock('08:21:1234'))).toBe(true)
  })

  it('has devices and inodes of any size', () => {
    // 259 is 0x103 and 300 is 0x12c: the low eight bits of the minor number stand below the major one, the others above it.
    const dev = (0x1n << 20n) | (0x103n << 8n) | 0x2cn
    const ino = 2n ** 63n + 1n
    expect(isHeld(file('/srv/opencode.db', dev, ino), lock(`103:12c:${ino}`))).toBe(true)
    expect(isHeld(file('/srv/opencode.db', dev, ino), lock(`103:12c:${ino + 1n}`))).toBe(false)
  })

  it('is empty, or says what nobody understands', () => {
    for (const text of ['', '\n', '::', 'a:b:c', '1: POSIX'])
      for (const mounts of ['', 'x', '1 2 3 4 5', MOUNTS]) expect(isLocked([database], text, mounts, OWN)).toBe(false)
  })
})
