/**
 * The schema of an answer as the list of tools has it: the names and types of its fields, and of those of the list that it is
 * about.
 *
 * Every listed schema takes space in the context of a model, whether the tool is called or not, and a model reads an answer
 * without it. docs/operations.md and OpenAPI have the whole schemas.
 */
import { type Defs, type JsonSchema, optionsOf, propertiesOf, resolved } from '../json-schema.ts'
import { isCommit, lineProperties } from './commit-line.ts'

interface Described {
  /** Whether the commit that the answer is, is a line. */
  readonly asLine: boolean
  /** The list that the answer is about. */
  readonly kept: string | undefined
}

/** The schema of a whole answer, which is an object. */
export function describeBriefly(whole: JsonSchema, defs: Defs, { asLine, kept }: Described): JsonSchema {
  const named = Object.entries(listedProperties(whole, defs, asLine, asLine))
  const fields = named.map(([name, field]) => [name, name === kept ? listOf(field, defs) : typeOf(field, defs)])
  return {
    type: 'object',
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
    ...(kept === undefined ? {} : { required: [kept] }),
  }
}

function listOf({ items = {} }: JsonSchema, defs: Defs): JsonSchema {
  const fields = Object.entries(listedProperties(items as JsonSchema, defs, true))
  if (fields.length === 0) return { type: 'array' }
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field, defs)]))
  return { type: 'array', items: { type: 'object', properties } }
}

/** The fields of an object; of a union, those that all its options have. */
function listedProperties(given: JsonSchema, defs: Defs, asLine: boolean, isWritten = false): Defs {
  const { schema } = resolved(given, defs)
  const [first = {}, ...others] = (optionsOf(schema, defs) ?? [schema]).map(propertiesOf)
  const common = Object.entries(first).filter(([name]) => others.every(properties => name in properties))
  const properties: Defs = Object.fromEntries(common)
  return asLine && isCommit(properties) ? lineProperties(properties, isWritten) : properties
}

function typeOf(given: JsonSchema, defs: Defs): JsonSchema {
  const { type } = resolved(given, defs).schema
  return typeof type === 'string' ? { type } : {}
}
