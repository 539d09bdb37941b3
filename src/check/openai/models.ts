/** What a model is known to refuse. Each field speaks of what was reported of that model; a field left out refuses nothing. */
export interface ModelRow {
  /** The family: the name itself, or its beginning up to a dash. */
  readonly name: string
  /** Takes reasoning items and encrypted reasoning; undefined: not known. */
  readonly reasoning?: boolean | undefined
  readonly refusesRoles?: readonly string[] | undefined
  readonly refusesImages?: boolean | undefined
  /** Images of a tool message are an error; the GPT-5 family answers, and does not look at them. */
  readonly refusesToolImages?: boolean | undefined
  readonly refusesAudio?: boolean | undefined
  readonly refusesFiles?: boolean | undefined
  /** `max_tokens` must be `max_completion_tokens`. */
  readonly refusesMaxTokens?: boolean | undefined
  /** Temperatures other than 1: never taken, or only without reasoning. */
  readonly refusesTemperature?: 'always' | 'reasoning' | undefined
  /** Function tools on chat completions: refused with a reasoning effort, or whenever reasoning is not switched off. */
  readonly refusesTools?: 'effort' | 'reasoning' | undefined
  readonly refusesWebSearch?: boolean | undefined
  /** Refuses the control tokens of its own chat format in any text. */
  readonly refusesControlTokens?: boolean | undefined
}

const PLAIN = { reasoning: false, refusesToolImages: true, refusesAudio: true, refusesWebSearch: true } as const
const TEXT_ONLY = { ...PLAIN, refusesImages: true, refusesFiles: true } as const
const REASONING = { reasoning: true, refusesAudio: true, refusesMaxTokens: true, refusesWebSearch: true } as const
const O_SERIES = {
  ...REASONING,
  refusesToolImages: true,
  refusesTemperature: 'always',
  refusesRoles: ['function'],
} as const
const GPT_5 = { ...REASONING, refusesTemperature: 'always' } as const
const GPT_5_1 = { ...REASONING, refusesTemperature: 'reasoning' } as const

/**
 * The more exact name stands first. Sources: o1-mini and o1-preview refuse system and developer messages (recorded), o3 the
 * function role, GPT-5 mini audio (recorded), gpt-4o images of tool messages, gpt-5.4 and later function tools with reasoning
 * on chat completions, gpt-5.6 and later control tokens.
 */
const ROWS: readonly ModelRow[] = [
  { name: 'gpt-4o-audio', reasoning: false, refusesToolImages: true },
  { name: 'gpt-4o-mini-audio', reasoning: false, refusesToolImages: true },
  { name: 'gpt-audio', reasoning: false },
  { name: 'gpt-realtime' },
  { name: 'gpt-4o-search', reasoning: false, refusesAudio: true },
  { name: 'gpt-4o-mini-search', reasoning: false, refusesAudio: true },
  { name: 'gpt-5-search', refusesAudio: true },
  { name: 'gpt-3.5', ...TEXT_ONLY },
  { name: 'gpt-4-turbo', ...PLAIN },
  { name: 'gpt-4-vision', ...PLAIN },
  { name: 'gpt-4-1106-vision', ...PLAIN },
  { name: 'gpt-4', ...TEXT_ONLY },
  { name: 'gpt-4o', ...PLAIN },
  { name: 'chatgpt-4o', ...PLAIN },
  { name: 'gpt-4.1', ...PLAIN },
  { name: 'gpt-4.5', ...PLAIN },
  {
    name: 'o1-mini',
    ...O_SERIES,
    refusesImages: true,
    refusesFiles: true,
    refusesRoles: ['system', 'developer', 'function'],
  },
  {
    name: 'o1-preview',
    ...O_SERIES,
    refusesImages: true,
    refusesFiles: true,
    refusesRoles: ['system', 'developer', 'function'],
  },
  { name: 'o3-mini', ...O_SERIES, refusesImages: true, refusesFiles: true },
  { name: 'o1', ...O_SERIES },
  { name: 'o3', ...O_SERIES },
  { name: 'o4', ...O_SERIES },
  { name: 'gpt-5-chat', reasoning: false, refusesAudio: true },
  { name: 'gpt-5', ...GPT_5 },
  { name: 'gpt-5.1', ...GPT_5_1 },
  { name: 'gpt-5.2', ...GPT_5_1 },
  { name: 'gpt-5.3', ...GPT_5_1 },
  { name: 'gpt-5.4', ...GPT_5_1, refusesTools: 'effort' },
  { name: 'gpt-5.5', ...GPT_5_1, refusesTools: 'effort' },
  { name: 'gpt-5.6', ...GPT_5_1, refusesTools: 'reasoning', refusesControlTokens: true },
  { name: 'gpt-6', reasoning: true, refusesControlTokens: true },
]

/** A model that no row names refuses nothing today ... */
const LENIENT: ModelRow = { name: '' }

/**
 * ... and at `strict` what some model refuses and no model needs. It keeps system and developer messages, since those that
 * take neither are known by name, and images and reasoning, without which most histories could not be sent at all.
 */
const STRICTEST: ModelRow = {
  name: '',
  refusesRoles: ['function'],
  refusesToolImages: true,
  refusesAudio: true,
  refusesControlTokens: true,
}

/** Only OpenAI's own model names mean something: another server's row is that of an unknown model. */
export function modelRow(model: unknown, strict: boolean): ModelRow {
  const row = typeof model === 'string' ? named(familyOf(model)) : undefined
  if (row === undefined) return strict ? STRICTEST : LENIENT
  return row
}

/** A fine-tuned model is named `ft:<family>:<organisation>:...`. */
function familyOf(model: string): string {
  return model.startsWith('ft:') ? (model.split(':', 2)[1] ?? '') : model
}

function named(model: string): ModelRow | undefined {
  return ROWS.find(({ name }) => {
    if (!model.startsWith(name)) return false
    const next = model[name.length]
    return next === undefined || next === '-' || (name === 'gpt-6' && next === '.')
  })
}
