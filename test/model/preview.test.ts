import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('a preview holds no more of a text in memory than it shows', () => {
  const script = `
    import { preview } from './src/model/json.ts'
    const held = []
    for (let count = 0; count < 64; count++) {
      const text = String(count).padEnd(2 ** 20, 'x')
      held.push(preview(text), preview(text.slice(100, 200)))
    }
    gc()
    console.log(process.memoryUsage().heapUsed, held.length)`
  const flags = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', script]
  const [used, count] = execFileSync(process.execPath, flags, { encoding: 'utf8' }).split(' ').map(Number)
  expect(count).toBe(128)
  // All 64 texts take 64 MiB.
  expect(used).toBeLessThan(32 * 2 ** 20)
})
