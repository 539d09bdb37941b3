import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileStore, memoryStore, openJournal } from '../../src/journal/index.ts'
import { toAnthropic } from '../../src/write/anthropic/index.ts'
import { faultyFiles, systemError } from './faulty-files.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { ended, lock } from './locks.ts'
import { bytes, places, statesOf } from './places.ts'
import { assistant, call, dispatch, head, lines, user } from './records.ts'

/** Oino repaired sessions on resume: each line of that list is a test here, in our own shape. */

const { stored, newPath } = places()

describe('the dispatch record, and the repair on resume', () => {
  it('O1: a dispatch names the call, its input and whether it only reads, and is no conversation', async () => {
    const path = newPath()
    await using(path, async (journal) => {
      await journal.assistant({ parts: [call('a')] })
      await journal.dispatch({ id: 'a', name: 'bash', args: { command: 'ls' }, readOnly: true })
      expect(journal.session().messages).toHaveLength(1)
    })
    expect(recordsIn(path).at(-1)).toMatchObject({
      type: 'dispatch',
      call: { id: 'a', name: 'bash', args: { command: 'ls' }, readOnly: true },
    })
  })

  it('O2: repair runs once, under the lease, before the session is used, and only appends', async () => {
    const path = stored(lines(head, assistant(call('a'))))
    await lock(path, await ended())
    const before = bytes(path)
    const { files, log } = faultyFiles()
    await using(fileStore(path, files), (journal) =>
      expect(statesOf(journal.session())).toMatchObject([{ status: 'interrupted' }]),
    )
    expect(log.indexOf('link')).toBeLessThan(log.indexOf('read'))
    expect(log.filter((operation) => operation === 'write')).toHaveLength(1)
    expect(bytes(path).startsWith(before)).toBe(true)
  })

  it('O3: a torn last line gets an end of its own; a whole one without a newline is taken', async () => {
    const torn = stored(`${lines(head)}{"journal":1,"seq":1,"ty`)
    await using(torn, (journal) => journal.user('next'))
    await using(torn, (journal) => expect(journal.session().messages).toHaveLength(1))
    const whole = stored(lines(head, user('one')).trimEnd())
    await using(whole, (journal) => journal.user('two'))
    await using(whole, (journal) => expect(journal.session().messages).toHaveLength(2))
  })

  it('O4: an open call gets a result that says verify; one that never started reads differently', async () => {
    await using(stored(lines(head, user('go'), assistant(call('ran'), call('not')), dispatch('ran'))), (journal) => {
      const wire = JSON.stringify(toAnthropic(journal.session(), { next: 'go on' }).request.messages)
      expect(wire).toContain('Verify the current state before running it again')
      expect(wire).toContain('interrupted before it started; it was not run')
      expect(wire).not.toMatch(/you may retry|try again/i)
    })
  })

  it('O5: one repair record says what was closed, what was torn, and when, and is synced; else nothing is written', async () => {
    const path = stored(`${lines(head, assistant(call('a')))}{"torn`)
    const { files, log } = faultyFiles()
    await using(fileStore(path, files), () => {})
    expect(log.slice(log.indexOf('write'), log.indexOf('write') + 2)).toEqual(['write', 'datasync'])
    expect(recordsIn(path).filter(({ type }) => type === 'repair')).toMatchObject([
      { closed: [{ id: 'a' }], torn: { length: 6 } },
    ])
    log.length = 0
    await using(fileStore(path, files), () => {})
    expect(log).not.toContain('write')
  })

  it('O6: in memory, and where no file was made, nothing is repaired; a fault of the system keeps the session from being used', async () => {
    const store = memoryStore()
    await using(store, (journal) => journal.assistant({ parts: [call('a')] }))
    await using(store, (journal) => expect(statesOf(journal.session())).toEqual([{ status: 'pending' }]))
    const never = newPath()
    await using(never, () => {})
    expect(existsSync(never)).toBe(false)
    for (const operation of ['read', 'write', 'datasync'] as const) {
      const { files } = faultyFiles((asked) => {
        if (asked === operation) throw systemError('EIO')
      })
      const opening = openJournal(fileStore(stored(lines(head, assistant(call('a')))), files))
      expect(await rejection(opening)).toMatchObject({ name: 'JournalError', code: 'io' })
    }
  })

  it('O7: an open call is never run again by itself', async () => {
    const path = stored(lines(head, assistant(call('a')), dispatch('a')))
    await using(path, () => {})
    await using(path, () => {})
    expect(recordsIn(path).filter(({ type }) => type === 'dispatch')).toHaveLength(1)
  })
})
