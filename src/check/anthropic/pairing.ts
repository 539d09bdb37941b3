import type { Rule, RuleId, Run } from './run.ts'
import { type Block, placeOf, type Turn } from './survey.ts'

const blocksOf = (turn: Turn | undefined): readonly Block[] => {
  if (turn === undefined) return []
  const only = turn.items.length === 1 ? turn.items[0] : undefined
  return only === undefined ? turn.items.flatMap((item) => item.blocks) : only.blocks
}

const stringIn = (block: Block, key: string): string | undefined => {
  const value = block.value[key]
  return typeof value === 'string' ? value : undefined
}

type Calls = ReadonlyMap<string, Block>

const NO_CALLS: Calls = new Map()

/** The calls of a turn by id; a call without an id has its own fault in the schema. */
function callsOf(turn: Turn | undefined): Calls {
  if (turn?.role !== 'assistant') return NO_CALLS
  let calls: Map<string, Block> | undefined
  for (const block of blocksOf(turn)) {
    const id = block.type === 'tool_use' ? stringIn(block, 'id') : undefined
    if (id === undefined) continue
    calls ??= new Map()
    if (!calls.has(id)) calls.set(id, block)
  }
  return calls ?? NO_CALLS
}

/**
 * The ids that are answered: by the longest run of results with which the user turn begins, over all messages of the
 * turn. A result behind any other block is not seen.
 */
function leadingResults(turn: Turn | undefined): ReadonlySet<string> {
  const ids = new Set<string>()
  if (turn?.role !== 'user') return ids
  for (const item of turn.items) {
    if (item.text) return ids
    for (const block of item.blocks) {
      if (block.type !== 'tool_result') return ids
      const id = stringIn(block, 'tool_use_id')
      if (id !== undefined) ids.add(id)
    }
  }
  return ids
}

function missingWords(calls: readonly Block[]): string {
  const ids = calls.map((call) => stringIn(call, 'id')).join(', ')
  return `messages.${calls[0]?.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

function tellMissing(rule: RuleId, calls: readonly Block[], run: Run): void {
  run.report(rule, missingWords(calls), `messages.${calls[0]?.message}`)
}

/** The same words for three causes: no user turn, no result, a result behind other content. */
function checkCalls(calls: Calls, next: Turn | undefined, run: Run): void {
  if (calls.size === 0) return
  const answered = leadingResults(next)
  const missing: Block[] = []
  for (const [id, call] of calls) if (!answered.has(id)) missing.push(call)
  if (missing.length > 0) tellMissing(causeOf(missing, next), missing, run)
}

function causeOf(missing: readonly Block[], next: Turn | undefined): RuleId {
  if (next === undefined) return 'anthropic/tool-result-at-end'
  const late = new Set(blocksOf(next).map((block) => stringIn(block, 'tool_use_id')))
  const allLate = missing.every((call) => late.has(stringIn(call, 'id')))
  return allLate ? 'anthropic/tool-result-first' : 'anthropic/tool-result-missing'
}

function checkResults(turn: Turn, calls: Calls, run: Run): void {
  for (const block of blocksOf(turn)) {
    const id = block.type === 'tool_result' ? stringIn(block, 'tool_use_id') : undefined
    if (id === undefined || calls.has(id)) continue
    const path = placeOf(block)
    const message = `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    run.report('anthropic/tool-result-orphan', message, path)
  }
}

/** Turn by turn, in the order of the conversation. */
const pairs: Rule = {
  ids: [
    'anthropic/tool-result-missing',
    'anthropic/tool-result-at-end',
    'anthropic/tool-result-first',
    'anthropic/tool-result-orphan',
  ],
  check: (run) => {
    const { turns } = run.survey
    let calls = NO_CALLS
    for (const [index, turn] of turns.entries()) {
      if (turn.role === 'user') checkResults(turn, calls, run)
      calls = callsOf(turn)
      checkCalls(calls, turns[index + 1], run)
    }
  },
}

/**
 * A recording of 2026 refused text behind a call with the words of a missing result, while the same history with the text
 * in front was accepted; two probes saw it accepted.
 */
const textAfterCall: Rule = {
  ids: ['anthropic/text-after-tool-use'],
  level: 'strict',
  check: (run) => {
    for (const turn of run.survey.turns) {
      if (turn.role !== 'assistant') continue
      const blocks = blocksOf(turn)
      const lastText = blocks.findLastIndex(({ type }) => type === 'text')
      const calls = blocks.slice(0, Math.max(lastText, 0)).filter((block) => block.type === 'tool_use')
      const named = calls.filter((call) => stringIn(call, 'id') !== undefined)
      if (named.length > 0) tellMissing('anthropic/text-after-tool-use', named, run)
    }
  },
}

const oneResult: Rule = {
  ids: ['anthropic/tool-result-duplicate'],
  check: (run) => {
    const { turns } = run.survey
    for (const [index, turn] of turns.entries()) {
      if (turn.role === 'user') checkDuplicates(turn, turns[index - 1], run)
    }
  },
}

/** A single result cannot be there twice. */
function checkDuplicates(turn: Turn, before: Turn | undefined, run: Run): void {
  const blocks = blocksOf(turn)
  let results = 0
  for (const { type } of blocks) if (type === 'tool_result') results++
  if (results < 2) return
  const calls = callsOf(before)
  const seen = new Set<string>()
  for (const block of blocks) {
    const id = block.type === 'tool_result' ? stringIn(block, 'tool_use_id') : undefined
    if (id === undefined) continue
    if (seen.has(id) && calls.has(id)) {
      const path = placeOf(block)
      const message = `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
      run.report('anthropic/tool-result-duplicate', message, path)
    }
    seen.add(id)
  }
}

/** Within one turn today; a recording reused an id in another turn and was accepted, so that is refused at `strict` only. */
const uniqueIds: Rule = {
  ids: ['anthropic/tool-use-id-unique'],
  check: (run) => {
    const earlier = new Set<string>()
    for (const turn of run.survey.turns) {
      if (turn.role !== 'assistant') continue
      const here = new Set<string>()
      for (const block of blocksOf(turn)) checkUnique(block, here, earlier, run)
      if (run.strict) for (const id of here) earlier.add(id)
    }
  },
}

function checkUnique(block: Block, here: Set<string>, earlier: ReadonlySet<string>, run: Run): void {
  const id = block.type === 'tool_use' ? stringIn(block, 'id') : undefined
  if (id === undefined) return
  if (here.has(id)) {
    const path = placeOf(block)
    run.report('anthropic/tool-use-id-unique', `${path}: \`tool_use\` ids must be unique`, path)
  } else if (earlier.has(id)) {
    run.report('anthropic/tool-use-id-unique', 'messages: `tool_use` ids must be unique', placeOf(block))
  }
  here.add(id)
}

export const PAIRING: readonly Rule[] = [uniqueIds, pairs, textAfterCall, oneResult]
