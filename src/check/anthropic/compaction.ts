import type { Rule } from './run.ts'
import { placeOf } from './survey.ts'

/** A signed summary replaces what it summarizes. Unsigned ones, of an older beta, stay where they were returned. */
const position: Rule = {
  ids: ['anthropic/compaction-signed-position'],
  check: (run) => {
    for (const item of run.survey.items) {
      for (const block of item.blocks) {
        if (block.type !== 'compaction' || typeof block.value.signature !== 'string') continue
        if (block.message === 0 && block.index === 0) continue
        const message =
          '`compaction` block must be sent first, in place of the messages it summarizes; remove those messages'
        run.report('anthropic/compaction-signed-position', message, placeOf(block))
      }
    }
  },
}

export const COMPACTION: readonly Rule[] = [position]
