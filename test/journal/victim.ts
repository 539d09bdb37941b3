/**
 * A process that works with the journal of its argument until it is killed. Each step that was acknowledged is told on
 * standard output, which the system keeps when the process dies. Begins when it is told to, so that a kill may hit the
 * opening too.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { type FileSystem, NODE_FILES } from '../../src/journal/file-system.ts'
import { fileStore, openJournal } from '../../src/journal/index.ts'
import type { ToolCallEntry } from '../../src/model/session.ts'

const [path, generation, writes] = process.argv.slice(2) as [string, string, 'whole' | 'short']
const tell = (step: object): void => {
  writeSync(1, `${JSON.stringify(step)}\n`)
}

/** A system that takes a few bytes at a time, as it may: a kill falls between two pieces of a record. */
const shortFiles: FileSystem = {
  ...NODE_FILES,
  async open(path, flags, mode) {
    const file = await NODE_FILES.open(path, flags, mode)
    const write = file.write.bind(file)
    file.write = (from, offset, length, position) => write(from, offset, Math.min(length, 100), position)
    return file
  },
}

writeSync(1, '\n')
await once(process.stdin, 'data')
const journal = await openJournal(fileStore(path, writes === 'short' ? shortFiles : NODE_FILES))
tell({ opened: journal.opened })
for (let round = 0; ; round++) {
  const turn = await journal.beginTurn(`${generation}-${round}`)
  tell({ turn })
  const ids = Array.from({ length: 3 }, (_, index) => `${generation}-${round}-${index}`)
  const calls = ids.map(
    (id): ToolCallEntry => ({ type: 'tool-call', id, name: 'work', args: { id }, state: { status: 'pending' } }),
  )
  await journal.assistant({ parts: [{ type: 'text', text: 'x'.repeat((round * 997) % 5000) }, ...calls] })
  tell({ called: ids })
  await Promise.all(
    ids.map(async (id, index) => {
      if (index === 2) return
      await journal.dispatch({ id, name: 'work', args: { id } })
      // From here on the effect of the tool may be there.
      tell({ dispatched: id })
      await journal.settle(id, { status: 'completed', result: `result of ${id}` })
      tell({ settled: id })
    }),
  )
  const last = ids[2] as string
  await journal.settle(last, { status: 'failed', error: 'refused', denied: true })
  tell({ settled: last })
  await journal.endTurn(turn, 'completed')
  tell({ ended: turn })
}
