import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RepairOptions, RepairResult, Surroundings } from '../../../src/files/repair/index.ts'
import { repairFile } from '../../../src/files/repair/index.ts'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { testFolder } from '../../folders.ts'
import { FULL } from '../../laws/runs.ts'

/** What a tool makes of its file: the ids of calls and of results, as they would go to the API. */
export interface Loaded {
  readonly calls: readonly string[]
  readonly results: readonly string[]
}

/** Loads a file by the rules of its tool. Written from the description of the format, and from nothing of the library. */
export type Loader = (text: string) => Loaded

/** Calls without a result, results without a call, and further results of a call. */
export function orphans({ calls, results }: Loaded): string[] {
  return [
    ...calls.filter((id) => !results.includes(id)).map((id) => `open ${id}`),
    ...results.filter((id) => !calls.includes(id)).map((id) => `stray ${id}`),
    ...results.filter((id, index) => results.indexOf(id) !== index).map((id) => `twice ${id}`),
  ]
}

export const NOW = new Date('2026-11-30T12:00:00.000Z')
const LONG_AGO = new Date('2026-11-30T11:00:00.000Z')

/** A file that nobody has touched for an hour. */
export function stored(content: string | Uint8Array, name = 'session.jsonl'): string {
  const path = join(testFolder(), name)
  writeFileSync(path, content)
  age(path)
  return path
}

export const age = (path: string): void => utimesSync(path, LONG_AGO, LONG_AGO)

export const repair = (path: string, options: RepairOptions = {}, more: Surroundings = {}): Promise<RepairResult> =>
  repairFile(path, options, { now: () => NOW, ...more })

/** The system without its syncs, for tests that repair thousands of times and pull no plug. */
const UNSYNCED: RepairFiles = {
  ...NODE_FILES,
  async open(path, flags, mode) {
    const file = await NODE_FILES.open(path, flags, mode)
    file.sync = async () => {}
    return file
  },
}

/** Repairs, and makes the file look old again. */
export async function repaired(path: string): Promise<RepairResult> {
  const result = await repair(path, { write: true }, { files: UNSYNCED })
  age(path)
  return result
}

export const jsonl = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export type Fields = { readonly [key: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands at a path of keys; undefined when there is nothing. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((found, key) => (isFields(found) && Object.hasOwn(found, key) ? found[key] : undefined), value)

export const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The objects of a list. */
export const items = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

/** The records of JSON lines; what is none is passed over. */
export function parsedLines(text: string): readonly Fields[] {
  return items(
    text.split('\n').map((line): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        return undefined
      }
    }),
  )
}

export interface LineTool {
  readonly name: string
  readonly load: Loader
  /** A file whose last turn was killed in the middle of its calls, and the ids of those. */
  readonly killed: { readonly text: string; readonly open: readonly string[] }
  /** A file without an open call. */
  readonly clean: string
  /** The tool takes no bad line in the middle: a torn last line goes, for which the file is rewritten. */
  readonly dropsTorn?: boolean
}

