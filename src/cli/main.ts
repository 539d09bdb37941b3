#!/usr/bin/env node
import { ReadError } from '../model/error.ts'
import { type Console, EXIT } from './command.ts'
import { run } from './run.ts'

const terminal: Console = {
  print: (text) => {
    process.stdout.write(text)
  },
  say: (text) => {
    process.stderr.write(text)
  },
  async stdin(maxBytes) {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new ReadError(`standard input is over ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  },
}

for (const stream of [process.stdout, process.stderr]) {
  // Whoever reads may stop early, as `head` does: that is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? process.exitCode : EXIT.failed)
  })
}

// Not `process.exit`, which would cut what a pipe has not yet taken.
process.exitCode = await run(process.argv.slice(2), terminal)
