import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../folders.ts'
import { conversation, makeDatabase, OPENCODE } from '../database.ts'
import { at, NOW, orphans, repair, sharedFiles, textAt } from './kit.ts'
import { ageAll, done, filesIn, KILLED, loadTree, running, storedTree, textPart, tool } from './storage-tree.ts'

const OPEN = ['call_2', 'call_3', 'call_4']

describe.each(['global', 'project'] as const)('a storage tree of opencode, %s', (layout) => {
  it('is only looked at in a dry run, which says for each file what would be changed', async () => {
    const tree = storedTree(KILLED, { layout })
    const before = filesIn(tree.root)
    expect(orphans(loadTree(tree.root, 'ses_k', layout))).toEqual(OPEN.map((id) => `open ${id}`))
    const result = await repair(tree.root)
    expect(result).toMatchObject({
      format: 'opencode',
      written: false,
      appended: [],
      closed: [
        { id: 'call_2', name: 'bash' },
        { id: 'call_3', name: 'bash' },
        { id: 'call_4', name: 'bash', dispatched: false },
      ],
    })
    const files = [tree.part('msg_b', 2), tree.part('msg_c', 2), tree.part('msg_c', 3)]
    expect(result.replaced.map(({ place }) => place)).toEqual(files.map((file) => `${relative(tree.root, file)} state`))
    expect(result.replaced[0]).toMatchObject({
      before: expect.stringContaining('running'),
      after: expect.stringContaining('"status":"error"'),
    })
    expect(result.before?.violations.length).toBeGreaterThan(0)
    expect(result.after?.violations).toEqual([])
    expect(filesIn(tree.root)).toEqual(before)
    const { backup, ...written } = await repair(tree.root, { write: true })
    expect(written).toEqual({ ...result, written: true })
    expect(dirname(backup!)).toBe(tree.root)
  })

  it('gets a failure in each part that had no outcome, and not a second time', async () => {
    const tree = storedTree(KILLED, { layout })
    const changed = [tree.part('msg_b', 2), tree.part('msg_c', 2), tree.part('msg_c', 3)]
    for (const path of changed) chmodSync(path, 0o640)
    const before = filesIn(tree.root)
    const { backup } = await repair(tree.session, { write: true })
    expect(orphans(loadTree(tree.root, 'ses_k', layout))).toEqual([])
    const after = filesIn(tree.root)
    for (const path of changed) {
      const name = relative(tree.root, path)
      const copy = join(backup!, name)
      expect(readFileSync(copy, 'utf8')).toBe(before[name])
      expect([statSync(copy).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o600, 0o640])
      expect(after[name]!.split('"state": ')[0]).toBe(before[name]!.split('"state": ')[0])
      delete (before as Record<string, string>)[name]
    }
    for (const name of Object.keys(before)) expect(after[name]).toBe(before[name])
    expect(statSync(backup!).mode & 0o777).toBe(0o700)
    expect(Object.keys(after).length).toBe(Object.keys(before).length + 2 * changed.length)
    const state: unknown = at(JSON.parse(after[relative(tree.root, changed[0]!)]!), 'state')
    expect(state).toMatchObject({
      input: { command: 'call_2' },
      metadata: { output: 'half' },
      time: { start: 7, end: NOW.getTime() },
    })
    expect(textAt(state, 'error')).toMatch(/outcome is unknown[\s\S]*\nhalf$/)
    ageAll(tree.root)
    expect(await repair(tree.root, { write: true })).toMatchObject({ written: false, closed: [], replaced: [] })
    expect(filesIn(tree.root)).toEqual(after)
  })

  it.skipIf(process.getuid?.() !== 0)('keeps the owner of each part', async () => {
    const tree = storedTree(KILLED, { layout })
    chownSync(tree.part('msg_b', 2), 1234, 2345)
    await repair(tree.root, { write: true })
    const { uid, gid } = statSync(tree.part('msg_b', 2))
    expect([uid, gid]).toEqual([1234, 2345])
    expect(statSync(tree.part('msg_c', 2)).uid).toBe(0)
  })

  it('is as it was when the backup is copied over it', async () => {
    const tree = storedTree(KILLED, { layout })
    const before = filesIn(tree.root)
    const { backup } = await repair(tree.root, { write: true })
    cpSync(backup!, tree.root, { recursive: true })
    for (const [name, text] of Object.entries(before)) expect(readFileSync(join(tree.root, name), 'utf8')).toBe(text)
  })

  it('may hold the parts in the message itself', async () => {
    const tree = storedTree({ msg_a: [textPart('go')], msg_b: [] }, { layout })
    const path = tree.message('msg_b')
    const parts = [done('call_1'), running('call_2')].map((part, index) => ({ id: `prt_${index}`, ...part }))
    writeFileSync(path, JSON.stringify({ id: 'msg_b', role: 'assistant', time: { created: 2 }, parts }))
    ageAll(tree.root)
    const { closed, replaced } = await repair(tree.root, { write: true })
    expect(closed.map(({ id }) => id)).toEqual(['call_2'])
    expect(replaced.map(({ place }) => place)).toEqual([`${relative(tree.root, path)} parts[1].state`])
    expect(orphans(loadTree(tree.root, 'ses_k', layout))).toEqual([])
  })
})

