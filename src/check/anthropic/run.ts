import type { Fields } from '../../model/json.ts'
import { Path } from '../path.ts'
import type { CheckOptions, Violation } from '../rule.ts'
import { type BodyScan, scanBody } from './body-scan.ts'
import { type ModelRow, modelRow } from './models.ts'
import { type Survey, surveyOf } from './survey.ts'

export type RuleId = `anthropic/${string}`
export type Platform = 'anthropic' | 'bedrock' | 'vertex'

/** One named rule, or a few that one look decides between. */
export interface Rule {
  /** Every id that this rule may report. */
  readonly ids: readonly RuleId[]
  /** Only looked at when that level is asked for. */
  readonly level?: 'strict'
  readonly check: (run: Run) => void
}

/** Which ids the generic schema faults have at this place of the body. */
export interface Area {
  readonly required: RuleId
  readonly string: RuleId
  readonly type: RuleId
  readonly extra: RuleId
}

/** A cache marker, where it stands in the grammar of the conversation phase. */
export interface Marker {
  readonly place: string
  readonly ttl: '5m' | '1h'
}

/** A source whose bytes can be looked at, with the path of its block (without the block's type). */
export interface FoundMedia {
  readonly kind: 'image' | 'document'
  readonly place: string
  readonly source: Fields
}

interface Answer {
  readonly status: number
  readonly type: string
}

const REFUSED: Answer = { status: 400, type: 'invalid_request_error' }

export const BLOCK_AREA: Area = {
  required: 'anthropic/block-field-required',
  string: 'anthropic/block-field-string',
  type: 'anthropic/block-field-type',
  extra: 'anthropic/block-extra-field',
}

/** One check of one body: what the rules look at, and what they have found. */
export class Run {
  readonly body: Fields
  readonly strict: boolean
  readonly platform: Platform
  readonly model: ModelRow
  readonly survey: Survey
  readonly path: Path = new Path()
  readonly media: FoundMedia[] = []
  readonly markers: { readonly tools: Marker[]; readonly system: Marker[]; readonly messages: Marker[] } = {
    tools: [],
    system: [],
    messages: [],
  }
  readonly violations: Violation[] = []
  area: Area = BLOCK_AREA
  readonly #betas: readonly string[] | undefined
  readonly #without: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #scan: BodyScan | undefined
  #json: string | undefined

  constructor(body: Fields, options: CheckOptions) {
    this.body = body
    this.strict = options.level === 'strict'
    this.platform = options.platform === 'bedrock' || options.platform === 'vertex' ? options.platform : 'anthropic'
    this.model = modelRow(body.model, this.strict)
    this.survey = surveyOf(body.messages)
    this.#betas = betasOf(options, body.anthropic_beta)
    this.#without = new Set(options.without ?? [])
  }

  /** Whether a beta whose name holds `part` is on. Where the header is not known, betas are taken as sent. */
  hasBeta(part: string): boolean {
    return this.#betas === undefined || this.#betas.some((beta) => typeof beta === 'string' && beta.includes(part))
  }

  get knowsBetas(): boolean {
    return this.#betas !== undefined
  }

  get scan(): BodyScan {
    this.#scan ??= scanBody(this.body)
    return this.#scan
  }

  /** The body as JSON text; undefined when it has none, being too deep or not made of JSON values. */
  get json(): string | undefined {
    this.#json ??= printed(this.body)
    return this.#json
  }

  /** A violation in its own words. */
  report(rule: RuleId, message: string, path: string, answer: Answer = REFUSED): void {
    const key = `${rule}\n${path}\n${message}`
    if (this.#without.has(rule) || this.#seen.has(key)) return
    this.#seen.add(key)
    this.violations.push({ rule, ...answer, code: null, param: null, message, path })
  }

  /** A violation where the walk stands: its words are `{path}: {words}`. */
  fault(rule: RuleId, words: string): void {
    const path = this.path.toString()
    this.report(rule, `${path}: ${words}`, path)
  }

  /** The same, one key deeper. */
  faultAt(key: string | number, rule: RuleId, words: string): void {
    this.path.enter(key)
    this.fault(rule, words)
    this.path.leave()
  }
}

/** Bedrock takes the betas in the body. */
function betasOf(options: CheckOptions, inBody: unknown): readonly string[] | undefined {
  if (options.betas !== undefined) return options.betas
  return options.platform === 'bedrock' && Array.isArray(inBody) ? inBody : undefined
}

function printed(body: Fields): string | undefined {
  try {
    return JSON.stringify(body)
  } catch {
    return undefined
  }
}
