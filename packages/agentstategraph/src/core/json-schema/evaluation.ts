/** The state of one validation: the issues found, and what other keywords have evaluated already. */

import { jsonTypeOf, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'
import type { SchemaIssue } from './standard-schema.ts'

/** An issue and the keyword that found it. */
export interface RuleIssue extends SchemaIssue {
  readonly rule: string
}

/** The properties and elements that a schema has evaluated, for the `unevaluated` keywords. */
export interface Seen {
  readonly names: Set<string>
  readonly indexes: Set<number>
}

export interface Place {
  readonly value: unknown
  readonly path: readonly string[]
  /** The places of its parts that are containers, so that what is known of them is known to every schema that gets there. */
  parts?: Map<string, Place>
  /** What the targets of references have found here. */
  known?: Map<SchemaObject, Known>
}

/** What one schema found at one place. */
export interface Known {
  readonly issues: readonly RuleIssue[]
  readonly seen: Seen
}

/** The place of a part of a value. */
export function partOf(place: Place, name: string, value: unknown): Place {
  const known = place.parts?.get(name)
  if (known !== undefined) return known
  const part: Place = { value, path: [...place.path, name] }
  if (typeof value !== 'object' || value === null) return part
  place.parts ??= new Map()
  place.parts.set(name, part)
  return part
}

/** Validation in steps: it yields now and then, where its caller may pause. */
export type Steps<T> = Generator<void, T>

/** Takes all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export interface Evaluation {
  readonly resolve: Resolve
  /** How many schemas are around this one, to limit recursion. */
  depth: number
  /** How many schemas were evaluated. */
  count: number
  /** Evaluates a schema, held by `keyword`, at a place: adds to `issues`, and to `seen` what it evaluated. */
  evaluate(schema: SchemaNode, place: Place, issues: RuleIssue[], seen: Seen, keyword?: string): Steps<void>
}

/** A schema applied to a place: where issues go, and what it has evaluated so far. */
export interface Asked {
  readonly evaluation: Evaluation
  readonly schema: SchemaObject
  readonly place: Place
  readonly issues: RuleIssue[]
  readonly seen: Seen
}

export function newSeen(): Seen {
  return { names: new Set(), indexes: new Set() }
}

export function addSeen(seen: Seen, more: Seen): void {
  for (const name of more.names) seen.names.add(name)
  for (const index of more.indexes) seen.indexes.add(index)
}

/** Evaluates a schema that may fail without an issue; what it evaluated counts only when it holds. */
export function* attempt(
  evaluation: Evaluation,
  schema: SchemaNode,
  place: Place,
  seen: Seen,
): Steps<readonly RuleIssue[]> {
  const issues: RuleIssue[] = []
  const own = newSeen()
  yield* evaluation.evaluate(schema, place, issues, own)
  if (issues.length === 0) addSeen(seen, own)
  return issues
}

/** A text that is the same for equal JSON values, whatever the sign of a zero; undefined for what JSON lacks. */
export function textOf(value: unknown): string | undefined {
  switch (jsonTypeOf(value)) {
    case undefined:
      return undefined
    case 'array':
      return joined((value as readonly unknown[]).map(textOf), '[', ']')
    case 'object': {
      const object = value as { readonly [name: string]: unknown }
      const parts = namesOf(object).map(name => [JSON.stringify(name), textOf(object[name])] as const)
      const texts = parts.map(([name, text]) => (text === undefined ? undefined : `${name}:${text}`))
      return joined(texts.sort(), '{', '}')
    }
    default:
      return JSON.stringify(value)
  }
}

function joined(texts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return texts.includes(undefined) ? undefined : `${open}${texts.join()}${close}`
}

/** The names of an object's properties that are not undefined. */
export function namesOf(value: object): readonly string[] {
  return Object.keys(value).filter(name => (value as { readonly [name: string]: unknown })[name] !== undefined)
}
