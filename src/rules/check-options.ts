import { fitTexts, fitTools } from '../model/fits.ts'
import { isObject } from '../model/json.ts'
import { checkOptions, FLAG, type OptionRule, type OptionRules, oneOf, TEXT } from '../model/options.ts'
import type { ApiId } from '../model/session.ts'

const NEXT: OptionRule = {
  wanted: 'a text or a list of parts',
  fits: (value) => typeof value === 'string' || Array.isArray(value),
}

const INSTRUCTIONS: OptionRule = {
  wanted: "'keep', 'drop', a text or a list of text parts",
  fits: (value) => typeof value === 'string' || fitTexts(value),
}

const TOOLS: OptionRule = { wanted: 'a list of tool definitions', fits: fitTools }

const CLOSERS: OptionRule = {
  wanted: 'an object of functions',
  fits: (value) =>
    isObject(value) &&
    ['interrupted', 'failed', 'pending'].every((key) => value[key] === undefined || typeof value[key] === 'function'),
}

const SHARED: OptionRules = {
  model: TEXT,
  level: oneOf('live', 'strict'),
  next: NEXT,
  instructions: INSTRUCTIONS,
  tools: TOOLS,
  reasoning: oneOf('replay', 'text', 'drop'),
  media: oneOf('keep', 'describe'),
  cache: oneOf('keep', 'drop', 'auto'),
  texts: CLOSERS,
  onLoss: oneOf('report', 'throw'),
}

const OPENAI: OptionRules = { ...SHARED, platform: oneOf('openai', 'azure') }

const RULES: { readonly [api in ApiId]?: OptionRules } = {
  anthropic: { ...SHARED, platform: oneOf('anthropic', 'bedrock', 'vertex'), thinking: FLAG },
  'openai-chat': { ...OPENAI, dialect: TEXT },
  'openai-responses': { ...OPENAI, store: FLAG },
}

/** @throws {TypeError} that names the option and what it may be. */
export function checkWriteOptions(api: ApiId, options: unknown): void {
  checkOptions(options, RULES[api] ?? SHARED)
}

/** What `request` of a thread takes. */
export function checkEnd(end: unknown): void {
  checkOptions(end, { next: NEXT })
}
