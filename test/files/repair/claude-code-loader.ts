import { at, type Fields, items, type Loaded, parsedLines, textAt } from './kit.ts'

const CHAIN = new Set<unknown>(['user', 'assistant', 'progress', 'system', 'attachment'])

/**
 * As Anthropic's SDK builds a conversation: the leaf is the newest end of the tree, the chain leads from it to a root. Then, as
 * the program itself, the siblings: all lines of a message on the chain, and the results of its calls wherever they stand.
 */
export function loadClaudeCode(text: string): Loaded {
  const records = parsedLines(text).filter((record) => CHAIN.has(record.type) && textAt(record, 'uuid') !== '')
  const byUuid = new Map<string, Fields>()
  for (const record of records) if (!byUuid.has(textAt(record, 'uuid'))) byUuid.set(textAt(record, 'uuid'), record)
  const chain = chainOf(leafOf(records, byUuid), byUuid)
  const onChain = new Set(chain)
  const messages = new Set(chain.filter(isAnswer).map((record) => at(record, 'message', 'id')))
  const said = records.filter((record) => {
    const id = at(record, 'message', 'id')
    return isAnswer(record) && (id === undefined ? onChain.has(record) : messages.has(id))
  })
  const calls = new Set(said.flatMap((record) => blocks(record, 'tool_use').map((block) => textAt(block, 'id'))))
  const loaded = chain.flatMap(resultIds)
  const anywhere = records.flatMap(resultIds).filter((id) => calls.has(id))
  return { calls: [...calls], results: [...new Set([...loaded, ...anywhere])] }
}

const isAnswer = ({ type }: Fields): boolean => type === 'assistant'

function leafOf(records: readonly Fields[], byUuid: ReadonlyMap<string, Fields>): Fields | undefined {
  const parents = new Set(records.map(({ parentUuid }) => parentUuid))
  const leaves = new Set<Fields>()
  for (const end of records) {
    if (parents.has(end.uuid)) continue
    const leaf = chainOf(end, byUuid).findLast(({ type }) => type === 'user' || type === 'assistant')
    if (leaf !== undefined) leaves.add(leaf)
  }
  const inOrder = records.filter((record) => leaves.has(record))
  return inOrder.findLast(({ isSidechain, teamName, isMeta }) => !isSidechain && !teamName && !isMeta) ?? inOrder.at(-1)
}

function chainOf(leaf: Fields | undefined, byUuid: ReadonlyMap<string, Fields>): Fields[] {
  const chain = new Set<Fields>()
  let link = leaf
  while (link !== undefined && !chain.has(link)) {
    chain.add(link)
    link = byUuid.get(textAt(link, 'parentUuid'))
  }
  return [...chain].reverse()
}

const blocks = (record: Fields, type: string): readonly Fields[] =>
  items(at(record, 'message', 'content')).filter((block) => block.type === type)

const resultIds = (record: Fields): readonly string[] =>
  blocks(record, 'tool_result').map((block) => textAt(block, 'tool_use_id'))
