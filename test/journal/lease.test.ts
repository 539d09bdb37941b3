import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore, LockedError, memoryStore, openJournal } from '../../src/journal/index.ts'
import { isGone, thisProcess } from '../../src/journal/process-identity.ts'
import { bundled } from '../bundle.ts'
import { fileFolder } from '../folders.ts'
import { faultyFiles, systemError } from './faulty-files.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { ended, lock, NONCE } from './locks.ts'
import { call } from './records.ts'

const root = fileFolder()
let count = 0
const newPath = (): string => join(root, `l${count++}.jsonl`)

const beside = (path: string): string[] => readdirSync(dirname(path)).filter((name) => name.startsWith('.'))

describe('Z4: the lease', () => {
  it('keeps a second owner out, who learns who holds it and reads nothing', async () => {
    const path = newPath()
    await using(
      path,
      async (journal) => {
        await journal.user('one')
        const size = readFileSync(path).length
        const error = await rejection(openJournal(path))
        expect(LockedError.is(error)).toBe(true)
        expect(error).toMatchObject({ owner: { host: hostname(), pid: process.pid, name: 'worker-7' } })
        expect((error as Error).message).toContain('worker-7')
        expect(readFileSync(path)).toHaveLength(size)
        await journal.user('two')
      },
      { owner: 'worker-7' },
    )
    await using(path, (journal) => expect(journal.session().messages).toHaveLength(2))
  })

  it('of a memory store does the same', async () => {
    const store = memoryStore()
    await using(store, async () => expect(LockedError.is(await rejection(openJournal(store)))).toBe(true))
    await using(store, () => {})
  })

  it('is taken over from a process that is gone, with nothing left beside the file', async () => {
    const path = newPath()
    await lock(path, await ended())
    await using(path, (journal) => journal.user('mine now'))
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(existsSync(`${path}.lock.stale`)).toBe(false)
    expect(beside(path)).toEqual([])
  })

  it('is held by nobody known where something else than a file has its name, which is not waited for', async () => {
    const pipe = newPath()
    spawnSync('mkfifo', [`${pipe}.lock`])
    expect(LockedError.is(await rejection(openJournal(pipe)))).toBe(true)
    const swapped = newPath()
    await using(swapped, async (journal) => {
      await journal.user('one')
      unlinkSync(`${swapped}.lock`)
      spawnSync('mkfifo', [`${swapped}.lock`])
      expect(await rejection(journal.user('two'))).toMatchObject({ code: 'lease-lost' })
      unlinkSync(`${swapped}.lock`)
    })
  })

  it('is not looked for without end where locks lead back to themselves', async () => {
    const path = newPath()
    await lock(path, await ended())
    const right = join(dirname(path), `.${NONCE}.lock`)
    writeFileSync(right, readFileSync(`${path}.lock`))
    const error = await rejection(openJournal(path))
    expect(LockedError.is(error)).toBe(true)
    expect(existsSync(`${path}.lock`)).toBe(true)
    expect(beside(path)).toEqual([basename(right)])
    unlinkSync(right)
    await using(path, (journal) => journal.user('mine now'))
  })

  it('is taken over when the number of the process was given to another one', async () => {
    const path = newPath()
    await lock(path, { start: '1' })
    await using(path, (journal) => journal.user('mine now'))
  })

  it('is taken over when the system was started anew', async () => {
    const path = newPath()
    await lock(path, { boot: 'an earlier start' })
    await using(path, (journal) => journal.user('mine now'))
  })

  it.each([
    ['another host', { host: 'elsewhere' }],
    ['another installation of the same name', { machine: 'another' }],
    ['another host whose process has our number', { host: 'elsewhere', pid: process.pid }],
    ['a system that does not tell its start', { boot: '' }],
    ['a container of the same name, whose processes are not seen from here', { space: 'pid:[1]' }],
  ])('is never taken over from %s', async (_who, fields) => {
    const path = newPath()
    writeFileSync(path, '{"torn')
    await lock(path, { ...(await ended()), ...fields })
    const before = readFileSync(`${path}.lock`, 'utf8')
    expect(LockedError.is(await rejection(openJournal(path)))).toBe(true)
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(before)
    expect(readFileSync(path, 'utf8')).toBe('{"torn')
  })

  it.each(['', 'x', '{}', '{"pid":-1}', `{"pid":1,"nonce":"../../x"}`])(
    'is not taken over when it reads %j',
    async (text) => {
      const path = newPath()
      writeFileSync(`${path}.lock`, text)
      expect(await rejection(openJournal(path))).toMatchObject({ name: 'LockedError', owner: { host: '', pid: 0 } })
      expect(readFileSync(`${path}.lock`, 'utf8')).toBe(text)
    },
  )

  it('does not depend on when a lock says that it was taken', async () => {
    const path = newPath()
    for (const since of ['1970-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']) {
      await lock(path, { since })
      expect(LockedError.is(await rejection(openJournal(path)))).toBe(true)
      await lock(path, { since, ...(await ended()) })
      await using(path, () => {})
    }
  })

  it('is looked at before each write: who lost it writes nothing any more', async () => {
    const path = newPath()
    const journal = await openJournal(path)
    await journal.user('one')
    await lock(path, { host: 'elsewhere' })
    const before = readFileSync(path, 'utf8')
    expect(await rejection(journal.user('two'))).toMatchObject({ name: 'JournalError', code: 'lease-lost' })
    expect(await rejection(journal.user('three'))).toMatchObject({ code: 'lease-lost' })
    expect(journal.session().messages).toHaveLength(1)
    await journal.close()
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readFileSync(`${path}.lock`, 'utf8')).toContain('elsewhere')
  })

  it('is lost, too, when somebody took the lock away', async () => {
    const path = newPath()
    const journal = await openJournal(path)
    unlinkSync(`${path}.lock`)
    expect(await rejection(journal.user('one'))).toMatchObject({ code: 'lease-lost' })
    await journal.close()
  })

  it('is made in place where the file system has no links', async () => {
    const path = newPath()
    const { files } = faultyFiles((operation) => {
      if (operation === 'link') throw systemError('ENOTSUP')
    })
    await using(fileStore(path, files), async (journal) => {
      await journal.user('one')
      expect(LockedError.is(await rejection(openJournal(fileStore(path, files))))).toBe(true)
    })
    expect(beside(path)).toEqual([])
  })
})

