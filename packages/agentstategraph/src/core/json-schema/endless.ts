/**
 * Finds schemas whose validation would never end, or as good as never: a reference back to itself for the same value, and
 * references that double with every step.
 *
 * A schema may refer to itself for the parts of a value, because values are finite. One that refers to itself for the same
 * value recurses without end, so it is refused when it is made.
 */

import { isSchemaObject, partsOf, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'

/** Keywords whose schemas apply to the same value as the schema that holds them. */
const ofSameValue = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'])

/** The first of these schemas that refers to itself for the same value. */
export function findEndless<T extends { readonly schema: SchemaObject }>(
  schemas: readonly T[],
  resolve: Resolve,
): T | undefined {
  const ended = new Set<SchemaObject>()
  const open = new Set<SchemaObject>()
  const isEndless = (node: SchemaNode): boolean => {
    if (!isSchemaObject(node) || ended.has(node)) return false
    if (open.has(node)) return true
    open.add(node)
    const found = sameValueParts(node, resolve).some(isEndless)
    open.delete(node)
    ended.add(node)
    return found
  }
  return schemas.find(({ schema }) => isEndless(schema))
}

function sameValueParts(schema: SchemaObject, resolve: Resolve): readonly SchemaNode[] {
  const parts = partsOf(schema).flatMap(([[keyword], part]) => (ofSameValue.has(keyword!) ? [part as SchemaNode] : []))
  return schema['$ref'] === undefined ? parts : [resolve(schema), ...parts]
}

/** How many schemas one schema may apply to the same value. */
const MOST_APPLIED = 10_000

/** The first of these schemas that applies too many to the same value. None of them may refer to itself for it. */
export function findDoubling<T extends { readonly schema: SchemaObject }>(
  schemas: readonly T[],
  resolve: Resolve,
): T | undefined {
  const sizes = new Map<SchemaObject, number>()
  const sizeOf = (node: SchemaNode): number => {
    if (!isSchemaObject(node)) return 1
    const known = sizes.get(node)
    if (known !== undefined) return known
    const size = sameValueParts(node, resolve).reduce((sum, part) => sum + sizeOf(part), 1)
    sizes.set(node, size)
    return size
  }
  return schemas.find(({ schema }) => sizeOf(schema) > MOST_APPLIED)
}
