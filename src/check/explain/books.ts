import type { Book } from './book.ts'
import { dottedFaults } from './dotted-faults.ts'
import { CONVERSATION } from './meanings/anthropic-conversation.ts'
import { REASONED } from './meanings/anthropic-reasoning.ts'
import { REQUEST } from './meanings/anthropic-request.ts'
import { CHAT } from './meanings/openai-chat.ts'
import { RESPONSES } from './meanings/openai-responses.ts'
import { quotedFaults } from './quoted-faults.ts'
import * as anthropic from './wordings/anthropic.ts'
import { PLACES, SIGNS } from './wordings/anthropic-places.ts'
import * as chat from './wordings/openai-chat.ts'
import * as responses from './wordings/openai-responses.ts'
import { SENTENCES as SERVERS } from './wordings/openai-servers.ts'

/** What is known, API by API. */
export const BOOKS: readonly Book[] = [
  {
    api: 'anthropic',
    sentences: anthropic.SENTENCES,
    alone: anthropic.ALONE,
    statuses: anthropic.STATUSES,
    places: PLACES,
    faults: dottedFaults,
    foreign: [],
    signs: SIGNS,
    meanings: { ...CONVERSATION, ...REQUEST, ...REASONED },
  },
  {
    api: 'openai-chat',
    sentences: { ...chat.SENTENCES, ...SERVERS },
    alone: {},
    statuses: {},
    places: chat.PLACES,
    // Mistral's validator is a dotted one.
    faults: (text, params) => [...quotedFaults(text, params), ...dottedFaults(text)],
    foreign: [
      'input.**',
      'include.**',
      'instructions',
      'previous_response_id',
      'conversation',
      'max_output_tokens',
      'text.**',
      'tools.#.name',
      'tools.#.description',
      'tools.#.parameters',
      'tools.#.tools.**',
    ],
    signs: chat.SIGNS,
    meanings: CHAT,
  },
  {
    api: 'openai-responses',
    sentences: responses.SENTENCES,
    alone: responses.ALONE,
    statuses: {},
    places: responses.PLACES,
    faults: quotedFaults,
    foreign: [
      'messages.**',
      'max_completion_tokens',
      'reasoning_effort',
      'functions.**',
      'function_call.**',
      'tools.#.function.**',
      'tools.#.custom.**',
    ],
    signs: responses.SIGNS,
    meanings: RESPONSES,
  },
]
