import { isObject, type JsonObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, Extra, Json, ReasoningPart } from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import type { StoredPart } from '../assemble.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import type { OpenCall } from '../open-calls.ts'
import type { Report } from '../report.ts'
import { openPart, reportUnknown } from './content.ts'
import { tellResults } from './results.ts'
import type { Block, StoredMessage } from './stored.ts'

type BlockReader = (block: Block, report: Report) => StoredPart | undefined

const BLOCKS: { readonly [type: string]: BlockReader } = {
  text: openPart,
  image: openPart,
  toolRequest: toolCall,
  thinking: (block, report): ReasoningPart | undefined => {
    const [text, signature] = [stringAt(block, 'thinking'), stringAt(block, 'signature')]
    if (text === undefined) report('part-invalid', { before: block })
    if (text === undefined || (text === '' && !signature)) return undefined
    return { type: 'reasoning', text, ...(signature ? { extra: { anthropic: { signature } } } : {}) }
  },
  redactedThinking(block, report): ReasoningPart | undefined {
    const data = stringAt(block, 'data')
    if (data === undefined) report('part-invalid', { before: block })
    return data === undefined
      ? undefined
      : { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data } } }
  },
}

/** Tells an answer, and the results that stand in it against the rule. */
export function tellAssistant(message: StoredMessage, by: Author | undefined, narrator: Narrator): void {
  const parts: StoredPart[] = []
  for (const block of message.content) {
    const read = own(BLOCKS, block.type)
    if (read === undefined) reportUnknown(block.type, narrator.report)
    const part = read?.(block, narrator.report)
    if (part !== undefined) parts.push(part)
  }
  if (parts.length === 0) narrator.report('message-empty', { before: message.id })
  else {
    const author = agentAuthor(by?.provider, by?.model, parts)
    narrator.assistant({
      parts,
      ...(author === undefined ? {} : { by: author }),
      ...(message.id === '' ? {} : { id: message.id }),
      ...timeAt(message.created),
    })
  }
  tellResults(message, narrator)
}

/** A request that the program could not read has an error in the place of its name and arguments; its response tells the model. */
function toolCall(block: Block, report: Report): OpenCall {
  const { toolCall: stored } = block
  const value = isObject(stored) && isObject(stored.value) ? stored.value : undefined
  const id = stringAt(block, 'id') ?? ''
  const name = stringAt(value, 'name')
  const extra = slotsOf(block)
  if (name === undefined) {
    report('part-invalid', { message: UNREAD, before: stored ?? block, ...(id === '' ? {} : { callId: id }) })
    const error = stringAt(stored, 'error')
    const kept =
      error === undefined ? extra : { ...extra, goose: { ...(extra?.goose as JsonObject | undefined), error } }
    return { type: 'tool-call', id, name: 'unknown_tool', args: {}, ...(kept === undefined ? {} : { extra: kept }) }
  }
  const args = value?.arguments
  return {
    type: 'tool-call',
    id,
    name,
    args: args === undefined || args === null ? {} : (args as Json),
    ...(extra === undefined ? {} : { extra }),
  }
}

const UNREAD = 'A tool request is stored without its name and arguments, since the tool itself could not read it.'

/** Gemini signs calls. Later versions keep what a provider wants back in `metadata`. */
function slotsOf(block: Block): Extra | undefined {
  const metadata = isObject(block.metadata) ? block.metadata : undefined
  const thoughtSignature = stringAt(block, 'thoughtSignature') ?? stringAt(metadata, 'thoughtSignature')
  const isKept = metadata !== undefined && Object.keys(metadata).some((key) => key !== 'thoughtSignature')
  if (thoughtSignature === undefined && !isKept) return undefined
  return {
    ...(thoughtSignature === undefined ? {} : { gemini: { thoughtSignature } }),
    ...(isKept ? { goose: { metadata: metadata as JsonObject } } : {}),
  }
}
