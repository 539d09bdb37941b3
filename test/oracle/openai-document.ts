import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isObject } from '../../src/model/json.ts'
import { sharedFiles } from './shared.ts'

/**
 * An outside opinion: the request bodies of OpenAI's own OpenAPI document. It says less than the API does (it lets unknown
 * keys pass, and nothing of pairs), and here and there more.
 */

export type DocumentedApi = 'openai-chat' | 'openai-responses'

const ROOTS: { readonly [A in DocumentedApi]: string } = {
  'openai-chat': 'CreateChatCompletionRequest',
  'openai-responses': 'CreateResponse',
}

const text = sharedFiles('rules').find(({ name }) => name === 'openai-request-schemas.json')?.text

export const documentIsThere: boolean = text !== undefined

type Schemas = { readonly [name: string]: unknown }

/**
 * The dialect of OpenAPI as JSON Schema: `nullable` takes null, a `oneOf` whose branches overlap is an `anyOf`, and a
 * schema that means itself names itself.
 */
function asJsonSchema(value: unknown, self: string): unknown {
  if (Array.isArray(value)) return value.map((item) => asJsonSchema(item, self))
  if (!isObject(value)) return value
  const { nullable, discriminator: _, $recursiveAnchor: __, $recursiveRef, oneOf, ...rest } = value
  const schema: { [key: string]: unknown } = {}
  for (const [key, inner] of Object.entries(rest)) schema[key] = asJsonSchema(inner, self)
  if ($recursiveRef !== undefined) schema.$ref = `#/components/schemas/${self}`
  const either = Array.isArray(oneOf) ? { allOf: [{ anyOf: asJsonSchema(oneOf, self) }, schema] } : schema
  return nullable === true ? { anyOf: [{ type: 'null' }, either] } : either
}

const validators = new Map<DocumentedApi, ValidateFunction>()

function validatorOf(api: DocumentedApi): ValidateFunction {
  const known = validators.get(api)
  if (known !== undefined) return known
  const { components } = JSON.parse(text ?? '{"components":{"schemas":{}}}') as { components: { schemas: Schemas } }
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, asJsonSchema(schema, name)]),
  )
  const made = new Ajv({ strict: false, allErrors: false, logger: false, validateFormats: false }).compile({
    $ref: `#/components/schemas/${ROOTS[api]}`,
    components: { schemas },
  })
  validators.set(api, made)
  return made
}

/** What the document says against a body; empty when it fits. Of a union the errors that reach deepest are told. */
export function documentFaults(api: DocumentedApi, body: unknown): readonly string[] {
  const validate = validatorOf(api)
  // As it goes over the wire.
  if (validate(JSON.parse(JSON.stringify(body)))) return []
  const errors = (validate.errors ?? []).filter((error) => !isOtherBranch(error))
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length
  const deepest = Math.max(0, ...errors.map(depth))
  return [...new Set(errors.filter((error) => depth(error) === deepest).map(told))]
}

/** Of a union, the branches for other types or roles say only that they are not meant. */
function isOtherBranch({ instancePath, keyword }: ErrorObject): boolean {
  return (keyword === 'enum' || keyword === 'const') && /\/(?:type|role)$/.test(instancePath)
}

function told({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}
