import { isObject, stringAt, valueAt } from '../../src/model/json.ts'
import type { WritableApi } from '../../src/write/index.ts'
import type { Request } from './apis.ts'

/** A call or a result as it stands in a request; read here by hand, not by the readers under test. */
export interface Half {
  readonly id: string
  /** Index of its wire element. */
  readonly at: number
  /** All that it says, as JSON. */
  readonly said: string
}

export interface Pairs {
  readonly calls: readonly Half[]
  readonly results: readonly Half[]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function half(block: unknown, key: string, at: number): Half {
  return { id: stringAt(block, key) ?? '', at, said: JSON.stringify(block) }
}

/** Items of the client's own tools: how their calls and outputs name the pair. */
const CALLS = /^(?:function|custom_tool|shell|local_shell|apply_patch|computer)_call$/
const OUTPUTS = /^(?:function|custom_tool|shell|local_shell|apply_patch|computer)_call_output$/

const PAIRS: { readonly [A in WritableApi]: (request: Request) => Pairs } = {
  anthropic(request) {
    const blocks = listOf(request.messages).flatMap((message, at) =>
      listOf(valueAt(message, 'content')).map((block) => ({ block, at })),
    )
    const typed = (type: string) => blocks.filter(({ block }) => stringAt(block, 'type') === type)
    return {
      calls: typed('tool_use').map(({ block, at }) => half(block, 'id', at)),
      results: typed('tool_result').map(({ block, at }) => half(block, 'tool_use_id', at)),
    }
  },
  'openai-chat'(request) {
    const messages = listOf(request.messages)
    return {
      calls: messages.flatMap((message, at) =>
        listOf(valueAt(message, 'tool_calls')).map((call) => half(call, 'id', at)),
      ),
      results: messages.flatMap((message, at) =>
        stringAt(message, 'role') === 'tool' ? [half(message, 'tool_call_id', at)] : [],
      ),
    }
  },
  'openai-responses'(request) {
    const items = listOf(request.input)
    const typed = (pattern: RegExp): readonly Half[] =>
      items.flatMap((item, at) =>
        isObject(item) && pattern.test(String(item.type)) ? [half(item, 'call_id', at)] : [],
      )
    return { calls: typed(CALLS), results: typed(OUTPUTS) }
  },
}

/** The client's calls and their results, in the order of the request. */
export function pairsOf(api: WritableApi, request: Request): Pairs {
  return PAIRS[api](request)
}
