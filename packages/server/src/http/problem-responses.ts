/** The refusals of operations as the OpenAPI document describes them. */
import type { Operation } from '../operations/operation.ts'
import { problemType } from './problem.ts'

interface Described {
  readonly name: string
  readonly description: string
  /** Which operations have it; all when absent. */
  has?(operation: Operation): boolean
}

const problems: Readonly<Record<string, Described>> = {
  '400': {
    name: 'BadRequest',
    description: 'The request is not well formed: a field is missing, unknown or not valid',
  },
  '401': { name: 'Unauthenticated', description: 'There is no key, or not a valid one', has: needsKey },
  '403': { name: 'Denied', description: 'The key may not do this; the hint says what is needed', has: needsKey },
  '404': { name: 'NotFound', description: 'What it names is not there, or may not be seen' },
  '409': { name: 'Conflict', description: 'It does not go with what is there; data says where', has: isWrite },
  '412': {
    name: 'Moved',
    description: 'What If-Match or an only_if field expects does not hold any more',
    has: isWrite,
  },
  '413': { name: 'TooLarge', description: 'The body, or what was asked for, is too large', has: isWrite },
  '422': { name: 'Invalid', description: 'A value cannot be stored, or breaks a schema', has: isWrite },
  '429': { name: 'TooMany', description: 'Too many requests; Retry-After says when to try again' },
  default: { name: 'Problem', description: 'The request was refused, or failed' },
}

function isWrite({ effect }: Operation): boolean {
  return effect !== 'read'
}

function needsKey({ capability }: Operation): boolean {
  return capability !== 'none'
}

/** The components that operations refer to. */
export const problemResponses = Object.fromEntries(
  Object.values(problems).map(({ name, description }) => [
    name,
    { description, content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } } },
  ]),
)

/** The refusals of an operation, by status. */
export function problemsOf(operation: Operation): Record<string, { readonly $ref: string }> {
  const own = Object.entries(problems).filter(([, { has }]) => has?.(operation) ?? true)
  return Object.fromEntries(own.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]))
}
