import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Shape } from '../openai/shape.ts'
import { boolean, list, nullable, object, record, text } from '../openai/shape.ts'
import { arrayTooLong, type Fault, missing } from '../openai/templates.ts'
import { verify, type Walk } from '../openai/verify.ts'
import { toolName } from './item-ids.ts'
import type { ResponsesRequest } from './request.ts'
import type { ResponsesRule } from './rules.ts'

const TYPE = { type: text<ResponsesRule>() } as const
const NAMED = { name: toolName('tool-name-missing') } as const

const FUNCTION: Shape<ResponsesRule> = object(
  { ...TYPE, ...NAMED },
  { parameters: nullable(record()), strict: nullable(boolean()) },
  { open: true },
)
const CUSTOM: Shape<ResponsesRule> = object({ ...TYPE, ...NAMED }, {}, { open: true })
const CALLABLE = { function: FUNCTION, custom: CUSTOM } as const

/** Tools that concern the history; those that the API runs itself are not looked into. */
const TOOL_SHAPES = {
  ...CALLABLE,
  namespace: object<ResponsesRule>(
    {
      ...TYPE,
      name: text({ min: 1 }, { missing: 'tool-name-missing' }),
      tools: list({ min: 1, items: byType(CALLABLE) }),
    },
    {},
    { open: true },
  ),
  tool_search: object<ResponsesRule>(TYPE, {}, { open: true, also: searchDescribed }),
} as const satisfies { readonly [type: string]: Shape<ResponsesRule> }

function byType(shapes: { readonly [type: string]: Shape<ResponsesRule> }): Shape<ResponsesRule> {
  return object(
    TYPE,
    {},
    {
      open: true,
      also: (tool, walk) => {
        const shape = own(shapes, stringAt(tool, 'type'))
        if (shape !== undefined) verify(tool, shape, walk)
      },
    },
  )
}

/** A search that the client runs wants a description. No text is known: in the words for a missing field. */
function searchDescribed(tool: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (valueAt(tool, 'execution') !== 'client' || stringAt(tool, 'description') !== undefined) return
  report.raise('tool-search-description', missing(place.at('description')))
}

const MAX_TOOLS = 128

export const TOOL_LIST: Shape<ResponsesRule> = list({ items: byType(TOOL_SHAPES) })

/** Tools that are loaded later do not count. */
export const TOOLS: Shape<ResponsesRule> = {
  ...TOOL_LIST,
  also: (tools, { report, place }) => {
    if (!Array.isArray(tools) || tools.length <= MAX_TOOLS) return
    const loaded = tools.filter((tool) => valueAt(tool, 'defer_loading') !== true).length
    if (loaded > MAX_TOOLS) report.raise('tools-too-many', arrayTooLong(place.path(), MAX_TOOLS, loaded))
  },
}

/** A call to a tool that only a namespace has must say which. */
export function namespaces(request: ResponsesRequest): void {
  const names = onlyNamespaced(request)
  if (names.size === 0) return
  for (const [index, item] of request.items.entries()) {
    const name = stringAt(item, 'name')
    if (valueAt(item, 'type') !== 'function_call' || name === undefined || !names.has(name)) continue
    if (typeof valueAt(item, 'namespace') !== 'string') {
      request.report.raise('namespace-missing', namespaceFault(name, `input[${index}].namespace`))
    }
  }
}

function namespaceFault(name: string, path: string): Fault {
  const message = `Missing namespace for function_call '${name}'. It does not exist in the default namespace. Round-trip the model's function_call item with its namespace field included.`
  return { message, code: null, param: path, path }
}

function onlyNamespaced({ body, items }: ResponsesRequest): ReadonlySet<string> {
  const inside = new Set<string>()
  const outside = new Set<string>()
  collectNames(valueAt(body, 'tools'), inside, outside)
  for (const item of items) if (isObject(item)) collectNames(valueAt(item, 'tools'), inside, outside)
  for (const name of outside) inside.delete(name)
  return inside
}

function collectNames(tools: unknown, inside: Set<string>, outside: Set<string>): void {
  if (!Array.isArray(tools)) return
  for (const tool of tools) {
    const spaced = valueAt(tool, 'type') === 'namespace' ? valueAt(tool, 'tools') : undefined
    for (const member of Array.isArray(spaced) ? spaced : []) addName(member, inside)
    if (spaced === undefined) addName(tool, outside)
  }
}

function addName(tool: unknown, names: Set<string>): void {
  const name = stringAt(tool, 'name')
  if (name !== undefined) names.add(name)
}
