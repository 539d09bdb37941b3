import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bundled } from '../bundle.ts'
import { fileFolder } from '../folders.ts'
import { SESSION } from './console.ts'

const MAIN = [await bundled('src/cli/main.ts', fileFolder())]

describe('the program', () => {
  it('keeps output and what is said about it apart, and takes standard input', () => {
    const convert = spawnSync(process.execPath, [...MAIN, 'convert', SESSION, '--to', 'chat'], { encoding: 'utf8' })
    expect(convert.status).toBe(0)
    const body = JSON.stringify({ model: 'gpt-4.1', ...(JSON.parse(convert.stdout) as object) })
    const check = spawnSync(process.execPath, [...MAIN, 'check', '-', '--api', 'chat'], {
      input: body,
      encoding: 'utf8',
    })
    expect({ status: check.status, stdout: check.stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('ends with 2 and without a stack for what cannot be read', () => {
    const run = spawnSync(process.execPath, [...MAIN, 'inspect', 'none.jsonl'], { encoding: 'utf8' })
    expect({ status: run.status, stderr: run.stderr }).toEqual({
      status: 2,
      stderr: 'provider-history: none.jsonl: there is no such file\n',
    })
  })

  it('ends quietly when its reader stops early', async () => {
    const child = spawn(process.execPath, [...MAIN, 'convert', '-', '--from', 'openai-chat', '--to', 'chat'])
    child.stdout.once('data', () => child.stdout.destroy())
    // What the child no longer takes is no matter here.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify([{ role: 'user', content: 'x'.repeat(20_000_000) }]))
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(0)
    expect(said).not.toMatch(/EPIPE|Error|\n\s+at /)
  })
})
