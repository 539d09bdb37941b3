import { at, type Fields, items, type Loaded, textAt } from './kit.ts'

type Message = { readonly role: string; readonly content: readonly Fields[] }

const message = (value: unknown): Message => ({ role: textAt(value, 'role'), content: items(at(value, 'content')) })

/** zut takes no blank line, no broken one and no unknown row. */
function strictRows(text: string, known: ReadonlySet<string>): readonly Fields[] {
  return text
    .split('\n')
    .slice(0, known === EVENTS || text.endsWith('\n') ? -1 : undefined)
    .map((line, index) => {
      const row = items([JSON.parse(line)])[0]
      if (row === undefined || !known.has(textAt(row, 'type'))) throw new Error(`line ${index + 1}: bad row`)
      return row
    })
}

const ROWS = new Set(['meta', 'message', 'compaction', 'usage', 'rename', 'extension_state'])

export function messagesOf(text: string): readonly Message[] {
  let messages: Message[] = []
  for (const row of strictRows(text, ROWS)) {
    if (row.type === 'message') messages.push(message(row.message))
    if (row.type === 'compaction') messages = items(row.messages).map(message)
  }
  return messages
}

const callIds = ({ content }: Message): string[] =>
  content.filter((block) => textAt(block, 'name') !== '').map((block) => textAt(block, 'id'))
const resultIds = ({ content }: Message): string[] =>
  content.map((block) => textAt(block, 'call_id')).filter((id) => id !== '')

/**
 * A session before zut's own repair, as far as the last answer goes; what is open in earlier ones zut closes with a result of
 * its own, and takes none that stands elsewhere.
 */
export function loadZut(text: string): Loaded {
  const messages = messagesOf(text)
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  const earlier = repairedByZut(messages.slice(0, last))
  const tail = messages.slice(Math.max(last, 0))
  return {
    calls: [...earlier.calls, ...tail.filter(({ role }) => role === 'assistant').flatMap(callIds)],
    results: [...earlier.results, ...tail.filter(({ role }) => role === 'tool').flatMap(resultIds)],
  }
}

/** Only the very next tool message counts; what is missing there is made up, all other results are dropped. */
export function repairedByZut(messages: readonly Message[]): Loaded {
  const calls = messages.filter(({ role }) => role === 'assistant').flatMap(callIds)
  return { calls, results: calls }
}

const EVENTS = new Set([
  ...['child.accepted', 'turn.accepted', 'turn.started', 'turn.finished', 'child.interrupted', 'child.failed'],
  ...['message.user', 'message.assistant', 'tool.call', 'tool.result', 'usage'],
])

/** A journal, whose last line is passed over when no newline ends it. Throws where zut says that it is damaged. */
export function loadZutJournal(text: string): Loaded {
  const calls = new Set<string>()
  const made = new Set<string>()
  const results = new Set<string>()
  for (const event of strictRows(text, EVENTS)) {
    if (event.version !== 1 || textAt(event, 'time') === '') throw new Error('no version or no time')
    if (event.type === 'message.assistant') for (const id of callIds(message(event.message))) calls.add(id)
    if (event.type === 'tool.call') calls.add(once(event, made, 'call'))
    if (event.type === 'tool.result') resultIn(event, made, results)
  }
  return { calls: [...calls], results: [...results] }
}

function once(event: Fields, seen: Set<string>, what: string): string {
  const id = textAt(event, 'tool_id')
  if (seen.has(id)) throw new Error(`duplicate ${what} ${id}`)
  seen.add(id)
  return id
}

function resultIn(event: Fields, made: ReadonlySet<string>, results: Set<string>): void {
  const id = once(event, results, 'result')
  if (!made.has(id)) throw new Error(`orphan result ${id}`)
  if (items(at(event, 'tool_result', 'Content')).length === 0) throw new Error('missing content')
}

/** The turn that was queued or runs. */
export function runningTurn(text: string): string | undefined {
  let turn: string | undefined
  for (const event of strictRows(text, EVENTS)) {
    const type = textAt(event, 'type')
    if (type === 'turn.accepted' || type === 'turn.started') turn = textAt(event, 'turn_id')
    if (['turn.finished', 'child.interrupted', 'child.failed'].includes(type)) turn = undefined
  }
  return turn
}
