import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { testFolder } from '../../folders.ts'
import { age, jsonl, orphans, repair, repaired } from './kit.ts'
import {
  ageAll,
  done,
  filesIn,
  KILLED,
  loadTree,
  running,
  type StoredTree,
  storedTree,
  textPart,
} from './storage-tree.ts'

/** A folder outside of the tree, with a part and a message whose calls are open. */
function outside(): string {
  const folder = join(testFolder(), 'outside')
  mkdirSync(folder)
  writeFileSync(join(folder, 'prt_o.json'), JSON.stringify(running('call_o')))
  writeFileSync(join(folder, 'msg_o.json'), JSON.stringify({ role: 'assistant', parts: [running('call_o')] }))
  ageAll(folder)
  return folder
}

type Trap = (tree: StoredTree, folder: string) => void

const TRAPS: readonly (readonly [what: string, reason: string, lay: Trap])[] = [
  ['a part is a link', 'link', (tree, folder) => symlinkSync(join(folder, 'prt_o.json'), tree.part('msg_b', 3))],
  ['a part is a link to nothing', 'link', (tree) => symlinkSync('/nowhere/at/all', tree.part('msg_b', 3))],
  [
    'a folder of parts is a link',
    'link',
    (tree, folder) => {
      rmSync(dirname(tree.part('msg_c', 1)), { recursive: true })
      symlinkSync(folder, dirname(tree.part('msg_c', 1)))
    },
  ],
  ['a message is a link', 'link', (tree, folder) => symlinkSync(join(folder, 'msg_o.json'), tree.message('msg_o'))],
  [
    'the folder of messages is a link',
    'link',
    (tree, folder) => {
      rmSync(dirname(tree.message('msg_a')), { recursive: true })
      symlinkSync(folder, dirname(tree.message('msg_a')))
    },
  ],
  ['a part is a pipe', 'irregular', (tree) => execFileSync('mkfifo', [tree.part('msg_b', 3)])],
  ['a part is a folder', 'irregular', (tree) => mkdirSync(tree.part('msg_b', 3))],
  ['a part has two names', 'irregular', (tree, folder) => linkSync(tree.part('msg_b', 2), join(folder, 'kept.json'))],
  [
    'a name is none of opencode',
    'unsupported',
    (tree) => {
      writeFileSync(join(dirname(tree.part('msg_b', 1)), 'prt 1.json'), JSON.stringify(running('call_x')))
    },
  ],
  [
    'a message has a name that leads on',
    'unsupported',
    (tree) => {
      writeFileSync(join(dirname(tree.message('msg_a')), 'a..b.json'), '{"role":"user"}')
    },
  ],
  [
    'an open call is no UTF-8',
    'unsupported',
    (tree) => {
      const text = JSON.stringify(running('call_2')).replace('running', 'running\u00e9')
      writeFileSync(tree.part('msg_b', 2), Buffer.from(text, 'latin1'))
    },
  ],
]

