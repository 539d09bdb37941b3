import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const made = (): string => mkdtempSync(join(tmpdir(), 'provider-history-test-'))
const gone = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A folder of its own for a test file; gone behind its last test. */
export function fileFolder(): string {
  const folder = made()
  afterAll(() => gone(folder))
  return folder
}

/** A folder of its own for one test, also from what several test files share; gone when the test is over. */
export function testFolder(): string {
  const folder = made()
  onTestFinished(() => gone(folder))
  return folder
}
