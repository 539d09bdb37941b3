import { fitTexts, fitTools } from '../model/fits.ts'
import { isObject } from '../model/json.ts'
import { checkOptions, FLAG, type OptionRule, type OptionRules, oneOf, TEXT } from '../model/options.ts'
import { PLATFORMS } from '../model/platforms.ts'
import type { ApiId, ToolDefinition } from '../model/session.ts'

const NEXT: OptionRule = {
  wanted: 'a text or a list of parts',
  fits: (value) => typeof value === 'string' || Array.isArray(value),
}

const INSTRUCTIONS: OptionRule = {
  wanted: "'keep', 'drop', a text or a list of text parts",
  fits: (value) => typeof value === 'string' || fitTexts(value),
}

const TOOLS: OptionRule = {
  wanted: 'a list of tool definitions: a `name`, a `description`, and a JSON Schema as `parameters`',
  fits: (value) => fitTools(value) && !value.some(isOfAnAPI),
}

/** As Anthropic, the Vercel AI SDK or OpenAI have it; what it takes would be lost. What only one API knows stands in `extra`. */
function isOfAnAPI(tool: ToolDefinition): boolean {
  const isOwn = tool.parameters !== undefined || tool.kind !== undefined || tool.extra !== undefined
  return !isOwn && ['input_schema', 'inputSchema', 'type'].some((key) => Object.hasOwn(tool, key))
}

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

const RULES: { readonly [api in ApiId]?: OptionRules } = {
  anthropic: { ...SHARED, platform: oneOf(...PLATFORMS.anthropic), thinking: FLAG },
  'openai-chat': { ...SHARED, platform: oneOf(...PLATFORMS['openai-chat']), dialect: TEXT },
  'openai-responses': { ...SHARED, platform: oneOf(...PLATFORMS['openai-responses']), store: FLAG },
}

/** @throws {TypeError} that names the option and what it may be. */
export function checkWriteOptions(api: ApiId, options: unknown): void {
  checkOptions(options, RULES[api] ?? SHARED)
}

/** What `request` of a thread takes. */
export function checkEnd(end: unknown): void {
  checkOptions(end, { next: NEXT })
}
