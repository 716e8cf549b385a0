/**
 * Validates a value by a JSON Schema of 2020-12: every keyword of the core, applicator, validation and unevaluated
 * vocabularies, except `$dynamicRef`. `format` and the content keywords are annotations, as in the specification.
 *
 * It yields now and then, where its caller may pause. All issues are collected, each with its path. The schema was checked when it was made, so its keywords are well-formed.
 */

import { type Matcher, matcherOf } from '../patterns/matcher.ts'
import { EncryptedValue } from '../values/encrypted-value.ts'
import {
  type Asked,
  addSeen,
  attempt,
  type Evaluation,
  newSeen,
  type Place,
  type RuleIssue,
  type Seen,
  type Steps,
} from './evaluation.ts'
import { evaluateElements, evaluateProperties, evaluateRest } from './part-keywords.ts'
import { isSchemaObject, jsonTypeOf, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'
import { judge } from './value-keywords.ts'

const deepest = 1000
const tooDeep = 'is nested too deep, or the schema refers to itself without an end'

/** How many schemas are evaluated between two places where the caller may pause. */
const EVALUATED_BETWEEN = 500

export function* evaluate(schema: SchemaNode, value: unknown, resolve: Resolve): Steps<readonly RuleIssue[]> {
  const issues: RuleIssue[] = []
  const evaluation: Evaluation = {
    resolve,
    depth: 0,
    count: 0,
    evaluate: (part, place, into, seen, keyword = 'false') =>
      evaluateSchema(evaluation, part, place, into, seen, keyword),
  }
  yield* evaluation.evaluate(schema, { value, path: [] }, issues, newSeen())
  return issues
}

function* evaluateSchema(
  evaluation: Evaluation,
  schema: SchemaNode,
  place: Place,
  issues: RuleIssue[],
  seen: Seen,
  keyword: string,
): Steps<void> {
  if (schema === true) return
  // An encrypted value without its key, or an erased one, cannot be validated.
  if (place.value instanceof EncryptedValue) return
  if (schema === false) {
    issues.push({ path: place.path, rule: keyword, message: 'is not allowed here' })
    return
  }
  if (evaluation.depth >= deepest) {
    issues.push({ path: place.path, rule: '$ref', message: tooDeep })
    return
  }
  if (++evaluation.count % EVALUATED_BETWEEN === 0) yield
  evaluation.depth++
  yield* evaluateObject({ evaluation, schema, place, issues, seen: newSeen() }, seen)
  evaluation.depth--
}

function* evaluateObject(asked: Asked, around: Seen): Steps<void> {
  const { schema, place, issues, seen } = asked
  const { path, value } = place
  for (const found of judge(schema, value)) issues.push({ path, ...found })
  const type = jsonTypeOf(value)
  if (type === 'string' && typeof schema['pattern'] === 'string') yield* evaluatePattern(asked)
  if (schema['$ref'] !== undefined) yield* evaluateTarget(asked)
  if (type === 'array') yield* evaluateElements(asked)
  if (type === 'object') yield* evaluateProperties(asked)
  if (hasAny(schema, combining)) yield* evaluateCombined(asked)
  if (schema['if'] !== undefined) yield* evaluateCondition(asked)
  if (hasAny(schema, remaining)) yield* evaluateRest(asked)
  addSeen(around, seen)
}

const combining = ['allOf', 'anyOf', 'oneOf', 'not']
const remaining = ['unevaluatedItems', 'unevaluatedProperties']

/** A generator for keywords that are not there would cost more than this look. */
function hasAny(schema: SchemaObject, keywords: readonly string[]): boolean {
  return keywords.some(keyword => schema[keyword] !== undefined)
}

/** Cached by schema, because making a matcher is slow. */
const matchers = new WeakMap<SchemaObject, Matcher>()

function* evaluatePattern({ schema, place, issues }: Asked): Steps<void> {
  const pattern = schema['pattern'] as string
  const matches = matchers.get(schema) ?? matcherOf(pattern)
  matchers.set(schema, matches)
  if (yield* matches(place.value as string)) return
  issues.push({ path: place.path, rule: 'pattern', message: `has to match ${JSON.stringify(pattern)}` })
}

/** How many issues are told again where a schema applies to a place for the second time. */
const repeatedAtMost = 10

/**
 * Evaluates what a reference means, once for each place: alternatives that share what they refer to would else double the work
 * with every level of a value.
 */
function* evaluateTarget({ evaluation, schema, place, issues, seen }: Asked): Steps<void> {
  const target = evaluation.resolve(schema)
  const isContainer = typeof place.value === 'object' && place.value !== null
  if (!isContainer || !isSchemaObject(target)) {
    yield* evaluation.evaluate(target, place, issues, seen)
    return
  }
  place.known ??= new Map()
  const known = place.known.get(target)
  if (known !== undefined) {
    for (const issue of known.issues.slice(0, repeatedAtMost)) issues.push(issue)
    addSeen(seen, known.seen)
    return
  }
  const own = { issues: [] as RuleIssue[], seen: newSeen() }
  yield* evaluation.evaluate(target, place, own.issues, own.seen)
  place.known.set(target, own)
  for (const issue of own.issues) issues.push(issue)
  addSeen(seen, own.seen)
}

function* evaluateCombined({ evaluation, schema, place, issues, seen }: Asked): Steps<void> {
  const { path } = place
  const { allOf = [], anyOf, oneOf, not } = schema as { readonly [keyword: string]: readonly SchemaNode[] | undefined }
  for (const part of allOf) yield* evaluation.evaluate(part, place, issues, seen)
  if (anyOf !== undefined) {
    const tried: (readonly RuleIssue[])[] = []
    for (const part of anyOf) tried.push(yield* attempt(evaluation, part, place, seen))
    if (tried.every(found => found.length > 0)) issues.push({ path, rule: 'anyOf', message: noneOf(tried) })
  }
  if (oneOf !== undefined) {
    const tried: (readonly RuleIssue[])[] = []
    for (const part of oneOf) tried.push(yield* attempt(evaluation, part, place, seen))
    const fitting = tried.filter(found => found.length === 0).length
    if (fitting === 0) issues.push({ path, rule: 'oneOf', message: noneOf(tried) })
    if (fitting > 1) {
      issues.push({ path, rule: 'oneOf', message: `fits ${fitting} of the alternatives, and has to fit one` })
    }
  }
  if (not === undefined) return
  const found = yield* attempt(evaluation, not as unknown as SchemaNode, place, newSeen())
  if (found.length === 0) issues.push({ path, rule: 'not', message: 'is what it must not be' })
}

const namedAtMost = 3

/** A short reason for each of the alternatives. */
function noneOf(tried: readonly (readonly RuleIssue[])[]): string {
  const reasons = tried.slice(0, namedAtMost).map(([first]) => first!.message)
  const more = tried.length > namedAtMost ? '; …' : ''
  return `fits none of the ${tried.length} alternatives: it ${reasons.join('; it ')}${more}`
}

function* evaluateCondition({ evaluation, schema, place, issues, seen }: Asked): Steps<void> {
  const holds = (yield* attempt(evaluation, schema['if'] as SchemaNode, place, seen)).length === 0
  const part = schema[holds ? 'then' : 'else'] as SchemaNode | undefined
  if (part !== undefined) yield* evaluation.evaluate(part, place, issues, seen)
}
