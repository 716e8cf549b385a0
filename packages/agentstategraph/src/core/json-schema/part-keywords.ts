/** Keywords that apply schemas to the parts of a value: elements of lists, properties of objects. */

import type { SchemaIssue } from '../standard-schema.ts'
import { attempt, type Evaluation, namesOf, newSeen, type Place, type Seen } from './evaluation.ts'
import type { SchemaNode, SchemaObject } from './schema-node.ts'

type Schemas = { readonly [name: string]: SchemaNode }

export function evaluateElements(
  evaluation: Evaluation,
  schema: SchemaObject,
  { value, path }: Place,
  issues: SchemaIssue[],
  seen: Seen,
): void {
  const list = value as readonly unknown[]
  const { prefixItems = [], items, contains } = schema
  const first = prefixItems as readonly SchemaNode[]
  for (const [index, element] of list.entries()) {
    const part = index < first.length ? first[index] : (items as SchemaNode | undefined)
    if (part === undefined) continue
    seen.indexes.add(index)
    evaluation.evaluate(part, { value: element, path: [...path, `${index}`] }, issues, newSeen())
  }
  if (contains !== undefined) evaluateContains(evaluation, schema, { value, path }, issues, seen)
}

function evaluateContains(
  evaluation: Evaluation,
  schema: SchemaObject,
  { value, path }: Place,
  issues: SchemaIssue[],
  seen: Seen,
): void {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  let count = 0
  for (const [index, element] of (value as readonly unknown[]).entries()) {
    const place = { value: element, path: [...path, `${index}`] }
    if (attempt(evaluation, contains as SchemaNode, place, newSeen()).length > 0) continue
    count++
    seen.indexes.add(index)
  }
  if (count < (minContains as number))
    issues.push({ path, message: `holds ${count} of the elements that it has to contain, and needs ${minContains}` })
  if (count > (maxContains as number))
    issues.push({ path, message: `holds ${count} of the elements that it has to contain, and may hold ${maxContains}` })
}

export function evaluateProperties(
  evaluation: Evaluation,
  schema: SchemaObject,
  { value, path }: Place,
  issues: SchemaIssue[],
  seen: Seen,
): void {
  const object = value as { readonly [name: string]: unknown }
  const { properties = {}, patternProperties = {}, additionalProperties, propertyNames, dependentSchemas = {} } = schema
  const patterns = Object.entries(patternProperties as Schemas).map(
    ([text, part]) => [new RegExp(text, 'u'), part] as const,
  )
  const names = namesOf(object)
  for (const name of names) {
    const place = { value: object[name], path: [...path, name] }
    const own = Object.hasOwn(properties as Schemas, name) ? [(properties as Schemas)[name]!] : []
    const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, part]) => part)
    const parts = [...own, ...matching]
    if (parts.length === 0 && additionalProperties !== undefined) parts.push(additionalProperties as SchemaNode)
    for (const part of parts) {
      seen.names.add(name)
      if (part === false) issues.push({ path: place.path, message: 'is not allowed here' })
      else evaluation.evaluate(part, place, issues, newSeen())
    }
    if (propertyNames === undefined) continue
    for (const { message } of attempt(evaluation, propertyNames as SchemaNode, { value: name, path }, newSeen())) {
      issues.push({ path: place.path, message: `has a name that ${message}` })
    }
  }
  for (const [name, part] of Object.entries(dependentSchemas as Schemas)) {
    if (names.includes(name)) evaluation.evaluate(part, { value, path }, issues, seen)
  }
}

/** What no other keyword has looked at. It comes last, when all others have. */
export function evaluateRest(
  evaluation: Evaluation,
  schema: SchemaObject,
  { value, path }: Place,
  issues: SchemaIssue[],
  seen: Seen,
): void {
  const { unevaluatedItems, unevaluatedProperties } = schema
  if (unevaluatedItems !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      if (seen.indexes.has(index)) continue
      seen.indexes.add(index)
      evaluation.evaluate(
        unevaluatedItems as SchemaNode,
        { value: element, path: [...path, `${index}`] },
        issues,
        newSeen(),
      )
    }
  }
  if (unevaluatedProperties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const name of namesOf(value)) {
    if (seen.names.has(name)) continue
    seen.names.add(name)
    const place = { value: (value as { readonly [name: string]: unknown })[name], path: [...path, name] }
    evaluation.evaluate(unevaluatedProperties as SchemaNode, place, issues, newSeen())
  }
}
