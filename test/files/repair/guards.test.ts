import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RepairError, repairSessionFile } from '../../../src/files/index.ts'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { testFolder } from '../../folders.ts'
import { call, header, result, said, user } from '../../read/pi-lines.ts'
import { age, jsonl, repair, stored } from './kit.ts'

const lines = jsonl([header(), user('a', null, 'list'), said('b', 'a', [call('A'), call('B')])])

const history = JSON.stringify([
  {
    role: 'user',
    content: [
      { type: 'text', text: 'x' },
      { type: 'text', text: '<environment_details>' },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input: {} }],
    modelInfo: { modelId: 'm' },
  },
])

describe('a file that must not be repaired', () => {
  it('is a link, or anything but a regular file', async () => {
    const path = stored(lines)
    const link = join(dirname(path), 'link.jsonl')
    symlinkSync(path, link)
    await expect(repair(link, { write: true, force: true })).rejects.toMatchObject({ reason: 'link' })
    await expect(repair(dirname(path))).rejects.toMatchObject({ reason: 'irregular' })
    await expect(repair('/dev/null')).rejects.toMatchObject({ reason: 'irregular' })
    const pipe = join(testFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    await expect(repair(pipe)).rejects.toMatchObject({ reason: 'irregular' })
    await expect(repair(join(testFolder(), 'missing'))).rejects.toMatchObject({ reason: 'io' })
    expect(readFileSync(path, 'utf8')).toBe(lines)
  })

  it('was changed in the last ten seconds, or in times to come, unless that is forced', async () => {
    const now = new Date('2026-11-30T12:00:00Z')
    for (const seconds of [0, 9, -3600]) {
      const path = stored(lines)
      utimesSync(path, now, new Date(now.getTime() - seconds * 1000))
      await expect(repair(path, { write: true })).rejects.toMatchObject({ reason: 'recent' })
      expect(await repair(path)).toMatchObject({ written: false, closed: [{}, {}] })
      expect(await repair(path, { write: true, force: true })).toMatchObject({ written: true })
    }
    const path = stored(lines)
    utimesSync(path, now, new Date(now.getTime() - 10_000))
    expect(await repair(path, { write: true })).toMatchObject({ written: true })
  })

  it('is changed between reading and writing; when forced it is read again', async () => {
    const more = jsonl([result('c', 'b', 'A', 'out')])
    const late = (path: string): RepairFiles => {
      let opened = 0
      return {
        ...NODE_FILES,
        async open(...values) {
          if (++opened === 2) appendFileSync(path, more)
          return NODE_FILES.open(...values)
        },
      }
    }
    const path = stored(lines)
    await expect(repair(path, { write: true }, { files: late(path) })).rejects.toMatchObject({ reason: 'changed' })
    expect(readFileSync(path, 'utf8')).toBe(lines + more)
    const forced = stored(lines)
    const { closed } = await repair(forced, { write: true, force: true }, { files: late(forced) })
    expect(closed.map(({ id }) => id)).toEqual(['B'])
    expect(readFileSync(forced, 'utf8').startsWith(lines + more)).toBe(true)
  })

  it('is changed while its replacement is written', async () => {
    const path = stored(history, 'history.json')
    const files: RepairFiles = {
      ...NODE_FILES,
      async open(name, ...more) {
        if (name.endsWith('.tmp')) writeFileSync(path, `${history} `)
        return NODE_FILES.open(name, ...more)
      },
    }
    await expect(repair(path, { write: true }, { files })).rejects.toMatchObject({ reason: 'changed' })
    expect(readFileSync(path, 'utf8')).toBe(`${history} `)
    expect(readdirSync(dirname(path))).toEqual(['history.json'])
  })

  it('has further names, of which a replacement would keep one', async () => {
    const path = stored(history, 'history.json')
    linkSync(path, join(dirname(path), 'other.json'))
    await expect(repair(path, { write: true })).rejects.toMatchObject({ reason: 'irregular' })
    expect(readFileSync(path, 'utf8')).toBe(history)
  })

  it('is of a format that is not repaired, compressed, too large, or of none at all', async () => {
    const chat = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], model: 'gpt-5' })
    await expect(repair(stored(chat))).rejects.toMatchObject({ reason: 'unsupported' })
    await expect(repair(stored(gzipSync(lines)))).rejects.toMatchObject({ reason: 'unsupported' })
    await expect(repair(stored(lines), { maxBytes: 10 })).rejects.toMatchObject({ reason: 'unsupported' })
    await expect(repair(stored('PK\u0003\u0004'))).rejects.toThrow(
      'this is a ZIP archive, which is not read: unpack it',
    )
    await expect(repair(stored('nothing'))).rejects.toThrow('no known format')
    await expect(repair(stored(''))).rejects.toThrow('no known format')
  })
})

describe('a file that is repaired', () => {
  it('keeps its mode and its owner', async () => {
    const path = stored(lines)
    chmodSync(path, 0o604)
    const before = statSync(path)
    await repair(path, { write: true })
    const { mode, uid, gid, ino } = statSync(path)
    expect({ mode, uid, gid, ino }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid, ino: before.ino })
  })

  it('leaves no other file behind when it is appended to', async () => {
    const path = stored(lines)
    await repair(path, { write: true })
    expect(readdirSync(dirname(path))).toEqual(['session.jsonl'])
  })

  it('does not write over the files of earlier repairs', async () => {
    const path = stored(history, 'history.json')
    const { backup } = await repair(path, { write: true })
    writeFileSync(path, history)
    age(path)
    const second = await repair(path, { write: true })
    expect(second.backup).not.toBe(backup)
    expect(readFileSync(backup!, 'utf8')).toBe(history)
  })

  it('is repaired by the public name, which refuses by errors that can be told', async () => {
    const path = stored(lines)
    expect((await repairSessionFile(path)).closed).toHaveLength(2)
    const folder = join(testFolder(), 'folder')
    mkdirSync(folder)
    const error: unknown = await repairSessionFile(folder).catch((thrown: unknown) => thrown)
    expect(RepairError.is(error)).toBe(true)
    expect(RepairError.is(new Error('x'))).toBe(false)
  })
})
