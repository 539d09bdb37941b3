import { describe, expect, test } from 'vitest'
import { isObject } from '../../src/model/json.ts'
import type { Session } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import type { WriteOptions } from '../../src/rules/options.ts'
import { APIS, type Api, type Request, wiresOf, write } from '../laws/apis.ts'
import { normal } from '../laws/raw/normal.ts'
import { count, printCounts } from '../laws/runs.ts'
import { fillGaps } from './gaps.ts'
import { schemaFaults } from './schemas.ts'
import { sharedFiles } from './shared.ts'

printCounts('recorded calls')

interface Row {
  readonly from: string
  readonly server: string
  readonly status: number
  readonly request: Request
}

const SOURCES = [
  { file: 'anthropic.jsonl', api: 'anthropic', server: 'anthropic' },
  { file: 'chat.jsonl', api: 'openai-chat', server: 'openai' },
  { file: 'responses.jsonl', api: 'openai-responses', server: 'openai' },
] as const

const files = new Map(sharedFiles('recorded').map(({ name, text }) => [name, text]))

/** What was accepted, by the vendor and by the other servers of its API. */
function accepted(file: string): readonly Row[] {
  const lines = (files.get(file) ?? '').split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Row).filter((row) => row.status < 300)
}

const apiOf = (id: string): Api => APIS.find((api) => api.id === id)!

/** The history of a call that builds on what the server holds is not in its body. */
const isPart = (request: Request): boolean => request.previous_response_id != null || request.conversation != null

/** JSON with sorted keys: the order of keys says nothing. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

/** Places of the list where the two differ. */
function differences(api: Api, given: Request, taken: Request): readonly number[] {
  const [a, b] = [wiresOf(api, given), wiresOf(api, taken)]
  const length = Math.max(a.length, b.length)
  return Array.from({ length }, (_, index) => index).filter((index) => sorted(a[index]) !== sorted(b[index]))
}

describe.each(SOURCES)('what $server accepted on $api', ({ file, api: id, server }) => {
  const api = apiOf(id)
  const rows = accepted(file)

  test('comes back as it came in, or a change says why not', () => {
    for (const { from, request } of rows.filter((row) => row.server === server)) {
      if (isPart(request)) continue
      const read = readSession(request, { format: id })
      const options = { model: String(request.model), level: 'live', store: request.store ?? true } as WriteOptions
      const written = write(api, read.session, options)
      const [given, taken] = [normal(id, request), normal(id, written.request)]
      const places = differences(api, given, taken)
      const codes = [...read.changes, ...written.changes].map(({ code }) => code)
      count(places.length === 0 ? `${id} verbatim` : `${id} with changes (${[...new Set(codes)].join(' ')})`)
      if (places.length === 0) {
        expect({ from, prompt: [taken.system, taken.instructions, taken.tools] }).toEqual({
          from,
          prompt: [given.system, given.instructions, given.tools],
        })
      } else if (codes.length === 0) {
        expect({ from, ...taken }).toEqual({ from, ...given })
      }
    }
  })

  test('and other servers too, is accepted by every API when it goes on', () => {
    for (const { from, request, server: by } of rows) {
      if (isPart(request)) continue
      const { session } = readSession(request, { format: id, ...(by === server ? {} : { dialect: by }) })
      for (const target of APIS) {
        count(`${id} to ${target.id}`)
        expect({ from, to: target.id, faults: faultsOf(target, session) }).toEqual({ from, to: target.id, faults: [] })
      }
    }
  })
})

/** How long a description may be is a limit, as is a size in bytes. */
const LIMITS = ['openai-chat/tool-description-too-long']

function faultsOf(api: Api, session: Session): readonly unknown[] {
  const { request } = write(api, session, { next: 'Go on.' })
  const body = { model: 'some-model', ...(api.id === 'anthropic' ? { max_tokens: 1024 } : {}), ...request }
  return [...api.check(body, { level: 'strict', without: LIMITS }), ...schemaFaults(api.id, fillGaps(api.id, body))]
}
