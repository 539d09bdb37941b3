import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copied, type Loader, orphans, repair, repaired, sharedFiles, stored } from './kit.ts'

export interface ValueTool {
  readonly name: string
  readonly file: string
  readonly load: Loader
  /** A file with calls that have no outcome. */
  readonly broken: { readonly text: string; readonly open: readonly string[] }
  readonly clean: string
}

/** What holds for every file that is replaced as a whole. */
export function describeReplacing({ name, file, load, broken, clean }: ValueTool): void {
  describe(`a broken session of ${name}`, () => {
    it('is only looked at in a dry run, which says all', async () => {
      const path = stored(broken.text, file)
      const result = await repair(path)
      expect(readFileSync(path, 'utf8')).toBe(broken.text)
      expect(readdirSync(dirname(path))).toEqual([file])
      expect(result.closed.map(({ id }) => id)).toEqual(broken.open)
      expect(result.replaced.length).toBeGreaterThan(0)
      expect(result.before?.violations.length).toBeGreaterThan(0)
      expect(result.after?.violations).toEqual([])
      const { backup, ...written } = await repair(path, { write: true })
      expect(written).toEqual({ ...result, written: true })
      expect(backup).toBeDefined()
    })

    it('is replaced at once, its old bytes are kept for its owner alone, and its mode stays', async () => {
      const path = stored(broken.text, file)
      chmodSync(path, 0o640)
      const { backup } = await repaired(path)
      expect(orphans(load(readFileSync(path, 'utf8')))).toEqual([])
      expect(statSync(path).mode & 0o7777).toBe(0o640)
      expect(dirname(backup!)).toBe(dirname(path))
      expect(readFileSync(backup!, 'utf8')).toBe(broken.text)
      expect(statSync(backup!).mode & 0o7777).toBe(0o600)
      expect(readdirSync(dirname(path)).length).toBe(2)
    })

    it('is not touched a second time', async () => {
      const path = stored(broken.text, file)
      await repaired(path)
      const text = readFileSync(path, 'utf8')
      expect(await repaired(path)).toMatchObject({ written: false, replaced: [], closed: [] })
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(readdirSync(dirname(path)).length).toBe(2)
    })

    it('is refused where its JSON is cut off', async () => {
      const path = stored(broken.text.slice(0, -5), file)
      await expect(repair(path, { write: true })).rejects.toThrow()
      expect(readFileSync(path, 'utf8')).toBe(broken.text.slice(0, -5))
    })
  })

  it(`a session of ${name} without a fault is left alone`, async () => {
    const path = stored(clean, file)
    expect(orphans(load(clean))).toEqual([])
    expect(await repaired(path)).toMatchObject({ written: false, replaced: [], closed: [], changes: [] })
    expect(readdirSync(dirname(path))).toEqual([file])
  })
}

/** Repairs a copy of each real file of a format that is replaced, and prints what was done. */
export function describeSharedValues(format: string, load: Loader, wanted: (name: string) => boolean): void {
  const names = sharedFiles(format).filter(wanted)
  it(`repairs the real files of ${format}`, async () => {
    if (names.length === 0) console.info(`${format}: no real files here, skipped`)
    const rows: string[] = []
    for (const name of names) {
      const path = copied(format, name)
      const original = readFileSync(path)
      const result = await repaired(path)
      const text = readFileSync(path, 'utf8')
      expect(orphans(load(text)), name).toEqual([])
      if (result.backup !== undefined) expect(readFileSync(result.backup).equals(original), name).toBe(true)
      expect(result.after?.violations ?? [], name).toEqual([])
      expect(await repaired(path), name).toMatchObject({ written: false, replaced: [] })
      const rule = result.before?.violations[0]?.rule ?? '-'
      const grown = Buffer.byteLength(text) - original.length
      rows.push(`${name.padEnd(72)} ${String(result.closed.length).padStart(6)} ${String(grown).padStart(6)}  ${rule}`)
    }
    const head = `${`${format}: file`.padEnd(72)} ${'closed'.padStart(6)} ${'grown'.padStart(6)}  refused before by`
    console.info([head, ...rows].join('\n'))
  })
}

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