/** What holds for every file that is appended to. */
export function describeAppending({ name, load, killed, clean, dropsTorn = false }: LineTool): void {
  describe(`a killed session of ${name}`, () => {
    it('has the open calls that the test thinks it has', () => {
      expect(orphans(load(killed.text))).toEqual(killed.open.map((id) => `open ${id}`))
      expect(orphans(load(clean))).toEqual([])
    })

    it('is only looked at in a dry run, which says all', async () => {
      const path = stored(killed.text)
      const result = await repair(path)
      expect(readFileSync(path, 'utf8')).toBe(killed.text)
      expect(readdirSync(join(path, '..'))).toEqual(['session.jsonl'])
      expect(result.written).toBe(false)
      expect(result.closed.map(({ id }) => id)).toEqual(killed.open)
      expect(result.before?.violations.length).toBeGreaterThan(0)
      expect(result.after?.violations).toEqual([])
      const written = await repair(path, { write: true })
      expect(written).toEqual({ ...result, written: true })
    })

    it('keeps all its bytes, and loads without an open call', async () => {
      const path = stored(killed.text)
      const { appended } = await repaired(path)
      const text = readFileSync(path, 'utf8')
      expect(text).toBe(killed.text + appended.map((line) => `${line}\n`).join(''))
      expect(orphans(load(text))).toEqual([])
    })

    it('is not touched a second time', async () => {
      const path = stored(killed.text)
      await repaired(path)
      const text = readFileSync(path, 'utf8')
      const before = statSync(path).mtimeMs
      const again = await repaired(path)
      expect({ ...again, changes: [] }).toMatchObject({ written: false, appended: [], closed: [] })
      expect(again.before).toBeUndefined()
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(statSync(path).mtimeMs).toBe(before)
    })

    it('is repaired again after a crash at any byte of the repair', async () => {
      const path = stored(killed.text)
      await repaired(path)
      const whole = readFileSync(path)
      const start = Buffer.byteLength(killed.text)
      const cuts = Array.from({ length: whole.length - start + 1 }, (_, index) => start + index)
      const tried = cuts.filter((cut, index) => FULL || index % 7 === 0 || cut > whole.length - 3)
      for (const end of tried) {
        const cut = stored(whole.subarray(0, end))
        await repaired(cut)
        const text = readFileSync(cut)
        const kept = dropsTorn ? start : end
        expect(text.subarray(0, kept).equals(whole.subarray(0, kept)), `cut at ${end}`).toBe(true)
        expect(orphans(load(text.toString())), `cut at ${end}`).toEqual([])
      }
      console.info(`${name}: a crash at ${tried.length} of ${cuts.length} places of the repair`)
    })

    it('may end in a torn line, behind which nothing is glued', async () => {
      const torn = `${killed.text}{"type":"assist`
      const path = stored(torn)
      const result = await repaired(path)
      const text = readFileSync(path, 'utf8')
      expect(text.startsWith(dropsTorn ? killed.text : `${torn}\n`)).toBe(true)
      expect(text.includes('{"type":"assist\n')).toBe(!dropsTorn)
      if (dropsTorn) expect(readFileSync(result.backup ?? '', 'utf8')).toBe(torn)
      expect(orphans(load(text))).toEqual([])
      expect(result.changes.map(({ code }) => code)).toContain('line-torn')
      expect(await repaired(path)).toMatchObject({ written: false, appended: [] })
    })

    it('may lack its last newline', async () => {
      const path = stored(killed.text.trimEnd())
      const { appended } = await repaired(path)
      expect(readFileSync(path, 'utf8')).toBe(killed.text + appended.map((line) => `${line}\n`).join(''))
    })
  })

  it(`a session of ${name} without an open call is left alone`, async () => {
    const path = stored(clean)
    const result = await repaired(path)
    expect(result).toMatchObject({ written: false, appended: [], closed: [], replaced: [], changes: [] })
    expect(readFileSync(path, 'utf8')).toBe(clean)
  })

  if (dropsTorn) return
  it(`a clean session of ${name} that ends in a torn line gets the newline alone`, async () => {
    const path = stored(`${clean}{"torn`)
    expect(await repaired(path)).toMatchObject({ written: true, appended: [] })
    expect(readFileSync(path, 'utf8')).toBe(`${clean}{"torn\n`)
    expect(await repaired(path)).toMatchObject({ written: false })
  })
}

const SHARED = '../shared/sessions'

/** Real files, by their names below the folder of a format; none where they are not there. */
export function sharedFiles(format: string): readonly string[] {
  const root = join(SHARED, format)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(root, name)).isFile())
    .sort()
}

/** A copy, which is safe to repair. */
export function copied(format: string, name: string): string {
  const path = join(testFolder(), name.replaceAll(/[\\/]/g, '__'))
  copyFileSync(join(SHARED, format, name), path)
  age(path)
  return path
}

/** Repairs a copy of each real file of a format, and prints what was done. */
export function describeShared(format: string, load: Loader, skipped: readonly string[] = []): void {
  const names = sharedFiles(format).filter(
    (name) => /\.jsonl?$/.test(name) && !name.endsWith('.context.json') && !skipped.includes(name),
  )
  it(`repairs the real files of ${format}`, async () => {
    if (names.length === 0) console.info(`${format}: no real files here, skipped`)
    const rows: string[] = []
    for (const name of names) {
      const path = copied(format, name)
      const original = readFileSync(path)
      const result = await repaired(path)
      const text = readFileSync(path)
      expect(text.subarray(0, original.length).equals(original), name).toBe(true)
      const loaded = load(text.toString())
      expect(
        orphans(loaded).filter((orphan) => orphan.startsWith('open')),
        name,
      ).toEqual([])
      const closed = new Set(result.closed.map(({ id }) => id))
      expect(
        orphans(loaded).filter((orphan) => closed.has(orphan.slice('stray '.length))),
        name,
      ).toEqual([])
      expect(result.after?.violations ?? [], name).toEqual([])
      expect(await repaired(path), name).toMatchObject({ written: false, appended: [] })
      const rule = result.before?.violations[0]?.rule ?? '-'
      rows.push(
        `${name.padEnd(72)} ${String(result.closed.length).padStart(6)} ${String(text.length - original.length).padStart(6)}  ${rule}`,
      )
    }
    const head = `${`${format}: file`.padEnd(72)} ${'closed'.padStart(6)} ${'bytes'.padStart(6)}  refused before by`
    console.info([head, ...rows].join('\n'))
  })
}
