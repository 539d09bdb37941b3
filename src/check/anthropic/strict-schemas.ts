import { type Fields, isObject } from '../../model/json.ts'
import { everySchema, innerSchemas } from './json-schema.ts'
import type { Rule, Run } from './run.ts'
import { definitions } from './tools.ts'

/** What the compiler of `strict: true` tools refuses. The words and the limits were recorded from the API in 2026. */

const MAX_TOOLS = 20
const MAX_OPTIONAL = 24
const MAX_UNIONS = 16

interface StrictTool {
  readonly index: number
  readonly schema: Fields
}

function strictTools(run: Run): readonly StrictTool[] {
  const found: StrictTool[] = []
  for (const [index, tool] of definitions(run).entries()) {
    const schema = tool.input_schema
    if (tool.strict === true && isObject(schema)) found.push({ index, schema })
  }
  return found
}

const tooMany: Rule = {
  ids: ['anthropic/strict-tools-count'],
  check: (run) => {
    const count = strictTools(run).length
    if (count <= MAX_TOOLS) return
    const message = `Too many strict tools (${count}). The maximum number of strict tools supported is ${MAX_TOOLS}. Try reducing the number of tools marked as strict.`
    run.report('anthropic/strict-tools-count', message, 'tools')
  },
}

function countOptional(schema: Fields): number {
  const properties = schema.properties
  if (!isObject(properties)) return 0
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.keys(properties).filter((name) => !required.includes(name)).length
}

function countUnions(schema: Fields): number {
  const properties = schema.properties
  if (!isObject(properties)) return 0
  return Object.values(properties).filter(
    (each) => isObject(each) && (Array.isArray(each.type) || Array.isArray(each.anyOf)),
  ).length
}

function total(run: Run, count: (schema: Fields) => number): number {
  let sum = 0
  for (const { schema } of strictTools(run)) {
    for (const inner of everySchema(schema)) sum += count(inner)
  }
  return sum
}

const optional: Rule = {
  ids: ['anthropic/strict-optional-parameters'],
  check: (run) => {
    const count = total(run, countOptional)
    if (count <= MAX_OPTIONAL) return
    const message = `Schemas contains too many optional parameters (${count}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${MAX_OPTIONAL}).`
    run.report('anthropic/strict-optional-parameters', message, 'tools')
  },
}

const unions: Rule = {
  ids: ['anthropic/strict-union-parameters'],
  check: (run) => {
    const count = total(run, countUnions)
    if (count <= MAX_UNIONS) return
    const message = `Schemas contains too many parameters with union types (${count} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: ${MAX_UNIONS} parameters with unions).`
    run.report('anthropic/strict-union-parameters', message, 'tools')
  },
}

/** A property that takes anything, as the schema `true`. */
const booleanProperty: Rule = {
  ids: ['anthropic/strict-boolean-schema'],
  check: (run) => {
    for (const { index, schema } of strictTools(run)) {
      const properties = schema.properties
      if (!isObject(properties) || !Object.values(properties).includes(true)) continue
      const message = `tools.${index}.custom: For 'object' type, property 'properties' is not supported`
      run.report('anthropic/strict-boolean-schema', message, `tools.${index}.custom`)
    }
  },
}

const REF = /^#\/\$defs\/([^/]{1,200})$/

/** The names of definitions that a schema refers to, at any depth of its own. */
function referred(schema: Fields): readonly string[] {
  const names: string[] = []
  for (const inner of everySchema(schema)) {
    const name = typeof inner.$ref === 'string' ? REF.exec(inner.$ref)?.[1] : undefined
    if (name !== undefined) names.push(name)
  }
  return names
}

/** The first way from a definition back to itself. */
function circle(schema: Fields): readonly string[] | undefined {
  const defs = schema.$defs
  if (!isObject(defs)) return undefined
  const edges = new Map(Object.entries(defs).map(([name, def]) => [name, isObject(def) ? referred(def) : []]))
  for (const start of edges.keys()) {
    const way = wayBack(start, edges)
    if (way !== undefined) return way
  }
  return undefined
}

/** Breadth first, so that the way is a shortest one. */
function wayBack(start: string, edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const came = new Map<string, string>()
  const queue = [start]
  for (const name of queue) {
    for (const next of edges.get(name) ?? []) {
      if (next === start) return steps(name, came, start)
      if (!came.has(next)) {
        came.set(next, name)
        queue.push(next)
      }
    }
  }
  return undefined
}

function steps(last: string, came: ReadonlyMap<string, string>, start: string): readonly string[] {
  const way = [start]
  for (let name: string | undefined = last; name !== undefined && name !== start; name = came.get(name)) way.push(name)
  return [...way, start].reverse()
}

const circular: Rule = {
  ids: ['anthropic/strict-circular-schema'],
  check: (run) => {
    for (const { index, schema } of strictTools(run)) {
      if (innerSchemas(schema).length === 0) continue
      const way = circle(schema)
      if (way === undefined) continue
      const message = `tools.${index}.custom: Invalid schema: Circular reference detected in schema definitions: ${way.join(' -> ')}. Self-referencing or mutually-referencing definitions are not supported.`
      run.report('anthropic/strict-circular-schema', message, `tools.${index}.custom`)
    }
  },
}

export const STRICT_SCHEMA_RULES: readonly Rule[] = [tooMany, booleanProperty, circular, optional, unions]
