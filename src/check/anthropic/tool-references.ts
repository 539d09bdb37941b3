import { isObject } from '../../model/json.ts'
import type { Rule, Run } from './run.ts'
import { type Block, placeOf } from './survey.ts'
import { toolNames } from './tools.ts'

/** A result may bring tools into play, by the names under which they are defined. */
const known: Rule = {
  ids: ['anthropic/tool-reference-unknown'],
  check: (run) => {
    for (const item of run.survey.items) {
      for (const block of item.blocks) if (block.type === 'tool_result') checkResult(block, run)
    }
  },
}

function checkResult(block: Block, run: Run): void {
  const content = block.value.content
  if (!Array.isArray(content)) return
  for (const [index, inner] of content.entries()) {
    if (!isObject(inner) || inner.type !== 'tool_reference') continue
    const name = inner.tool_name
    if (typeof name !== 'string' || toolNames(run)?.has(name) !== false) continue
    const message = `Tool reference '${name}' not found in available tools`
    run.report('anthropic/tool-reference-unknown', message, `${placeOf(block)}.content.${index}`)
  }
}

export const TOOL_REFERENCES: readonly Rule[] = [known]