describe('a storage tree', () => {
  it.each(TRAPS)('is not touched when %s', async (_what, reason, lay) => {
    const tree = storedTree(KILLED)
    const folder = outside()
    lay(tree, folder)
    for (const path of [tree.part('msg_b', 2)]) age(path)
    const stands = readdirSync(tree.root, { recursive: true })
    const around = filesIn(folder)
    const original = readFileSync(tree.part('msg_b', 2))
    await expect(repair(tree.root, { write: true, force: true })).rejects.toMatchObject({ reason })
    expect(readdirSync(tree.root, { recursive: true })).toEqual(stands)
    expect(filesIn(folder)).toEqual(around)
    expect(readFileSync(tree.part('msg_b', 2)).equals(original)).toBe(true)
  })

  it('is not followed when it is a link itself, nor a file of a session in one', async () => {
    const tree = storedTree(KILLED)
    const link = join(testFolder(), 'storage')
    symlinkSync(tree.root, link)
    await expect(repair(link)).rejects.toMatchObject({ reason: 'link' })
    const other = join(dirname(tree.session), 'ses_link.json')
    symlinkSync(tree.session, other)
    await expect(repair(other)).rejects.toMatchObject({ reason: 'link' })
  })

  it('is not left when a folder of it becomes a link in the moment of the repair', async () => {
    const tree = storedTree(KILLED)
    const folder = dirname(tree.part('msg_c', 1))
    const moved = join(testFolder(), 'moved')
    const files: RepairFiles = {
      ...NODE_FILES,
      async mkdir(...values) {
        if (!values[0].endsWith('.backup')) return NODE_FILES.mkdir(...values)
        renameSync(folder, moved)
        symlinkSync(moved, folder)
        return NODE_FILES.mkdir(...values)
      },
    }
    await expect(repair(tree.root, { write: true }, { files })).rejects.toMatchObject({ reason: 'link' })
    expect(filesIn(moved)).toMatchObject({ 'prt_msg_c_000002.json': expect.stringContaining('running') })
    expect(Object.keys(filesIn(moved))).toHaveLength(3)
    expect(filesIn(tree.root)['part/msg_b/prt_msg_b_000002.json']).toContain('running')
  })

  it('is not said to be whole when one of its files could not be read', async () => {
    const tree = storedTree(KILLED)
    const part = tree.part('msg_c', 3)
    let asked = 0
    const files: RepairFiles = {
      ...NODE_FILES,
      async lstat(path) {
        const found = await NODE_FILES.lstat(path)
        // The last look before the files are read.
        if (path === part && ++asked === 1) {
          rmSync(part)
          symlinkSync('/nowhere/at/all', part)
        }
        return found
      },
    }
    const refused = repair(tree.root, {}, { files })
    await expect(refused).rejects.toMatchObject({
      reason: 'io',
      message: expect.stringContaining('part/msg_c/prt_msg_c_000003.json was left out'),
    })
  })

  it('says inside of its files what it likes about ids', async () => {
    const tree = storedTree({
      msg_a: [textPart('go')],
      msg_b: [{ ...running('../../x'), id: '../../../etc/x', sessionID: 'ses_o', messageID: '..\0' }],
    })
    writeFileSync(tree.session, JSON.stringify({ id: '../ses', parentID: 'ses_k', time: { updated: 1 } }))
    writeFileSync(tree.message('msg_b'), JSON.stringify({ id: 'msg_b', sessionID: '..', role: 'assistant' }))
    ageAll(tree.root)
    expect(await repair(tree.root, { write: true })).toMatchObject({ written: true, closed: [{ id: '../../x' }] })
    expect(orphans(loadTree(tree.root, 'ses_k'))).toEqual([])
  })

  it('has files that are hidden, as other programs leave them, and that opencode does not see', async () => {
    const tree = storedTree(KILLED)
    const hidden = join(dirname(tree.part('msg_b', 1)), '.prt_old.json')
    writeFileSync(hidden, JSON.stringify(running('call_x')))
    age(hidden)
    expect((await repair(tree.root, { write: true })).closed).toHaveLength(3)
    expect(readFileSync(hidden, 'utf8')).toContain('running')
  })
})

describe('very many parts', () => {
  it('take no longer each than few do', async () => {
    const time = async (messages: number): Promise<number> => {
      const parts = [
        done('x'),
        ...Array.from({ length: 9 }, (_, index) => (index === 0 ? running('y') : textPart('z'))),
      ]
      const names = Array.from({ length: messages }, (_, index) => `msg_${String(index).padStart(6, '0')}`)
      const tree = storedTree(Object.fromEntries(names.map((name) => [name, parts])))
      const start = performance.now()
      expect((await repaired(tree.root)).closed).toHaveLength(messages)
      return performance.now() - start
    }
    await time(20)
    const [few, many] = [await time(80), await time(640)]
    console.info(`a storage tree: ${few.toFixed(0)} ms for 800 parts, ${many.toFixed(0)} ms for 6,400`)
    // Eight times the parts; what is square would take sixty-four times as long.
    expect(many).toBeLessThan(few * 25 + 500)
  }, 120_000)
})

it('a file with the name of a session, but beside no tree, is read as what it is', async () => {
  const folder = join(testFolder(), 'session', 'prj')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'ses_k.json')
  writeFileSync(path, jsonl([{ hello: 'world' }]))
  await expect(repair(path)).rejects.toThrow('no known format')
})
