/**
 * Merge hints in schemas: `x-merge` beside the other keywords of a place is a merge policy for it.
 *
 * A policy needs a path pattern, so a hint must be below `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and
 * `$ref` only. Elsewhere it could have no effect, and is refused when the schema is attached.
 */

import {
  coreError,
  formatPath,
  isSchemaObject,
  type JsonSchemaDocument,
  parseGlob,
  partsOf,
  type SchemaNode,
  type SchemaObject,
} from '../../core/index.ts'
import { type Policies, type Policy, policyTable } from '../../tree/index.ts'
import type { SchemasInForce } from '../state/schemas.ts'
import { plansKey } from '../state/state.ts'

const hint = 'x-merge'

/** The merge policies of the schemas in force. */
export function hintedPolicies(schemas: SchemasInForce | undefined): Policies {
  const policies: Record<string, Policy> = {}
  for (const { pattern, document } of schemas?.rules ?? []) {
    if (document !== undefined) Object.assign(policies, hintsOf(pattern, document).policies)
  }
  return policies
}

/** Throws for hints that are no policies, and for hints without a path pattern. */
export function assertHints(pattern: string, document: JsonSchemaDocument): void {
  const { policies, seen } = hintsOf(pattern, document)
  policyTable(policies)
  const [first] = parseGlob(pattern).parts
  const isOfPlans = first?.kind === 'key' && first.key === plansKey
  const walk = (node: unknown, path: readonly string[]): void => {
    if (!isSchemaObject(node)) return
    if (Object.hasOwn(node, hint) && (isOfPlans || !seen.has(node))) {
      const reason = isOfPlans
        ? 'plans are merged by rules of their own, so a merge hint would not be kept'
        : 'a merge hint has to stand where a path pattern leads to, and none leads here'
      throw coreError('schema-invalid', { path: formatPath([...path, hint]), reason })
    }
    for (const [inside, part] of partsOf(node)) walk(part, [...path, ...inside])
  }
  walk(document.schema, [])
}

interface Hints {
  readonly policies: Record<string, Policy>
  readonly seen: ReadonlySet<SchemaObject>
}

/** References can make the paths of a schema many more than its parts. */
const MOST_VISITED = 10_000

/** The schemas that have a hint, or from which one can be reached. */
function leadingToHints(schema: SchemaNode, resolve: JsonSchemaDocument['resolve']): ReadonlySet<SchemaObject> {
  const above = new Map<SchemaObject, SchemaObject[]>()
  const hinted: SchemaObject[] = []
  const open = [schema]
  for (const node of open) {
    if (!isSchemaObject(node)) continue
    if (Object.hasOwn(node, hint)) hinted.push(node)
    const target = node['$ref'] === undefined ? [] : [resolve(node)]
    for (const part of [...target, ...partsOf(node).map(([, inside]) => inside as SchemaNode)]) {
      if (!isSchemaObject(part)) continue
      const holders = above.get(part)
      holders?.push(node)
      if (holders !== undefined) continue
      above.set(part, [node])
      open.push(part)
    }
  }
  const leads = new Set(hinted)
  for (const node of leads) for (const holder of above.get(node) ?? []) leads.add(holder)
  return leads
}

function hintsOf(pattern: string, { schema, resolve }: JsonSchemaDocument): Hints {
  const policies: Record<string, Policy> = {}
  const seen = new Set<SchemaObject>()
  const leads = leadingToHints(schema, resolve)
  let visited = 0
  const walk = (node: SchemaNode | undefined, at: string, trail: readonly SchemaNode[]): void => {
    // A recursive schema describes paths of any depth; a hint applies to the first.
    if (node === undefined || !isSchemaObject(node) || trail.includes(node) || !leads.has(node)) return
    if (++visited > MOST_VISITED) {
      const reason = `its references lead to more than ${MOST_VISITED} places with hints for merges`
      throw coreError('schema-invalid', { path: pattern, reason })
    }
    const below = [...trail, node]
    if (Object.hasOwn(node, hint)) {
      seen.add(node)
      policies[at === '' ? '/' : at] = node[hint] as Policy
    }
    if (node['$ref'] !== undefined) walk(resolve(node), at, below)
    for (const part of (node['allOf'] ?? []) as readonly SchemaNode[]) walk(part, at, below)
    const named = Object.entries((node['properties'] ?? {}) as Readonly<Record<string, SchemaNode>>)
    for (const [name, part] of named) if (!name.includes('*')) walk(part, at + formatPath([name]), below)
    const places = ((node['prefixItems'] ?? []) as readonly SchemaNode[]).entries()
    for (const [index, part] of places) walk(part, `${at}/${index}`, below)
    walk(node['items'] as SchemaNode | undefined, `${at}/*`, below)
    walk(node['additionalProperties'] as SchemaNode | undefined, `${at}/*`, below)
  }
  const { text, parts } = parseGlob(pattern)
  walk(schema, parts.length === 0 ? '' : text, [])
  return { policies, seen }
}
