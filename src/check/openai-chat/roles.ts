import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { invalidValue, semantic, unsupportedValue } from '../openai/templates.ts'
import { imageFault } from './media.ts'
import type { ChatRequest } from './request.ts'

/** A message under check: its role, and its parts where its content is a list. */
interface Spoken {
  readonly role: string
  readonly path: string
  readonly parts: readonly unknown[]
  readonly request: ChatRequest
}

/** The order of the capability checks of one message. */
const MESSAGE_RULES: readonly ((spoken: Spoken) => void)[] = [
  roleOfModel,
  imageOnlyFromUser,
  partsOfRole,
  oneRefusal,
  partsOfModel,
  imagesOfModel,
  images,
]

/** Phase 4: what the model takes, and which parts a role may hold. */
export function capabilities(request: ChatRequest): void {
  const { messages, place } = request
  place.enter('messages')
  for (let index = 0; index < messages.length; index++) {
    const role = stringAt(messages[index], 'role')
    const content = valueAt(messages[index], 'content')
    if (role === undefined || (!Array.isArray(content) && takesRole(request, role))) continue
    place.enter(index)
    const parts = Array.isArray(content) ? content : []
    const spoken = { role, path: place.path(), parts, request }
    for (const rule of MESSAGE_RULES) rule(spoken)
    place.leave()
  }
  place.leave()
}

function takesRole({ model, report }: ChatRequest, role: string): boolean {
  if (model.refusesRoles?.includes(role) === true) return false
  return !(role === 'developer' && report.azure && report.strict && model.reasoning !== true)
}

/** o1-mini and o1-preview take no instructions (recorded); some deployments of Azure no `developer`. */
function roleOfModel({ role, path, request }: Spoken): void {
  if (takesRole(request, role)) return
  const at = `${path}.role`
  const message = `Unsupported value: '${at}' does not support '${role}' with this model.`
  request.report.raise('role-unsupported-by-model', unsupportedValue(at, message))
}

/** Of the tool role, known models only refuse it today: the GPT-5 family answers without looking at the image. */
function imageOnlyFromUser({ role, path, parts, request }: Spoken): void {
  if (role === 'user' || !parts.some((part) => typeOf(part) === 'image_url')) return
  if (role === 'tool' && request.model.refusesToolImages !== true && !request.report.strict) return
  const message = `Invalid '${path}'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`
  request.report.raise('image-role', { message, code: 'invalid_value', param: path, path })
}

/** By the types of the SDK; images of these roles have a fault of their own. */
const TEXT = { parts: ['text', 'image_url'], supported: ['text'], rule: 'content-part-type-invalid' } as const
const PARTS_OF_ROLE = {
  system: TEXT,
  developer: TEXT,
  assistant: {
    parts: ['text', 'refusal', 'image_url'],
    supported: ['text', 'refusal'],
    rule: 'assistant-content-parts',
  },
  tool: { parts: ['text', 'image_url'], supported: ['text'], rule: 'tool-content-parts' },
} as const

/** No text is known for these places: in the words of the validator for an unknown part type. */
function partsOfRole({ role, path, parts, request }: Spoken): void {
  const row = own(PARTS_OF_ROLE, role)
  if (row === undefined) return
  for (const [index, part] of parts.entries()) {
    const type = typeOf(part)
    if (!KNOWN.has(type) || (row.parts as readonly string[]).includes(type)) continue
    request.report.raise(row.rule, invalidValue(type, row.supported, `${path}.content[${index}].type`))
  }
}

/** Types that the schema lets through; of any other it has told already. */
const KNOWN: ReadonlySet<string> = new Set(['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file'])

/** An assistant message is texts, or exactly one refusal. */
function oneRefusal({ role, path, parts, request }: Spoken): void {
  if (role !== 'assistant' || parts.length < 2 || !request.report.strict) return
  const index = parts.findIndex((part) => typeOf(part) === 'refusal')
  if (index < 0) return
  request.report.raise('assistant-content-parts', invalidValue('refusal', ['text'], `${path}.content[${index}].type`))
}

/** Audio for a model without ears (recorded), files for a model that takes text alone or an old Azure version. */
function partsOfModel({ path, parts, request }: Spoken): void {
  const { model, report } = request
  const refused = (part: unknown): boolean => {
    const type = typeOf(part)
    if (type === 'input_audio') return model.refusesAudio === true
    return type === 'file' && (model.refusesFiles === true || (report.azure && report.strict))
  }
  if (!parts.some(refused)) return
  const message = `Invalid '${path}'. Content blocks are expected to be either text or image_url type.`
  report.raise('content-part-not-allowed-for-model', { message, code: 'invalid_value', param: path, path })
}

function imagesOfModel({ path, parts, request }: Spoken): void {
  if (request.model.refusesImages !== true) return
  const index = parts.findIndex((part) => typeOf(part) === 'image_url')
  if (index < 0) return
  const dotted = path.replace('[', '.[')
  const message = 'Invalid content type. image_url is only supported by certain models.'
  const fault = semantic(message, `${dotted}.content.[${index}].type`, `${path}.content[${index}].type`)
  request.report.raise('image-model-unsupported', fault)
}

function images({ parts, request }: Spoken): void {
  const { place } = request
  place.enter('content')
  for (let index = 0; index < parts.length; index++) {
    if (typeOf(parts[index]) !== 'image_url') continue
    place.enter(index)
    imageFault(parts[index], request)
    place.leave()
  }
  place.leave()
}

function typeOf(part: unknown): string {
  return stringAt(part, 'type') ?? ''
}
