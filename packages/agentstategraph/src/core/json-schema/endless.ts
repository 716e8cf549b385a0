/**
 * Finds schemas whose validation would never end: a reference back to itself for the same value.
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
