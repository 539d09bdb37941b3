import { isObject } from '../../model/json.ts'
import type { Rule, Run } from './run.ts'
import { type Block, type Item, placeOf, type Turn } from './survey.ts'

const isBlank = (text: string): boolean => !/\S/.test(text)

/** A user turn must hold something; the turn counts, not its messages, since the API joins them. */
const emptyUserTurn: Rule = {
  ids: ['anthropic/empty-message'],
  check: (run) => {
    for (const { role, items } of run.survey.turns) {
      const first = items[0]
      if (role !== 'user' || first === undefined || !items.every((item) => item.empty)) continue
      const path = `messages.${first.index}`
      run.report('anthropic/empty-message', `${path}: user messages must have non-empty content`, path)
    }
  },
}

/** The API of 2024 and 2025 refused every empty message but an assistant's last one. */
const emptyMessage: Rule = {
  ids: ['anthropic/empty-message'],
  level: 'strict',
  check: (run) => {
    const last = run.survey.items.at(-1)
    for (const item of run.survey.turns.flatMap(partlyEmpty)) {
      if (item === last && item.role === 'assistant') continue
      const path = `messages.${item.index}`
      const words = 'all messages must have non-empty content except for the optional final assistant message'
      run.report('anthropic/empty-message', `${path}: ${words}`, path)
    }
  },
}

/** The empty messages of a turn, but for a user turn that is empty altogether: that has its own words. */
function partlyEmpty(turn: Turn): readonly Item[] {
  const empty = turn.items.filter((item) => item.empty)
  return turn.role === 'user' && empty.length === turn.items.length ? [] : empty
}

const textOf = (block: Block): string | undefined => {
  const text = block.type === 'text' ? block.value.text : undefined
  return typeof text === 'string' ? text : undefined
}

const EMPTY = 'text content blocks must be non-empty'
const BLANK = 'text content blocks must contain non-whitespace text'

const emptyText: Rule = {
  ids: ['anthropic/empty-text-block'],
  check: (run) => {
    for (const item of run.survey.items) {
      if (item.role === 'system') continue
      for (const block of item.blocks) {
        if (textOf(block) === '') run.report('anthropic/empty-text-block', `messages: ${EMPTY}`, placeOf(block))
      }
    }
  },
}

/**
 * Blank text beside content that is not blank was accepted by a live table and refused by a probe: `live` refuses it only
 * where the message holds nothing else.
 */
const blankText: Rule = {
  ids: ['anthropic/whitespace-text-block', 'anthropic/string-content-whitespace'],
  check: (run) => {
    for (const item of run.survey.items) {
      if (item.role !== 'system') checkBlank(item, run)
    }
  },
}

function checkBlank(item: Item, run: Run): void {
  if (item.text !== undefined) {
    if (item.text === '' || !isBlank(item.text)) return
    run.report('anthropic/string-content-whitespace', `messages: ${BLANK}`, `messages.${item.index}.content`)
    return
  }
  if (!item.blocks.some((block) => isWhitespace(textOf(block)))) return
  const blank = item.blocks.filter((block) => isWhitespace(textOf(block)))
  const others = item.blocks.length - blank.length - item.blocks.filter((block) => textOf(block) === '').length
  if (others > 0 && !run.strict) return
  for (const block of blank) run.report('anthropic/whitespace-text-block', `messages: ${BLANK}`, placeOf(block))
}

const isWhitespace = (text: string | undefined): boolean => text !== undefined && text !== '' && isBlank(text)

/** Reports on empty text inside of results disagree, so only `strict` refuses it. */
const emptyInnerText: Rule = {
  ids: ['anthropic/empty-text-block', 'anthropic/whitespace-text-block'],
  level: 'strict',
  check: (run) => {
    for (const item of run.survey.items) {
      for (const block of item.blocks) if (block.type === 'tool_result') checkInner(block, run)
    }
  },
}

function checkInner(block: Block, run: Run): void {
  const content = block.value.content
  if (!Array.isArray(content)) return
  for (const [index, inner] of content.entries()) {
    if (!isObject(inner) || inner.type !== 'text') continue
    const path = `${placeOf(block)}.content.${index}`
    const text = inner.text
    if (text === '') run.report('anthropic/empty-text-block', `messages: ${EMPTY}`, path)
    else if (typeof text === 'string' && isBlank(text)) {
      run.report('anthropic/whitespace-text-block', `messages: ${BLANK}`, path)
    }
  }
}

/** The system prompt; an empty string is taken as none at `live`. */
const systemText: Rule = {
  ids: ['anthropic/empty-text-block', 'anthropic/whitespace-text-block'],
  check: (run) => {
    const { system } = run.body
    if (typeof system === 'string') return checkSystemString(system, run)
    if (!Array.isArray(system)) return
    const texts = system.map((block: unknown) => (isObject(block) ? block.text : undefined))
    const allBlank = texts.every((text) => typeof text === 'string' && isBlank(text))
    for (const [index, text] of texts.entries()) {
      if (text === '') run.report('anthropic/empty-text-block', `system: ${EMPTY}`, `system.${index}`)
      else if (typeof text === 'string' && isBlank(text) && (allBlank || run.strict)) {
        run.report('anthropic/whitespace-text-block', `system: ${BLANK}`, `system.${index}`)
      }
    }
  },
}

function checkSystemString(system: string, run: Run): void {
  if (system === '') {
    if (run.strict) run.report('anthropic/empty-text-block', `system: ${EMPTY}`, 'system')
  } else if (isBlank(system)) run.report('anthropic/whitespace-text-block', `system: ${BLANK}`, 'system')
}

export const EMPTY_TURNS: readonly Rule[] = [emptyUserTurn, emptyMessage]
export const EMPTY_TEXTS: readonly Rule[] = [emptyText, blankText, emptyInnerText, systemText]
