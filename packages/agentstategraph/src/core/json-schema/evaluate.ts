/**
 * Validates a value by a JSON Schema of 2020-12: every keyword of the core, applicator, validation and unevaluated
 * vocabularies, except `$dynamicRef`. `format` and the content keywords are annotations, as in the specification.
 *
 * All issues are collected, each with its path. The schema was checked when it was made, so its keywords are well-formed.
 */

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
} from './evaluation.ts'
import { evaluateElements, evaluateProperties, evaluateRest } from './part-keywords.ts'
import { isSchemaObject, jsonTypeOf, type Resolve, type SchemaNode } from './schema-node.ts'
import { judge } from './value-keywords.ts'

const deepest = 1000
const tooDeep = 'is nested too deep, or the schema refers to itself without an end'

export function evaluate(schema: SchemaNode, value: unknown, resolve: Resolve): readonly RuleIssue[] {
  const issues: RuleIssue[] = []
  const evaluation: Evaluation = {
    resolve,
    depth: 0,
    evaluate: (part, place, into, seen, keyword = 'false') =>
      evaluateSchema(evaluation, part, place, into, seen, keyword),
  }
  evaluation.evaluate(schema, { value, path: [] }, issues, newSeen())
  return issues
}

function evaluateSchema(
  evaluation: Evaluation,
  schema: SchemaNode,
  place: Place,
  issues: RuleIssue[],
  seen: Seen,
  keyword: string,
): void {
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
  evaluation.depth++
  evaluateObject({ evaluation, schema, place, issues, seen: newSeen() }, seen)
  evaluation.depth--
}

function evaluateObject(asked: Asked, around: Seen): void {
  const { schema, place, issues, seen } = asked
  const { path, value } = place
  for (const found of judge(schema, value)) issues.push({ path, ...found })
  if (schema['$ref'] !== undefined) evaluateTarget(asked)
  const type = jsonTypeOf(value)
  if (type === 'array') evaluateElements(asked)
  if (type === 'object') evaluateProperties(asked)
  evaluateCombined(asked)
  evaluateCondition(asked)
  evaluateRest(asked)
  addSeen(around, seen)
}

/** How many issues are told again where a schema applies to a place for the second time. */
const repeatedAtMost = 10

/**
 * Evaluates what a reference means, once for each place: alternatives that share what they refer to would else double the work
 * with every level of a value.
 */
function evaluateTarget({ evaluation, schema, place, issues, seen }: Asked): void {
  const target = evaluation.resolve(schema)
  const isContainer = typeof place.value === 'object' && place.value !== null
  if (!isContainer || !isSchemaObject(target)) {
    evaluation.evaluate(target, place, issues, seen)
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
  evaluation.evaluate(target, place, own.issues, own.seen)
  place.known.set(target, own)
  for (const issue of own.issues) issues.push(issue)
  addSeen(seen, own.seen)
}

function evaluateCombined({ evaluation, schema, place, issues, seen }: Asked): void {
  const { path } = place
  const { allOf = [], anyOf, oneOf, not } = schema as { readonly [keyword: string]: readonly SchemaNode[] | undefined }
  for (const part of allOf) evaluation.evaluate(part, place, issues, seen)
  if (anyOf !== undefined) {
    const tried = anyOf.map(part => attempt(evaluation, part, place, seen))
    if (tried.every(found => found.length > 0)) issues.push({ path, rule: 'anyOf', message: noneOf(tried) })
  }
  if (oneOf !== undefined) {
    const tried = oneOf.map(part => attempt(evaluation, part, place, seen))
    const fitting = tried.filter(found => found.length === 0).length
    if (fitting === 0) issues.push({ path, rule: 'oneOf', message: noneOf(tried) })
    if (fitting > 1) {
      issues.push({ path, rule: 'oneOf', message: `fits ${fitting} of the alternatives, and has to fit one` })
    }
  }
  if (not !== undefined && attempt(evaluation, not as unknown as SchemaNode, place, newSeen()).length === 0) {
    issues.push({ path, rule: 'not', message: 'is what it must not be' })
  }
}

const namedAtMost = 3

/** A short reason for each of the alternatives. */
function noneOf(tried: readonly (readonly RuleIssue[])[]): string {
  const reasons = tried.slice(0, namedAtMost).map(([first]) => first!.message)
  const more = tried.length > namedAtMost ? '; …' : ''
  return `fits none of the ${tried.length} alternatives: it ${reasons.join('; it ')}${more}`
}

function evaluateCondition({ evaluation, schema, place, issues, seen }: Asked): void {
  if (schema['if'] === undefined) return
  const holds = attempt(evaluation, schema['if'] as SchemaNode, place, seen).length === 0
  const part = schema[holds ? 'then' : 'else'] as SchemaNode | undefined
  if (part !== undefined) evaluation.evaluate(part, place, issues, seen)
}
