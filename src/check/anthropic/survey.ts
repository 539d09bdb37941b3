import { type Fields, isObject } from '../../model/json.ts'

export interface Block {
  readonly type: string
  readonly value: Fields
  /** Index of its message, and its own index there, in the arrays that the client sent. */
  readonly message: number
  readonly index: number
}

export interface Item {
  readonly index: number
  readonly role: 'user' | 'assistant' | 'system'
  readonly message: Fields
  /** Absent for a list. */
  readonly text?: string | undefined
  readonly blocks: readonly Block[]
  /** The content is `""` or `[]`. */
  readonly empty: boolean
}

/** Adjacent messages of one role: the API joins them. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly items: readonly Item[]
}

/** The conversation as the rules behind the schema see it: only what can be walked safely. */
export interface Survey {
  readonly items: readonly Item[]
  /** Without system messages, which stand between turns. */
  readonly turns: readonly Turn[]
}

const NONE: readonly Block[] = []

export function surveyOf(messages: unknown): Survey {
  const items: Item[] = []
  const turns: { role: 'user' | 'assistant'; items: Item[] }[] = []
  if (!Array.isArray(messages)) return { items, turns }
  for (const [index, message] of messages.entries()) {
    const item = itemOf(message, index)
    if (item === undefined) continue
    items.push(item)
    if (item.role === 'system') continue
    const open = turns.at(-1)
    if (open?.role === item.role) open.items.push(item)
    else turns.push({ role: item.role, items: [item] })
  }
  return { items, turns }
}

function itemOf(message: unknown, index: number): Item | undefined {
  if (!isObject(message)) return undefined
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined
  if (typeof content === 'string') {
    return { index, role, message, text: content, blocks: NONE, empty: content === '' }
  }
  const list = Array.isArray(content) ? content : undefined
  return { index, role, message, blocks: list ? blocksOf(list, index) : NONE, empty: list?.length === 0 }
}

function blocksOf(content: readonly unknown[], message: number): readonly Block[] {
  const blocks: Block[] = []
  for (const [index, value] of content.entries()) {
    if (isObject(value) && typeof value.type === 'string') blocks.push({ type: value.type, value, message, index })
  }
  return blocks
}

/** `messages.3.content.0`, in the grammar of the conversation phase. */
export function placeOf(block: Block): string {
  return `messages.${block.message}.content.${block.index}`
}
