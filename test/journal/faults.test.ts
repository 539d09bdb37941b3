import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore, type Journal, JournalError, LockedError, openJournal } from '../../src/journal/index.ts'
import { fileFolder } from '../folders.ts'
import { faultyFiles, type Operation, systemError } from './faulty-files.ts'
import { recordsIn, using } from './folder.ts'
import { ended, lock } from './locks.ts'
import { call } from './records.ts'

const root = fileFolder()

/** What an agent does. Its steps are acknowledged one by one. */
const STEPS: readonly ((journal: Journal) => Promise<unknown>)[] = [
  (journal) => journal.beginTurn('t'),
  (journal) => journal.user('go'),
  (journal) => journal.assistant({ parts: [call('a'), call('b')] }),
  (journal) => Promise.all([journal.dispatch({ id: 'a', name: 'bash', args: {} }), journal.usage({ inputTokens: 1 })]),
  (journal) => journal.settle('a', { status: 'completed', result: 'A' }),
  (journal) => journal.endTurn('t', 'completed'),
]

const ofOurs = (error: unknown): boolean => JournalError.is(error) || LockedError.is(error)

/** How many steps were acknowledged before the fault; all of them rejected afterwards. */
async function run(
  path: string,
  fault: (operation: Operation, number: number) => void,
): Promise<{ acknowledged: number; log: Operation[] }> {
  const { files, log } = faultyFiles(fault)
  let acknowledged = 0
  let journal: Journal | undefined
  try {
    journal = await openJournal(fileStore(path, files))
    for (const step of STEPS) {
      await step(journal)
      acknowledged++
    }
  } catch (error) {
    expect(ofOurs(error)).toBe(true)
    if (journal !== undefined) await expectDead(journal)
  }
  await journal?.close().catch((error: unknown) => expect(ofOurs(error)).toBe(true))
  return { acknowledged, log: [...log] }
}

/** After a fault of the system nothing is written: nobody knows what is on the disk. */
async function expectDead(journal: Journal): Promise<void> {
  const again = await Promise.allSettled([journal.user('again'), journal.endTurn('t', 'failed')])
  for (const { status } of again) expect(status).toBe('rejected')
}

describe('a fault of the system', () => {
  it.each(['ENOSPC', 'EIO'])('%s at each call loses nothing that was acknowledged, and fails closed', async (code) => {
    const whole = await run(join(root, `${code}-whole.jsonl`), () => {})
    expect(whole.acknowledged).toBe(STEPS.length)
    const faults = new Map<Operation, number>()
    for (let at = 0; at < whole.log.length; at++) {
      const path = join(root, `${code}-${at}`, 'j.jsonl')
      const { acknowledged } = await run(path, (operation, number) => {
        // Reading a lock that is not there is no fault of the disk.
        if (number !== at || operation === 'readFileSync') return
        faults.set(operation, (faults.get(operation) ?? 0) + 1)
        throw systemError(code)
      })
      await expectWhole(path, acknowledged)
      rmSync(join(root, `${code}-${at}`), { recursive: true, force: true })
    }
    for (const operation of [
      'open',
      'mkdir',
      'link',
      'write',
      'writeFile',
      'datasync',
      'sync',
      'unlink',
      'close',
    ] as const)
      expect(faults.get(operation) ?? 0, operation).toBeGreaterThan(0)
    console.log(`journal faults: ${code} ${tallied(faults)}; no acknowledged record lost`)
  })

  it.each(['ENOSPC', 'EIO'])('%s at each call of a repair leaves a journal that opens the next time', async (code) => {
    const torn = join(root, `${code}-torn.jsonl`)
    await using(torn, async (journal) => {
      for (const step of STEPS.slice(0, 4)) await step(journal)
    })
    const stored = `${readFileSync(torn, 'utf8')}{"journal":1,"se`
    const { files, log } = faultyFiles()
    writeFileSync(torn, stored)
    const dead = await ended()
    await lock(torn, { ...dead, nonce: randomUUID() })
    await using(fileStore(torn, files), () => {})
    expect(log).toContain('rename')
    const calls = log.length
    const faults = new Map<Operation, number>()
    let failed = 0
    for (let at = 0; at < calls; at++) {
      const path = join(root, `${code}-repair-${at}.jsonl`)
      writeFileSync(path, stored)
      await lock(path, { ...dead, nonce: randomUUID() })
      const faulty = faultyFiles((operation, number) => {
        if (number !== at) return
        faults.set(operation, (faults.get(operation) ?? 0) + 1)
        throw systemError(code)
      })
      const opening = openJournal(fileStore(path, faulty.files)).then((journal) => journal.close())
      await opening.catch((error: unknown) => {
        expect(ofOurs(error)).toBe(true)
        failed++
      })
      expect(readFileSync(path, 'utf8').startsWith(stored)).toBe(true)
      rmSync(`${path}.lock`, { force: true })
      await using(path, (journal) => expect(journal.session().messages).toHaveLength(2))
      const { size } = statSync(path)
      await using(path, (journal) => expect(journal.opened.closedCalls).toEqual([]))
      expect(statSync(path).size).toBe(size)
    }
    expect(failed).toBeGreaterThan(5)
    for (const operation of ['rename', 'write', 'datasync', 'sync', 'link', 'unlink', 'read'] as const)
      expect(faults.get(operation) ?? 0, operation).toBeGreaterThan(0)
    console.log(`journal repairs: ${code} ${tallied(faults)}; all opened the next time, and closed nothing twice`)
  })
})

const tallied = (faults: ReadonlyMap<Operation, number>): string =>
  [...faults].map(([operation, times]) => `${operation} ${times}`).join(', ')

/** What was acknowledged is there after the fault, and what is there is in order. */
async function expectWhole(path: string, acknowledged: number): Promise<void> {
  // A lock whose removal failed is of this process, which lives on.
  rmSync(`${path}.lock`, { force: true })
  await using(path, (journal) => {
    expect(journal.turns().length).toBeGreaterThanOrEqual(acknowledged >= 1 ? 1 : 0)
    expect(journal.session().messages.length).toBeGreaterThanOrEqual(Math.max(0, Math.min(acknowledged - 1, 2)))
    if (acknowledged >= 4) expect(journal.usageTotals().total).toEqual({ inputTokens: 1 })
    if (acknowledged >= 5) {
      expect(journal.session().messages[1]?.parts[0]).toMatchObject({ state: { status: 'completed', result: 'A' } })
    }
    if (acknowledged >= 6) expect(journal.turns()[0]?.stage).toBe('completed')
  })
  if (acknowledged > 0) expect(recordsIn(path).map(({ seq }) => seq)).toEqual(recordsIn(path).map((_, index) => index))
}
