import { own } from '../../model/own.ts'

/** What one model refuses, seen from a request. `contested`: reports disagree, so only `strict` refuses. */
export interface ModelRow {
  /** The last message may be an assistant message. */
  readonly prefill: boolean
  /** `role: "system"` inside `messages`. */
  readonly systemRole: boolean | 'contested'
  /** `thinking.type` values that are refused. */
  readonly thinkingRefused: readonly string[]
  /** `tool_choice` of type `any` or `tool`. */
  readonly forcedToolChoice: boolean
  /** `temperature`, `top_p` and `top_k` may be set. */
  readonly sampling: boolean
  /** Levels of `output_config.effort`; absent: not known. */
  readonly efforts?: readonly string[]
  /** Efforts that are refused while thinking is off. */
  readonly effortNeedsThinking?: readonly string[]
  /** Images of one request. */
  readonly images: number
  /** Output tokens; absent: not known. */
  readonly maxTokens?: number
}

const GENTLE: ModelRow = {
  prefill: true,
  systemRole: true,
  thinkingRefused: [],
  forcedToolChoice: true,
  sampling: true,
  images: 600,
}

const OLD: ModelRow = { ...GENTLE, systemRole: false, thinkingRefused: ['adaptive'], images: 100 }
const V45: ModelRow = { ...OLD, maxTokens: 64_000 }
const V46: ModelRow = {
  ...GENTLE,
  prefill: false,
  systemRole: false,
  efforts: ['low', 'medium', 'high', 'max'],
}
const V47: ModelRow = {
  ...V46,
  thinkingRefused: ['enabled'],
  sampling: false,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
}
const ALWAYS_THINKING: ModelRow = { ...V47, systemRole: true, thinkingRefused: ['enabled', 'disabled'] }
const UNFORCED: ModelRow = { ...ALWAYS_THINKING, forcedToolChoice: false }

/** The gates of the models. @see https://platform.claude.com/docs/en/about-claude/models/overview */
const ROWS: { readonly [model: string]: ModelRow } = {
  'claude-haiku-4-5': V45,
  'claude-sonnet-4-5': V45,
  'claude-opus-4-5': { ...V45, efforts: ['low', 'medium', 'high'] },
  'claude-opus-4-6': V46,
  'claude-sonnet-4-6': V46,
  'claude-mythos-preview': { ...GENTLE, prefill: false, systemRole: false, thinkingRefused: ['disabled'] },
  'claude-opus-4-7': V47,
  'claude-opus-4-8': { ...V47, systemRole: true },
  'claude-sonnet-5': { ...V47, systemRole: 'contested' },
  'claude-opus-5': { ...V47, systemRole: true, effortNeedsThinking: ['xhigh', 'max'] },
  'claude-fable-5': ALWAYS_THINKING,
  'claude-mythos-5': ALWAYS_THINKING,
  'claude-fable-5-1': UNFORCED,
  'claude-mythos-5-1': UNFORCED,
  'claude-fable-5-2': UNFORCED,
  'claude-mythos-5-2': UNFORCED,
  'claude-opus-5-5': UNFORCED,
  'claude-sonnet-5-5': { ...UNFORCED, systemRole: 'contested' },
  'claude-haiku-5-5': { ...GENTLE, prefill: false, systemRole: 'contested' },
}

/** The strictest of each gate that a history can meet; how thinking and sampling are set is no history. */
const STRICTEST: ModelRow = {
  ...GENTLE,
  prefill: false,
  systemRole: false,
  forcedToolChoice: false,
  images: 100,
}

/** Models before 4.5 answer as 4.5 does. */
const BEFORE_4_5 = /^claude-(?:instant|1|2|3|(?:opus|sonnet)-4(?:-[01])?$)/

/** A model that is not known here is the most lenient row at `live` and the strictest at `strict`. */
export function modelRow(model: unknown, strict: boolean): ModelRow {
  const name = typeof model === 'string' ? bareName(model) : ''
  return own(ROWS, name) ?? (BEFORE_4_5.test(name) ? OLD : strict ? STRICTEST : GENTLE)
}

/** Whether thinking is on when `thinking` is left out. */
export function thinksByDefault(row: ModelRow): boolean {
  return row.thinkingRefused.includes('disabled')
}

/** Without region, vendor, release date and revision: `us.anthropic.claude-haiku-4-5-20251001-v1:0` is `claude-haiku-4-5`. */
function bareName(model: string): string {
  const start = model.lastIndexOf('claude-')
  return (start < 0 ? model : model.slice(start)).replace(
    /(?:@[\w-]{1,40}|-20\d{6})?(?:-v\d{1,3}(?::\d{1,3})?)?(?:-latest)?$/,
    '',
  )
}

const FAMILIES = /opus|sonnet|haiku|fable|mythos|instant/

/**
 * Names that no model of this API can have: Claude names without a version and without a family, and the names of two
 * other vendors. All other unknown names pass, since models are added without notice.
 */
export function isNoModel(model: string): boolean {
  if (/^(?:gpt|gemini)-/.test(model)) return true
  return model.startsWith('claude-') && !/\d/.test(model) && !FAMILIES.test(model)
}
