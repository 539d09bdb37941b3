import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { createGenerator } from 'ts-json-schema-generator'
import type { WritableApi } from '../../src/write/index.ts'

/** An outside opinion: JSON Schemas made from the types of the vendors' SDKs, with no property allowed that they do not name. */

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '..', '..')
const TYPES: { readonly [A in WritableApi]: string } = {
  anthropic: 'AnthropicBody',
  'openai-chat': 'ChatBody',
  'openai-responses': 'ResponsesBody',
}

function versionOf(name: string): string {
  const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

/** Making a schema takes ten seconds; the same versions make the same one. */
function cacheFile(type: string): string {
  const versions = ['@anthropic-ai/sdk', 'openai', 'ts-json-schema-generator'].map(
    (name) => `${name}@${versionOf(name)}`,
  )
  const source = readFileSync(join(HERE, 'parameters.ts'), 'utf8')
  const key = createHash('sha256')
    .update([source, ...versions].join('\n'))
    .digest('hex')
    .slice(0, 16)
  return join(ROOT, 'node_modules', '.cache', 'provider-history', `${type}-${key}.json`)
}

function schemaOf(type: string): object {
  const file = cacheFile(type)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    const schema = createGenerator({
      path: join(HERE, 'parameters.ts'),
      tsconfig: join(ROOT, 'tsconfig.json'),
      type,
      skipTypeCheck: true,
      additionalProperties: false,
    }).createSchema(type)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(schema))
    return schema
  }
}

const validators = new Map<WritableApi, ValidateFunction>()

function validatorOf(api: WritableApi): ValidateFunction {
  const known = validators.get(api)
  if (known !== undefined) return known
  const made = new Ajv({ strict: false, allErrors: false, logger: false }).compile(schemaOf(TYPES[api]))
  validators.set(api, made)
  return made
}

/** What the schema says against a body; empty when it fits. Of a union the errors that reach deepest are told. */
export function schemaFaults(api: WritableApi, body: object): readonly string[] {
  const validate = validatorOf(api)
  // As it goes over the wire.
  const sent: unknown = JSON.parse(JSON.stringify(body))
  if (validate(sent)) return []
  const errors = validate.errors ?? []
  const depth = (error: ErrorObject): number => error.instancePath.split('/').length
  const deepest = Math.max(...errors.map(depth))
  return [...new Set(errors.filter((error) => depth(error) === deepest).map(told))]
}

function told({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}
