import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RepairError } from '../../../src/files/repair/error.ts'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { FULL } from '../../laws/runs.ts'
import { faulty } from './faulty.ts'
import { orphans, repair, repaired } from './kit.ts'
import {
  ageAll,
  done,
  filesIn,
  KILLED,
  loadTree,
  pending,
  type StoredTree,
  storedTree,
  textPart,
} from './storage-tree.ts'

const OPEN = 3

const failure = (code: string): Error => Object.assign(new Error('made for a test'), { code })

/** The system, with something that happens before a file is opened, renamed or looked at. */
function meanwhile(what: 'open' | 'rename', work: (path: string, count: number) => void): RepairFiles {
  let count = 0
  return {
    ...NODE_FILES,
    async open(...values) {
      if (what === 'open') work(values[0], ++count)
      return NODE_FILES.open(...values)
    },
    async rename(from, to) {
      if (what === 'rename') work(to, ++count)
      await NODE_FILES.rename(from, to)
    },
  }
}

const refusal = async (tree: StoredTree, files: RepairFiles, force = false): Promise<RepairError> => {
  const error: unknown = await repair(tree.root, { write: true, force }, { files }).catch((thrown: unknown) => thrown)
  expect(RepairError.is(error)).toBe(true)
  return error as RepairError
}

/** With `FULL=1` each call of the system, else every second one. */
const STEP = FULL ? 1 : 2