describe('a process', () => {
  it('is not gone because it is hidden, or cannot be looked at just now', async () => {
    const self = await thisProcess()
    const hidden = async (): Promise<string> => ''
    expect(await isGone(self, hidden)).toBe(false)
    expect(await isGone({ ...self, pid: 1 }, hidden)).toBe(false)
    expect(await isGone({ ...self, pid: 2 ** 22 + 1 }, hidden)).toBe(true)
  })

  it('is not gone while it runs, and gone once it is a zombie', async () => {
    const self = await thisProcess()
    expect(await isGone(self)).toBe(false)
    expect(await isGone({ ...self, pid: 2 ** 22 + 1 })).toBe(true)
    // A shell that does not wait for its child leaves it a zombie.
    const shell = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [printed] = (await once(shell.stdout!, 'data')) as [Buffer]
    const zombie = Number(printed.toString())
    for (let tries = 0; tries < 500 && !isZombie(zombie); tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await isGone({ ...self, pid: zombie, start: '' })).toBe(true)
    shell.kill()
    await once(shell, 'exit')
  })
})

const isZombie = (pid: number): boolean => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

const program = bundled('test/journal/racer.ts', fileFolder())
async function racer(path: string): Promise<ChildProcess> {
  return spawn(process.execPath, [await program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
}
const said = async (child: ChildProcess): Promise<string> =>
  ((await once(child.stdout!, 'data')) as [Buffer])[0].toString().trim()

describe('two processes', () => {
  it('racing for a lease, a stale one and a free one: exactly one gets it, round after round', async () => {
    const path = newPath()
    const racers = [await racer(path), await racer(path)]
    for (const child of racers) expect(await said(child)).toBe('ready')
    const rounds = process.env.FULL === '1' ? 300 : 12
    const wins = [0, 0]
    for (let round = 0; round < rounds; round++) {
      // Of a process that is gone in every second round; else nobody holds it.
      const nonce = NONCE.replace(/0000$/, `${1000 + round}`)
      if (round % 2 === 0) await lock(path, { start: `${round}`, nonce })
      const answers = racers.map(said)
      for (const child of racers) child.stdin!.write('go\n')
      const told = await Promise.all(answers)
      expect(told.toSorted()).toEqual(['locked', 'won'])
      wins[told.indexOf('won')]!++
      const closed = racers.map(said)
      for (const child of racers) child.stdin!.write('close\n')
      await Promise.all(closed)
    }
    for (const child of racers) child.stdin!.end()
    await Promise.all(racers.map((child) => once(child, 'exit')))
    console.log(
      `journal lease: ${rounds} races of two processes for a lock, every second one stale, won ${wins.join(' to ')}`,
    )
    expect(recordsIn(path).filter(({ type }) => type === 'message')).toHaveLength(rounds)
    expect(readdirSync(root).filter((name) => name.startsWith(basename(path)))).toEqual([basename(path)])
    expect(beside(path)).toEqual([])
  })
})

it('a journal that is dropped in mid-call is closed by the next process', async () => {
  const path = newPath()
  const child = await racer(path)
  await said(child)
  child.stdin!.write('go\n')
  expect(await said(child)).toBe('won')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using(path, async (journal) => {
    expect(journal.session().messages).toHaveLength(1)
    await journal.assistant({ parts: [call('a')] })
  })
})
