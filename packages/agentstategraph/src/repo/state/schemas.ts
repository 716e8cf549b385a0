/**
 * The schemas of a state, as the system root keeps them: under `/_meta/schemas`, by the pattern they are attached to.
 *
 * They are read once for each content and journal. A schema that cannot be written as JSON Schema is opaque: the record
 * says that there is one, and only processes that attached it can ask it.
 */

import {
  decode,
  deepFreeze,
  encode,
  findJsonSchemaDocument,
  type Glob,
  isStateError,
  type JsonSchemaDocument,
  jsonSchema,
  parseGlob,
  type StandardSchema,
  type Stored,
} from '../../core/index.ts'
import type { Journal, Work } from '../../store/index.ts'
import { contentOf, findEntry, type Link, rootOf, valueOfChild } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import { metaKey } from './meta.ts'

/** What happens to a landing that breaks a schema: it is refused, it carries warnings, or nothing. */
export type Enforcement = 'strict' | 'warn' | 'off'
export const enforcements: readonly Enforcement[] = ['strict', 'warn', 'off']

/** A schema as it is stored. An opaque one has the name of the library it comes from, and an id to know it by. */
export type SchemaRecord = { readonly enforcement: Enforcement } & (
  | { readonly schema: object | boolean }
  | { readonly opaque: { readonly id: string; readonly vendor: string } }
)

export interface SchemaRule {
  readonly pattern: string
  readonly glob: Glob
  readonly record: SchemaRecord
  /** Equal for two rules exactly when they are the same. */
  readonly content: string
  /** Absent for an opaque schema. */
  readonly document?: JsonSchemaDocument
}

export interface SchemasInForce {
  /** The id of all of them together, as commits name it. */
  readonly id: string
  readonly rules: readonly SchemaRule[]
}

export const schemasPath: readonly string[] = [metaKey, 'schemas']

const KEPT = 32
const read = new WeakMap<Journal, Map<string, SchemasInForce | null>>()
const opaque = new WeakMap<Journal, Map<string, StandardSchema>>()

/** The schemas that a system root holds; undefined when there are none. */
export function* findSchemas(journal: Journal, system: Link): Work<SchemasInForce | undefined> {
  const kept = read.get(journal.opened) ?? new Map<string, SchemasInForce | null>()
  read.set(journal.opened, kept)
  const known = kept.get(system.id)
  if (known !== undefined) return known ?? undefined
  const found = yield* readSchemas(journal, system)
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value!)
  kept.set(system.id, found ?? null)
  return found
}

function* readSchemas({ context }: Journal, system: Link): Work<SchemasInForce | undefined> {
  const entry = yield* findEntry(context, system, schemasPath)
  if (entry === undefined) return undefined
  const stored = yield* valueOfChild(context, entry.child)
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    throw repoError('schema-unreadable', { pattern: '', reason: 'what is kept as schemas is no map' })
  }
  // Callers that list the schemas get these records themselves.
  const records = deepFreeze(decode(stored)) as Readonly<Record<string, unknown>>
  const rules = Object.keys(records).map(pattern => ruleOf(pattern, records[pattern]))
  if (rules.length === 0) return undefined
  const id = entry.child.kind === 'link' ? contentOf(entry.child) : rootOf(context, stored as Stored, 0).id
  return { id, rules }
}

function ruleOf(pattern: string, record: unknown): SchemaRule {
  const { enforcement, schema, opaque } = (record ?? {}) as Partial<
    Record<'enforcement' | 'schema' | 'opaque', unknown>
  >
  const fail = (reason: string, cause?: Error): Error =>
    repoError('schema-unreadable', { pattern, reason }, cause === undefined ? {} : { cause })
  if (!enforcements.includes(enforcement as Enforcement)) throw fail('it does not say how it is enforced')
  try {
    const rule = {
      pattern,
      glob: parseGlob(pattern),
      record: record as SchemaRecord,
      content: JSON.stringify(encode(record)),
    }
    if (opaque !== undefined) return rule
    return { ...rule, document: findJsonSchemaDocument(jsonSchema(schema as object))! }
  } catch (error) {
    if (!isStateError(error)) throw error
    throw fail(error.message, error)
  }
}

/** Lets this process ask an opaque schema. */
export function keepOpaque(journal: Journal, id: string, schema: StandardSchema): void {
  const known = opaque.get(journal.opened)
  if (known === undefined) opaque.set(journal.opened, new Map([[id, schema]]))
  else known.set(id, schema)
}

export function dropOpaque(journal: Journal, id: string): void {
  opaque.get(journal.opened)?.delete(id)
}

/** The schema behind an opaque record, in processes that attached it. */
export function findOpaque(journal: Journal, record: SchemaRecord): StandardSchema | undefined {
  return 'opaque' in record ? opaque.get(journal.opened)?.get(record.opaque.id) : undefined
}
