/** What an error says beside its words: HTTP status, and the fields of the bodies that it holds. */
export interface Hints {
  readonly statuses: ReadonlySet<number>
  readonly types: ReadonlySet<string>
  readonly codes: ReadonlySet<string>
  /** Places of the request: `param`, and paths that stand apart from the words. */
  readonly params: ReadonlySet<string>
}

/** What is known of an error. */
export interface Clues {
  /** What may hold the API's own words, in readable form, the body of a wrapper before its own message. */
  readonly texts: readonly string[]
  readonly hints: Hints
}

/** Collects hints from fields of objects and of texts alike. */
export class HintBook implements Hints {
  readonly statuses: Set<number> = new Set()
  readonly types: Set<string> = new Set()
  readonly codes: Set<string> = new Set()
  readonly params: Set<string> = new Set()

  add(field: string, value: unknown): void {
    const kind = FIELDS.get(field)
    if (kind === undefined) return
    if (kind !== 'types' && kind !== 'params' && isStatus(value)) this.statuses.add(Number(value))
    else if (kind !== 'statuses' && typeof value === 'string') this[kind].add(value.slice(0, LONGEST))
  }
}

const LONGEST = 300

/** Fields of bodies and of thrown errors that say something about the rule. */
const FIELDS: ReadonlyMap<string, keyof Hints> = new Map([
  ['status', 'statuses'],
  ['statusCode', 'statuses'],
  ['status_code', 'statuses'],
  ['httpStatusCode', 'statuses'],
  ['type', 'types'],
  // The AWS SDK throws errors that are named by the type.
  ['name', 'types'],
  ['__type', 'types'],
  // Gateways put the status here, as a number or a text.
  ['code', 'codes'],
  ['error_code', 'codes'],
  ['param', 'params'],
])

export const HINT_FIELDS: readonly string[] = [...FIELDS.keys()]

function isStatus(value: unknown): boolean {
  if (typeof value === 'string' && !/^[45]\d\d$/.test(value)) return false
  return Number.isInteger(Number(value)) && Number(value) >= 400 && Number(value) < 600
}
