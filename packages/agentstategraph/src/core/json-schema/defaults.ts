/**
 * Defaults of a schema's properties, filled in where a value has none.
 *
 * A default counts only where its schema certainly applies: below `properties`, `items`, `prefixItems`,
 * `additionalProperties`, `allOf` and `$ref`, not inside alternatives. The given value is not changed.
 */

import { setOwn } from '../objects/own-property.ts'
import { decode } from '../values/decode.ts'
import { encode } from '../values/encode.ts'
import { isSchemaObject, jsonTypeOf, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'

type Dictionary = { readonly [name: string]: unknown }
const deepest = 200

/** The schemas whose defaults a container has already: those that several schemas refer to are filled in once. */
type Filled = WeakMap<object, Set<SchemaObject>>

export function withDefaults(schema: SchemaNode, value: unknown, resolve: Resolve): unknown {
  return fill(schema, value, { resolve, filled: new WeakMap() }, 0)
}

interface Filling {
  readonly resolve: Resolve
  readonly filled: Filled
}

function fill(schema: SchemaNode, value: unknown, filling: Filling, depth: number): unknown {
  const isContainer = typeof value === 'object' && value !== null
  if (typeof schema === 'boolean' || depth > deepest || !isContainer || filling.filled.get(value)?.has(schema))
    return value
  const result = filledBy(schema, value, filling, depth) as object
  const schemas = filling.filled.get(result) ?? new Set()
  filling.filled.set(result, schemas.add(schema))
  return result
}

function filledBy(schema: SchemaObject, value: object, filling: Filling, depth: number): unknown {
  let filled: unknown = value
  if (schema['$ref'] !== undefined) filled = fill(filling.resolve(schema), filled, filling, depth + 1)
  for (const part of (schema['allOf'] ?? []) as readonly SchemaNode[]) {
    filled = fill(part, filled, filling, depth + 1)
  }
  const type = jsonTypeOf(filled)
  if (type === 'object') return filledObject(schema, filled as Dictionary, filling, depth)
  return type === 'array' ? filledList(schema, filled as readonly unknown[], filling, depth) : filled
}

/** A copy of the default of a schema, found through its references; undefined when there is none. */
export function findDefault(schema: SchemaNode, resolve: Resolve, depth: number = 0): { value: unknown } | undefined {
  if (!isSchemaObject(schema) || depth > deepest) return undefined
  if (Object.hasOwn(schema, 'default')) return { value: decode(encode(schema['default'])) }
  return schema['$ref'] === undefined ? undefined : findDefault(resolve(schema), resolve, depth + 1)
}

function filledObject(schema: SchemaObject, object: Dictionary, filling: Filling, depth: number): Dictionary {
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: SchemaNode }
  const { additionalProperties } = schema
  let copy: { [name: string]: unknown } | undefined
  const put = (name: string, value: unknown): void => {
    copy ??= { ...object }
    setOwn(copy, name, value)
  }
  for (const [name, part] of Object.entries(properties)) {
    const own = Object.hasOwn(object, name) ? object[name] : undefined
    const given = own === undefined ? findDefault(part, filling.resolve) : { value: own }
    if (given === undefined) continue
    const filled = fill(part, given.value, filling, depth + 1)
    if (filled !== own) put(name, filled)
  }
  if (!isSchemaObject(additionalProperties)) return copy ?? object
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(properties, name)) continue
    const filled = fill(additionalProperties, object[name], filling, depth + 1)
    if (filled !== object[name]) put(name, filled)
  }
  return copy ?? object
}

function filledList(
  schema: SchemaObject,
  list: readonly unknown[],
  filling: Filling,
  depth: number,
): readonly unknown[] {
  const first = (schema['prefixItems'] ?? []) as readonly SchemaNode[]
  const items = schema['items'] as SchemaNode | undefined
  const filled = list.map((element, i) =>
    fill(first[i] ?? (i < first.length ? true : (items ?? true)), element, filling, depth + 1),
  )
  return filled.every((element, i) => element === list[i]) ? list : filled
}