describe('of several files of a storage tree', () => {
  it('those that were replaced are put back when a later one cannot be', async () => {
    const tree = storedTree(KILLED)
    const original = filesIn(tree.root)
    const files = meanwhile('rename', (_path, count) => {
      if (count === 2) throw failure('EACCES')
    })
    const { reason, message } = await refusal(tree, files)
    expect(reason).toBe('io')
    expect(message).toMatch(
      /^part\/msg_c\/prt_msg_c_000002\.json: it could not be replaced \(EACCES\); 1 that had been replaced before it were put back as they were$/,
    )
    expect(filesIn(tree.root)).toEqual(original)
    expect(readdirSync(tree.root).sort()).toEqual(['message', 'part', 'session'])
  })

  it('those that cannot be put back either are named, and the backup stays', async () => {
    const tree = storedTree(KILLED)
    const original = filesIn(tree.root)
    const files = meanwhile('rename', (_path, count) => {
      if (count > 2) throw failure('EIO')
    })
    const { reason, message } = await refusal(tree, files)
    expect(reason).toBe('io')
    const backup = readdirSync(tree.root).find((name) => name.endsWith('.backup'))!
    expect(message).toContain('part/msg_c/prt_msg_c_000003.json: it could not be replaced (EIO); ')
    expect(message).toContain(
      'part/msg_c/prt_msg_c_000002.json, part/msg_b/prt_msg_b_000002.json could not be put back',
    )
    expect(message).toContain(join(tree.root, backup))
    const kept = Object.entries(filesIn(join(tree.root, backup)))
    expect(kept).toHaveLength(OPEN)
    for (const [name, text] of kept) expect(text).toBe(original[name])
    ageAll(tree.root)
    expect(await repair(tree.root, { write: true })).toMatchObject({ written: true, closed: [{ id: 'call_4' }] })
    expect(orphans(loadTree(tree.root, 'ses_k'))).toEqual([])
  })

  it('one that its tool wrote to after it was replaced is not put back', async () => {
    const tree = storedTree(KILLED)
    const first = tree.part('msg_b', 2)
    const written = JSON.stringify(done('call_2'))
    const files = meanwhile('rename', (_path, count) => {
      if (count !== 2) return
      writeFileSync(first, written)
      throw failure('EIO')
    })
    expect((await refusal(tree, files)).message).toMatch(/it could not be replaced \(EIO\)$/)
    expect(readFileSync(first, 'utf8')).toBe(written)
    expect(filesIn(tree.root)['part/msg_c/prt_msg_c_000002.json']).toContain('running')
  })

  it('none is touched before the old and the new bytes of all are durable, and what was done is durable then', async () => {
    const tree = storedTree(KILLED)
    const { files, faults } = faulty(0, 'once')
    const { backup } = await repair(tree.root, { write: true }, { files })
    const renames = faults.log.flatMap((one, index) => (one.startsWith('rename ') ? [index] : []))
    const places = [tree.part('msg_b', 2), tree.part('msg_c', 2), tree.part('msg_c', 3)]
    expect(renames.map((index) => faults.log[index])).toEqual(places.map((path) => `rename ${path}`))
    const before = faults.log.slice(0, renames[0])
    const folders = [...new Set(places.map((path) => dirname(path)))]
    const copies = places.map((path) => join(backup!, relative(tree.root, path)))
    const successors = places.map((path) => join(dirname(path), `.${basename(path)}.20261130T120000Z.tmp`))
    const kept = [...copies, ...copies.map((path) => dirname(path)), backup!, tree.root, ...successors, ...folders]
    for (const path of kept) expect(before).toContain(`sync ${path}`)
    const behind = faults.log.slice(renames.at(-1)! + 1)
    for (const path of folders) expect(behind).toContain(`sync ${path}`)
  })

  it('none is changed when the system fails once, wherever that is', async () => {
    let whole = 0
    let number = 1
    for (; ; number += STEP) {
      const tree = storedTree(KILLED)
      const original = filesIn(tree.root)
      const { files, faults } = faulty(number, 'once')
      const result: unknown = await repair(tree.root, { write: true }, { files }).catch((error: unknown) => error)
      if (faults.asked < number) break
      const failed = faults.log[number - 1]
      if (RepairError.is(result)) expect(result.reason, failed).toBe('io')
      else expect(result, failed).toMatchObject({ written: true })
      const left = filesIn(tree.root)
      const isSame = Object.entries(original).every(([name, text]) => left[name] === text)
      if (isSame) {
        // What could not be removed is hidden, or a backup.
        const more = Object.keys(left).filter((name) => original[name] === undefined)
        if (!/^(unlink|rmdir)/.test(failed!)) expect(more, failed).toEqual([])
        continue
      }
      whole++
      expect(orphans(loadTree(tree.root, 'ses_k')), failed).toEqual([])
    }
    expect(whole).toBeGreaterThan(0)
    expect(number).toBeGreaterThan(60)
    console.info(
      `a storage tree: faults at every ${STEP}. of ${number - 1} calls, ${whole} of them when all was written`,
    )
  })

  it('each is whole after a crash at each call of the system, and the next run repairs the rest', async () => {
    let number = 1
    let half = 0
    for (; ; number += STEP) {
      const tree = storedTree(KILLED)
      const { files, faults } = faulty(number, 'crash')
      await repair(tree.root, { write: true }, { files }).catch(() => {})
      if (faults.asked < number) break
      const { calls, results } = loadTree(tree.root, 'ses_k')
      expect(calls).toHaveLength(4)
      if (results.length > 1 && results.length < 4) half++
      ageAll(tree.root)
      await repaired(tree.root)
      expect(orphans(loadTree(tree.root, 'ses_k')), faults.log.at(-1)).toEqual([])
    }
    expect(half).toBeGreaterThan(0)
    console.info(`a storage tree: a crash at every ${STEP}. of ${number - 1} calls, ${half} of them between two files`)
  })
})

type Work = (tree: StoredTree) => void

