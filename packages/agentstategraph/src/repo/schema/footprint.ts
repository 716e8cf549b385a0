/**
 * The properties of an object that a schema can see.
 *
 * Keywords such as `if` and `anyOf` apply to an object as a whole, but mostly mention a few properties by name. Then an object with
 * only those properties gets the same verdict, and the verdict stays when none of them changed. Values are not considered: a
 * property counts with everything in it.
 */

import { isSchemaObject, type Resolve, type SchemaNode, type SchemaObject } from '../../core/index.ts'

/** Keywords that look at a value as a whole. */
const wholeKeywords: readonly string[] = [
  'const',
  'enum',
  'uniqueItems',
  'contains',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** These mean nothing without one of the keywords above. */
const companions: readonly string[] = ['then', 'else', 'minContains', 'maxContains']

/** These look at every property, or at how many there are. */
const unbounded: readonly string[] = [
  'const',
  'enum',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
]

/** The part of a schema that looks at objects as a whole, and the properties it can see; undefined for any of them. */
export interface Footprint {
  readonly schema: SchemaObject
  readonly names: ReadonlySet<string> | undefined
}

const known = new WeakMap<SchemaObject, Footprint | null>()

/** What a schema asks of an object as a whole; undefined when it does not. */
export function findFootprint(schema: SchemaObject, resolve: Resolve): Footprint | undefined {
  const before = known.get(schema)
  if (before !== undefined) return before ?? undefined
  const found = footprintOf(schema, resolve)
  known.set(schema, found ?? null)
  return found
}

function footprintOf(schema: SchemaObject, resolve: Resolve): Footprint | undefined {
  if (!wholeKeywords.some(keyword => Object.hasOwn(schema, keyword))) return undefined
  const keywords = Object.entries(schema).filter(
    ([keyword]) => wholeKeywords.includes(keyword) || companions.includes(keyword),
  )
  const part = Object.fromEntries(keywords)
  const names = new Set<string>()
  return { schema: part, names: addNames(part, resolve, names, []) ? names : undefined }
}

/** Adds the properties that a schema can see; false when it can see any. */
function addNames(node: SchemaNode, resolve: Resolve, names: Set<string>, trail: readonly SchemaNode[]): boolean {
  if (!isSchemaObject(node)) return true
  if (trail.includes(node) || unbounded.some(keyword => Object.hasOwn(node, keyword))) return false
  const { properties = {}, required = [], dependentRequired = {}, dependentSchemas = {} } = node
  const dependent = dependentRequired as Readonly<Record<string, readonly string[]>>
  const mentioned = [properties, dependent, dependentSchemas].flatMap(by => Object.keys(by as object))
  for (const name of [...mentioned, ...(required as readonly string[]), ...Object.values(dependent).flat()]) {
    names.add(name)
  }
  const single = ['if', 'then', 'else', 'not'].flatMap(keyword => (Object.hasOwn(node, keyword) ? [node[keyword]] : []))
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => (node[keyword] ?? []) as readonly SchemaNode[])
  const target = node['$ref'] === undefined ? [] : [resolve(node)]
  const inside = [...single, ...lists, ...target, ...Object.values(dependentSchemas as object)] as readonly SchemaNode[]
  return inside.every(part => addNames(part, resolve, names, [...trail, node]))
}
