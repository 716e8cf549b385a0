/**
 * Parses the text of a URL into the fields of an operation's input.
 *
 * The schema decides how the text of a field is read: a number or boolean in its JSON form, a list as a repeated field, other
 * types as JSON text. Text that cannot be read this way stays text, and the schema refuses it.
 */
import { readJson } from 'agentstategraph/internal'
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'

type Schema = { readonly [keyword: string]: unknown }

/** How the text of a field is parsed. */
type Reading = 'text' | 'scalar' | 'json' | { readonly each: Reading }

export interface TextReader {
  query(query: URLSearchParams): Record<string, unknown>
  /** Parses a field of the path. */
  field(name: string, text: string): unknown
}

/** Query parameters under which keys are sent by mistake. */
const keyNames: ReadonlySet<string> = new Set([
  'key',
  'token',
  'access_token',
  'api_key',
  'apikey',
  'auth',
  'authorization',
])

/** Refuses a URL with a key: URLs end up in logs. */
export function assertNoKeyIn(query: URLSearchParams): void {
  for (const field of query.keys()) {
    if (keyNames.has(field.toLowerCase())) throw serverError('token-in-url', { field })
  }
}

export function textReader(input: Operation['input']): TextReader {
  const document = z.toJSONSchema(input, { io: 'input' }) as Schema
  const properties = (document['properties'] ?? {}) as Record<string, Schema>
  const readings = new Map(Object.entries(properties).map(([name, schema]) => [name, readingOf(schema)]))
  return {
    field(name, text) {
      const reading = readings.get(name) ?? 'text'
      return valueIn(text, reading)
    },
    query(query) {
      const fields: Record<string, unknown> = Object.create(null)
      for (const name of new Set(query.keys())) {
        const texts = query.getAll(name)
        const reading = readings.get(name) ?? 'text'
        if (typeof reading === 'object') fields[name] = texts.map(text => valueIn(text, reading.each))
        else if (texts.length === 1) fields[name] = valueIn(texts[0]!, reading)
        else
          throw serverError('url-invalid', {
            reason: `${name} is there ${texts.length} times`,
            remedy: 'Send it once.',
          })
      }
      return fields
    },
  }
}

function readingOf(schema: Schema): Reading {
  const { type, items } = schema
  if (type === 'array') return { each: readingOf((items ?? {}) as Schema) }
  if (type === 'string' || 'enum' in schema || typeof schema['const'] === 'string') return 'text'
  if (type === 'number' || type === 'integer' || type === 'boolean') return 'scalar'
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices === undefined) return 'json'
  const readings = choices.map(readingOf)
  if (readings.every(reading => reading === 'text')) return 'text'
  return readings.some(reading => reading === 'json' || typeof reading === 'object') ? 'json' : 'scalar'
}

function valueIn(text: string, reading: Reading): unknown {
  if (reading === 'text') return text
  try {
    const value = readJson(text)
    // Only numbers and booleans are parsed; other text stays text.
    return reading === 'scalar' && typeof value === 'object' ? text : value
  } catch {
    return text
  }
}
