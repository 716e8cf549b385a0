/**
 * Standard Schema, version 1: how zod, valibot, arktype and others offer to validate.
 *
 * This file knows the interface and no library.
 */

export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly validate: (value: unknown) => unknown
  }
}

/** What defines a state: a schema, which also validates, or initial values, which only give its type. */
export type StateSource = StandardSchema | object

/** The type of the state that a source defines. */
export type StateFrom<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : never
  : S

/** The type of a state's input: the input of the schema, or some of the initial values. */
export type InputFrom<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : never
  : Partial<S>

/** What is wrong with a value, and where in it. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly string[]
}

export type Validated = { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] }

export function isStandardSchema(something: unknown): something is StandardSchema {
  // Some schemas are functions.
  if (something === null || (typeof something !== 'object' && typeof something !== 'function')) return false
  const standard = (something as { readonly '~standard'?: unknown })['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard
}

/** Validates a value. Most schemas answer synchronously, some with a promise. */
export function validateWith(schema: StandardSchema, value: unknown): Validated | Promise<Validated> {
  const answer = schema['~standard'].validate(value)
  return answer instanceof Promise ? answer.then(validated) : validated(answer)
}

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

function validated(answer: unknown): Validated {
  const { issues, value } = answer as { readonly issues?: readonly StandardIssue[]; readonly value?: unknown }
  return issues === undefined ? { value } : { issues: issues.map(issueFrom) }
}

function issueFrom({ message, path = [] }: StandardIssue): SchemaIssue {
  // Some libraries return lists of a class of their own, whose `map` would make another one.
  return { message, path: Array.from(path, segment => String(typeof segment === 'object' ? segment.key : segment)) }
}
