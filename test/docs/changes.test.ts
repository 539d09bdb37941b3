import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changesPage } from '../../docs/changes-page.ts'
import { CHANGES } from '../../src/index.ts'

describe('docs/changes.md', () => {
  it('is what npm run docs writes', () => {
    expect(readFileSync('docs/changes.md', 'utf8')).toBe(changesPage())
  })

  it('explains every code', () => {
    const page = readFileSync('docs/changes.md', 'utf8')
    for (const code of Object.keys(CHANGES)) expect(page).toContain(`| \`${code}\` `)
  })
})
