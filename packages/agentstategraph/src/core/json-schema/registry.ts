/**
 * Resolves the references of a JSON Schema within its document: by pointer, by anchor, by `$id`.
 *
 * All are resolved when the schema is made; a reference that leads out of the document is refused then.
 */

import { coreError } from '../errors.ts'
import { formatPath } from '../paths/path.ts'
import { findDoubling, findEndless } from './endless.ts'
import { isSchemaObject, partsOf, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'

const root = 'json-schema://document/'

interface Found {
  readonly schema: SchemaObject
  readonly path: readonly string[]
  readonly base: string
}

/** Reads a document: calls `check` with every schema in it, and resolves the references. */
export function readDocument(
  document: SchemaNode,
  check: (schema: SchemaObject, path: readonly string[]) => void,
): Resolve {
  const schemas: Found[] = []
  const resources = new Map<string, SchemaNode>()
  const anchors = new Map<string, SchemaNode>()
  const walk = (node: unknown, path: readonly string[], base: string): void => {
    if (typeof node === 'boolean') return
    if (!isSchemaObject(node)) throw invalid(path, 'it is neither an object nor true or false')
    check(node, path)
    const own = typeof node['$id'] === 'string' ? locate(node['$id'], base, path) : base
    if (own !== base) resources.set(own, node)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof node[keyword] === 'string') anchors.set(`${own}#${node[keyword]}`, node)
    }
    schemas.push({ schema: node, path, base: own })
    for (const [inside, part] of partsOf(node)) walk(part, [...path, ...inside], own)
  }
  resources.set(root, document)
  walk(document, [], root)

  const bases = new Map(schemas.map(({ schema, base }) => [schema, base]))
  const targets = new Map<SchemaObject, SchemaNode>()
  // A pointer may lead to a place that no keyword makes a schema. It becomes one, and may hold references itself.
  for (let i = 0; i < schemas.length; i++) {
    const { schema, path, base } = schemas[i]!
    if (typeof schema['$ref'] !== 'string') continue
    const target = find(schema['$ref'], base, path, resources, anchors)
    if (isSchemaObject(target) && !bases.has(target)) {
      const before = schemas.length
      walk(target, [...path, '$ref'], base)
      for (const found of schemas.slice(before)) bases.set(found.schema, found.base)
    }
    targets.set(schema, target)
  }
  const resolve: Resolve = schema => targets.get(schema)!
  const endless = findEndless(schemas, resolve)
  if (endless !== undefined)
    throw invalid(endless.path, 'it refers to itself for the same value, and so without an end')
  const doubling = findDoubling(schemas, resolve)
  if (doubling !== undefined) throw invalid(doubling.path, 'its references apply more than 10000 schemas to one value')
  return resolve
}

function find(
  reference: string,
  base: string,
  path: readonly string[],
  resources: ReadonlyMap<string, SchemaNode>,
  anchors: ReadonlyMap<string, SchemaNode>,
): SchemaNode {
  const address = new URL(locate(reference, base, path, true))
  const fragment = decoded(address.hash.slice(1), path)
  address.hash = ''
  const resource = resources.get(address.href)
  if (resource === undefined) {
    throw invalid([...path, '$ref'], `${JSON.stringify(reference)} leads out of the document, and nothing is fetched`)
  }
  const target =
    fragment === ''
      ? resource
      : fragment.startsWith('/')
        ? atPointer(resource, fragment)
        : anchors.get(`${address.href}#${fragment}`)
  if (typeof target === 'boolean' || isSchemaObject(target)) return target
  throw invalid([...path, '$ref'], `${JSON.stringify(reference)} leads to no schema`)
}

function atPointer(resource: SchemaNode, pointer: string): unknown {
  let place: unknown = resource
  for (const segment of pointer.slice(1).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as { readonly [key: string]: unknown })[key]
  }
  return place
}

function locate(reference: string, base: string, path: readonly string[], keepsFragment: boolean = false): string {
  try {
    const address = new URL(reference, base)
    if (!keepsFragment) address.hash = ''
    return address.href
  } catch {
    throw invalid(path, `${JSON.stringify(reference)} is no reference`)
  }
}

function decoded(fragment: string, path: readonly string[]): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    throw invalid([...path, '$ref'], 'its fragment is not percent-encoded')
  }
}

export function invalid(path: readonly string[], reason: string): Error {
  return coreError('schema-invalid', { path: formatPath(path), reason })
}
