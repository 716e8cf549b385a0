/** Keywords that apply schemas to the parts of a value: elements of lists, properties of objects. */

import { type Matcher, matcherOf } from '../patterns/matcher.ts'
import { type Asked, attempt, namesOf, newSeen, partOf, type Steps } from './evaluation.ts'
import type { SchemaNode, SchemaObject } from './schema-node.ts'

type Schemas = { readonly [name: string]: SchemaNode }

export function* evaluateElements(asked: Asked): Steps<void> {
  const { evaluation, schema, issues, seen } = asked
  const list = asked.place.value as readonly unknown[]
  const { prefixItems = [], items, contains } = schema
  const first = prefixItems as readonly SchemaNode[]
  for (const [index, element] of list.entries()) {
    const part = index < first.length ? first[index] : (items as SchemaNode | undefined)
    if (part === undefined) continue
    seen.indexes.add(index)
    const keyword = index < first.length ? 'prefixItems' : 'items'
    yield* evaluation.evaluate(part, partOf(asked.place, `${index}`, element), issues, newSeen(), keyword)
  }
  if (contains !== undefined) yield* evaluateContains(asked)
}

function* evaluateContains(asked: Asked): Steps<void> {
  const { evaluation, schema, issues, seen } = asked
  const { value, path } = asked.place
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  let count = 0
  for (const [index, element] of (value as readonly unknown[]).entries()) {
    const place = partOf(asked.place, `${index}`, element)
    if ((yield* attempt(evaluation, contains as SchemaNode, place, newSeen())).length > 0) continue
    count++
    seen.indexes.add(index)
  }
  if (count < (minContains as number))
    issues.push({ path, rule: 'contains', message: `${held(count)}, and needs ${minContains}` })
  if (count > (maxContains as number))
    issues.push({ path, rule: 'maxContains', message: `${held(count)}, and may hold ${maxContains}` })
}

function held(count: number): string {
  return `holds ${count} of the elements that it has to contain`
}

export function* evaluateProperties(asked: Asked): Steps<void> {
  const { evaluation, schema, issues, seen } = asked
  const { value, path } = asked.place
  const object = value as { readonly [name: string]: unknown }
  const { propertyNames, dependentSchemas = {} } = schema
  const patterns = patternsOf(schema)
  const names = namesOf(object)
  for (const name of names) {
    const place = partOf(asked.place, name, object[name])
    for (const [keyword, part] of yield* schemasOfProperty(schema, patterns, name)) {
      seen.names.add(name)
      yield* evaluation.evaluate(part, place, issues, newSeen(), keyword)
    }
    if (propertyNames === undefined) continue
    const named = { value: name, path }
    for (const { message } of yield* attempt(evaluation, propertyNames as SchemaNode, named, newSeen())) {
      issues.push({ path: place.path, rule: 'propertyNames', message: `has a name that ${message}` })
    }
  }
  for (const [name, part] of Object.entries(dependentSchemas as Schemas)) {
    if (names.includes(name)) yield* evaluation.evaluate(part, asked.place, issues, seen)
  }
}

type Patterns = readonly (readonly [pattern: Matcher, part: SchemaNode])[]

/** Cached by schema, because making a matcher is slow. */
const patternsMade = new WeakMap<SchemaObject, Patterns>()
const noPatterns: Patterns = []

export function patternsOf(schema: SchemaObject): Patterns {
  const { patternProperties } = schema
  if (patternProperties === undefined) return noPatterns
  const made =
    patternsMade.get(schema) ??
    Object.entries(patternProperties as Schemas).map(([text, part]) => [matcherOf(text), part] as const)
  patternsMade.set(schema, made)
  return made
}

/** The schemas that apply to a property, each with the keyword that holds it. */
export function* schemasOfProperty(
  { properties = {}, additionalProperties }: SchemaObject,
  patterns: Patterns,
  name: string,
): Steps<readonly (readonly [keyword: string, part: SchemaNode])[]> {
  const parts: (readonly [string, SchemaNode])[] = []
  if (Object.hasOwn(properties as Schemas, name)) parts.push(['properties', (properties as Schemas)[name]!])
  for (const [matches, part] of patterns) if (yield* matches(name)) parts.push(['patternProperties', part])
  if (parts.length === 0 && additionalProperties !== undefined) {
    parts.push(['additionalProperties', additionalProperties as SchemaNode])
  }
  return parts
}

/** The `unevaluated` keywords. They run last, after all others. */
export function* evaluateRest(asked: Asked): Steps<void> {
  const { evaluation, schema, issues, seen } = asked
  const { value } = asked.place
  const { unevaluatedItems, unevaluatedProperties } = schema
  if (unevaluatedItems !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      if (seen.indexes.has(index)) continue
      seen.indexes.add(index)
      yield* evaluation.evaluate(
        unevaluatedItems as SchemaNode,
        partOf(asked.place, `${index}`, element),
        issues,
        newSeen(),
        'unevaluatedItems',
      )
    }
  }
  if (unevaluatedProperties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const name of namesOf(value)) {
    if (seen.names.has(name)) continue
    seen.names.add(name)
    const place = partOf(asked.place, name, (value as { readonly [name: string]: unknown })[name])
    yield* evaluation.evaluate(unevaluatedProperties as SchemaNode, place, issues, newSeen(), 'unevaluatedProperties')
  }
}
