import type { JsonObject } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { IdShape, Ids } from './ids.ts'
import type { Violation } from './vendor.ts'

/** What chat completions and responses have in common: the words for what fails. */

const REQUEST_ID: IdShape = { prefix: 'req_', digits: 32 }

/** 2026-01-01T00:00:00Z: answers do not depend on the clock. */
export const CREATED = 1_767_225_600

interface Failure {
  readonly message: string
  readonly type: string
  readonly code: string | null
}

export const SERVER_ERROR: Failure = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  code: null,
}

/** @see https://platform.openai.com/docs/guides/error-codes */
const FAILURES: { readonly [status: string]: Failure } = {
  401: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' },
  403: {
    message: 'Country, region, or territory not supported',
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
  },
  404: {
    message: 'The model does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  },
  429: { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' },
  503: {
    message: 'That model is currently overloaded with other requests. You can retry your request.',
    type: 'server_error',
    code: null,
  },
}

const OTHER: Failure = { message: 'Bad Request', type: 'invalid_request_error', code: null }

export function refusal({ message, type, param, code }: Violation): JsonObject {
  return { error: { message, type, param, code } }
}

export function failure(status: number): JsonObject {
  const { message, type, code } = own(FAILURES, String(status)) ?? (status < 500 ? OTHER : SERVER_ERROR)
  return { error: { message, type, param: null, code } }
}

export function requestId(ids: Ids): string {
  return ids.next(REQUEST_ID)
}