const MEANWHILE: readonly (readonly [what: string, work: Work])[] = [
  [
    'a part that is to be replaced is written',
    (tree) => writeFileSync(tree.part('msg_c', 2), JSON.stringify(done('call_3'))),
  ],
  ['a part that stays is written', (tree) => writeFileSync(tree.part('msg_a', 1), JSON.stringify(textPart('more')))],
  ['a part is touched', (tree) => utimesSync(tree.part('msg_c', 1), 5, 5)],
  ['a part comes', (tree) => writeFileSync(tree.part('msg_c', 9), JSON.stringify(pending('call_9')))],
  ['a part goes', (tree) => rmSync(tree.part('msg_b', 1))],
  ['a message comes', (tree) => writeFileSync(tree.message('msg_d'), '{"role":"user"}')],
  ['a message is written', (tree) => writeFileSync(tree.message('msg_c'), '{"role":"assistant"}')],
  ['the session is written', (tree) => writeFileSync(tree.session, '{"title":"new"}')],
]

describe('a session of a storage tree that its tool goes on with', () => {
  it.each(MEANWHILE)('is left alone when %s between reading and writing', async (_what, work) => {
    const tree = storedTree(KILLED)
    let after: object = {}
    const files = meanwhile('open', (path) => {
      if (!path.endsWith('prt_msg_b_000002.json.20261130T120000Z.tmp')) return
      work(tree)
      after = filesIn(tree.root)
    })
    expect((await refusal(tree, files)).reason).toBe('changed')
    const left = Object.fromEntries(Object.entries(after).filter(([name]) => !/\.tmp$|\.backup\//.test(name)))
    expect(Object.keys(left).length).toBeGreaterThan(7)
    expect(filesIn(tree.root)).toEqual(left)
  })

  it('is put back when a part changes between two replacements', async () => {
    const tree = storedTree(KILLED)
    const original = filesIn(tree.root)
    const written = JSON.stringify(done('call_3'))
    const files = meanwhile('rename', (path) => {
      if (basename(path) === 'prt_msg_b_000002.json') writeFileSync(tree.part('msg_c', 2), written)
    })
    const { reason, message } = await refusal(tree, files)
    expect(reason).toBe('changed')
    expect(message).toMatch(/; 1 that had been replaced before it were put back as they were$/)
    expect(filesIn(tree.root)).toEqual({ ...original, 'part/msg_c/prt_msg_c_000002.json': written })
  })

  it('is not repaired once more when one could not be put back, even when that is forced: the backup is named', async () => {
    const tree = storedTree(KILLED)
    const original = filesIn(tree.root)
    const files = meanwhile('rename', (_path, count) => {
      if (count === 1) writeFileSync(tree.part('msg_c', 2), JSON.stringify(done('call_3')))
      if (count === 2) throw failure('EIO')
    })
    const { reason, message } = await refusal(tree, files, true)
    expect(reason).toBe('io')
    const backups = readdirSync(tree.root).filter((name) => name.endsWith('.backup'))
    expect(backups).toHaveLength(1)
    expect(message).toMatch(/^part\/msg_c\/prt_msg_c_000002\.json: the file was changed while it was being repaired/)
    expect(message).toContain('; part/msg_b/prt_msg_b_000002.json could not be put back')
    expect(message).toContain(join(tree.root, backups[0]!))
    const kept = 'part/msg_b/prt_msg_b_000002.json'
    expect(readFileSync(join(tree.root, backups[0]!, kept), 'utf8')).toBe(original[kept])
  })

  it('is read again when that is forced', async () => {
    const tree = storedTree(KILLED)
    let isDone = false
    const files = meanwhile('rename', () => {
      if (!isDone) writeFileSync(tree.part('msg_c', 2), JSON.stringify(done('call_3')))
      isDone = true
    })
    const result = await repair(tree.root, { write: true, force: true }, { files })
    expect(result).toMatchObject({ written: true, closed: [{ id: 'call_2' }, { id: 'call_4' }] })
    expect(orphans(loadTree(tree.root, 'ses_k'))).toEqual([])
    expect(readdirSync(dirname(tree.session))).toEqual(['ses_k.json'])
    expect(readdirSync(tree.root)).toHaveLength(4)
  })
})