describe('a session of a storage tree', () => {
  it('is the newest, the one with the id, or the one of the file; the others stay', async () => {
    const tree = storedTree(KILLED, { id: 'ses_old', updated: 5 })
    const other = storedTree(
      { msg_x: [textPart('hi')], msg_y: [running('call_new')] },
      { id: 'ses_new', root: tree.root },
    )
    const closedBy = async (path: string, id?: string): Promise<string[]> =>
      (await repair(path, { id })).closed.map((call) => call.id)
    expect(await closedBy(tree.root)).toEqual(['call_new'])
    expect(await closedBy(dirname(tree.root))).toEqual(['call_new'])
    expect(await closedBy(tree.root, 'ses_old')).toEqual(OPEN)
    expect(await closedBy(dirname(tree.root), 'ses_old')).toEqual(OPEN)
    expect(await closedBy(tree.session)).toEqual(OPEN)
    expect(await closedBy(tree.session, 'ses_old')).toEqual(OPEN)
    await expect(repair(tree.session, { id: 'ses_new' })).rejects.toThrow('has the id "ses_old", not "ses_new"')
    await repair(other.session, { write: true })
    expect(orphans(loadTree(tree.root, 'ses_new'))).toEqual([])
    expect(orphans(loadTree(tree.root, 'ses_old'))).toHaveLength(3)
  })

  it('Z10: is not found by an id that is a path, or the name of what every object has', async () => {
    const tree = storedTree(KILLED)
    const ids = ['../ses_k', '..', '.', '', 'ses_k\0', 'ses_k/', '__proto__', 'constructor', `ses_${'k'.repeat(1000)}`]
    for (const id of ids) {
      const found = repair(tree.root, { id, write: true })
      await expect(found, JSON.stringify(id)).rejects.toThrow('no session in this directory has the id')
    }
  })

  it('is refused beside a database, since opencode loads one of them', async () => {
    const tree = storedTree(KILLED)
    const folder = dirname(tree.root)
    makeDatabase(join(folder, 'opencode.db'), OPENCODE, conversation('ses_a', 5))
    await expect(repair(folder)).rejects.toMatchObject({ reason: 'ambiguous' })
    expect(await repair(tree.root)).toMatchObject({ closed: [{}, {}, {}] })
  })

  it('is looked for in no folder without a tree, and under no other name of a format', async () => {
    const folder = testFolder()
    await expect(repair(folder)).rejects.toMatchObject({ reason: 'irregular' })
    mkdirSync(join(folder, 'session', 'info'), { recursive: true })
    await expect(repair(folder)).rejects.toThrow('there is no session in this storage tree')
    const tree = storedTree(KILLED)
    await expect(repair(tree.root, { format: 'codex' })).rejects.toThrow(
      'this is a storage tree of opencode, not of codex',
    )
    expect(await repair(tree.root, { format: 'opencode' })).toMatchObject({ closed: [{}, {}, {}] })
  })

  it('is refused when any of its files was changed just now, unless that is forced', async () => {
    for (const path of ['session', 'message', 'part'] as const) {
      const tree = storedTree(KILLED)
      const file = { session: tree.session, message: tree.message('msg_a'), part: tree.part('msg_c', 1) }[path]
      utimesSync(file, NOW, NOW)
      const before = filesIn(tree.root)
      await expect(repair(tree.root, { write: true })).rejects.toMatchObject({ reason: 'recent' })
      expect(filesIn(tree.root)).toEqual(before)
      expect(await repair(tree.root)).toMatchObject({ closed: [{}, {}, {}] })
      expect(await repair(tree.root, { write: true, force: true })).toMatchObject({ written: true })
    }
    const tree = storedTree(KILLED)
    const other = storedTree({ msg_x: [textPart('hi')] }, { id: 'ses_o', root: tree.root, updated: 1 })
    utimesSync(other.message('msg_x'), NOW, NOW)
    expect(await repair(tree.root, { write: true })).toMatchObject({ written: true })
  })

  it('stays whole when one of its parts is cut off, which opencode cannot load', async () => {
    const tree = storedTree(KILLED)
    const torn = tree.part('msg_c', 2)
    writeFileSync(torn, readFileSync(torn, 'utf8').slice(0, -5))
    ageAll(tree.root)
    expect((await repair(tree.root, { write: true })).closed.map(({ id }) => id)).toEqual(['call_2', 'call_4'])
  })

  it('holds parts that are none', async () => {
    const odd = [{ type: 7 }, tool('call_9', {}), { type: 'tool', tool: 'x', callID: 7, state: 'constructor' }, []]
    const tree = storedTree({ msg_a: [textPart('go')], msg_b: odd })
    for (const [number, text] of ['null', '"tool"', '{"tool":{"tool":"tool"}}', '\0"tool"'].entries())
      writeFileSync(tree.part('msg_b', 50 + number), text)
    ageAll(tree.root)
    await repair(tree.root, { write: true })
    ageAll(tree.root)
    expect(await repair(tree.root)).toMatchObject({ closed: [] })
  })

  it('is not repaired over the size limit', async () => {
    await expect(repair(storedTree(KILLED).root, { maxBytes: 500 })).rejects.toMatchObject({ reason: 'unsupported' })
  })
})

const REAL = 'storage-1.1.53-killed-running-tool'

it('a storage tree of the real program is repaired', async () => {
  if (sharedFiles('opencode').every((name) => !name.startsWith(REAL))) {
    console.info('opencode: no real storage tree here, skipped')
    return
  }
  const root = join(testFolder(), 'storage')
  mkdirSync(root)
  for (const name of sharedFiles('opencode').filter((one) => one.startsWith(`${REAL}/`))) {
    const path = join(root, relative(REAL, name))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, readFileSync(join('../shared/sessions/opencode', name)))
  }
  ageAll(root)
  for (const id of readdirSync(join(root, 'message'))) {
    const before = orphans(loadTree(root, id))
    const { closed, after } = await repair(root, { id, write: true })
    expect(before).toEqual(closed.map((call) => `open ${call.id}`))
    expect(after?.violations ?? []).toEqual([])
    expect(orphans(loadTree(root, id))).toEqual([])
    console.info(`${REAL} ${id}: ${closed.length} closed`)
  }
})
