/**
 * Fields from where a definition takes them: initial values, or a Standard Schema.
 *
 * The standard lets one ask about a whole value only. The libraries we know also tell their fields, so that an update
 * costs the check of what it writes; those whose fields cannot be told, or that have rules over several fields, are
 * asked about the whole state each time. Nothing past this file knows a library.
 */

import {
  findJsonSchemaFields,
  isPlainObject,
  isStandardSchema,
  type StandardSchema,
  type Validated,
  validateWith,
} from '../../core/index.ts'
import type { MaybePromise } from '../model/maybe-promise.ts'
import { frozen, writableCopy } from './frozen.ts'

export interface SourceField {
  /** Says whether the field may hold a value, and what it becomes. Absent: it may hold anything. */
  readonly check?: ((value: unknown) => MaybePromise<Validated>) | undefined
  /** Its schema asks nothing of a list but what it asks of the elements: joining two lists that fit gives one that fits. */
  readonly isElementwise?: boolean | undefined
  /** What the field begins as when nobody gives it a value; undefined when it may be absent. */
  readonly initial: () => MaybePromise<Validated>
}

export interface Source {
  /** Absent when only the schema knows what is a field. */
  readonly fields?: ReadonlyMap<string, SourceField> | undefined
  /** Asked about whole states, beside the fields. */
  readonly whole?: StandardSchema | undefined
}

const absent: Validated = { value: undefined }

/** Reads a definition. Gives a sentence instead when it is none. */
export function readSource(source: unknown): Source | string {
  if (isStandardSchema(source)) return sourceOfSchema(source)
  if (typeof source !== 'object' || source === null || !isPlainObject(source)) {
    return 'it is neither a Standard Schema nor an object with the initial values'
  }
  // The definition stays its author's; a copy is what nobody can change.
  const initial = frozen(writableCopy(source as Readonly<Record<string, unknown>>))
  return {
    fields: new Map(Object.entries(initial).map(([name, value]) => [name, { initial: () => ({ value }) }])),
  }
}

function sourceOfSchema(schema: StandardSchema): Source {
  switch (schema['~standard'].vendor) {
    case 'zod':
      return zodSource(schema)
    case 'valibot':
      return valibotSource(schema)
    case 'arktype':
      return arktypeSource(schema)
    default:
      return jsonSchemaSource(schema)
  }
}

interface ZodObject {
  readonly shape?: Readonly<Record<string, StandardSchema>> | undefined
  readonly _zod?: { readonly def: ZodDefinition; readonly optin?: 'optional' | undefined } | undefined
  readonly _def?: { readonly unknownKeys?: string | undefined; readonly catchall?: ZodObject | undefined } | undefined
}
interface ZodDefinition {
  readonly type?: string | undefined
  readonly typeName?: string | undefined
  readonly checks?: readonly unknown[] | undefined
  readonly innerType?: ZodObject | undefined
  readonly catchall?: ZodObject | undefined
}

function zodSource(schema: StandardSchema): Source {
  const zod = schema as ZodObject
  const catchall = zod._zod?.def.catchall ?? zod._def?.catchall
  const rest = catchall?._zod?.def.type ?? (catchall?._def as ZodDefinition | undefined)?.typeName
  const isClosed =
    (rest === undefined || rest === 'never' || rest === 'ZodNever') && zod._def?.unknownKeys !== 'passthrough'
  if (zod.shape === undefined || !isClosed) return { whole: schema }
  const isOptional = (field: StandardSchema): boolean => (field as ZodObject)._zod?.optin === 'optional'
  return askedByField(
    zod.shape,
    { isOptional, isElementwise: isZodList },
    (zod._zod?.def.checks?.length ?? 0) > 0 ? schema : undefined,
  )
}

function isZodList(schema: object): boolean {
  const def = (schema as ZodObject)._zod?.def
  if (def === undefined || (def.checks?.length ?? 0) > 0) return false
  if (def.type === 'default' || def.type === 'optional') return def.innerType !== undefined && isZodList(def.innerType)
  return def.type === 'array'
}

interface ValibotObject {
  readonly type?: string | undefined
  readonly wrapped?: ValibotObject | undefined
  readonly entries?: Readonly<Record<string, StandardSchema>> | undefined
  readonly pipe?: readonly unknown[] | undefined
}

function valibotSource(schema: StandardSchema): Source {
  const { type = '', entries, pipe } = schema as ValibotObject
  if (entries === undefined || !['object', 'strict_object'].includes(type)) return { whole: schema }
  const isOptional = (field: StandardSchema): boolean => (field as ValibotObject).type === 'exact_optional'
  return askedByField(entries, { isOptional, isElementwise: isValibotList }, pipe === undefined ? undefined : schema)
}

function isValibotList(schema: object): boolean {
  const { type, wrapped, pipe } = schema as ValibotObject
  if (pipe !== undefined) return false
  return type === 'array' || (type === 'optional' && wrapped !== undefined && isValibotList(wrapped))
}

interface Traits {
  /** It may be absent, although its schema does not accept undefined. */
  readonly isOptional: (field: StandardSchema) => boolean
  readonly isElementwise: (field: StandardSchema) => boolean
}

function askedByField(
  schemas: Readonly<Record<string, StandardSchema>>,
  { isOptional, isElementwise }: Traits,
  whole: StandardSchema | undefined,
): Source {
  const fields = new Map<string, SourceField>()
  for (const [name, schema] of Object.entries(schemas)) {
    const check = (value: unknown): MaybePromise<Validated> => validateWith(schema, value)
    const orAbsent = (found: Validated): Validated => ('issues' in found && isOptional(schema) ? absent : found)
    const initial = (): MaybePromise<Validated> => {
      const found = check(undefined)
      return found instanceof Promise ? found.then(orAbsent) : orAbsent(found)
    }
    fields.set(name, { check, initial, isElementwise: isElementwise(schema) })
  }
  return { fields, whole }
}

interface ArktypeObject {
  readonly json: unknown
  readonly props: readonly ArktypeProp[]
}
interface ArktypeProp {
  readonly key: PropertyKey
  readonly kind: 'required' | 'optional'
  readonly value: StandardSchema
  readonly default?: unknown
}

/** Rules that an object of fields may have without being more than its fields. */
const arktypeOfFields = new Set(['required', 'optional', 'domain', 'undeclared'])

function arktypeSource(schema: StandardSchema): Source {
  const { json } = schema as unknown as ArktypeObject
  const rules = typeof json === 'object' && json !== null ? Object.keys(json) : ['unknown']
  // Only an object without morphs and index signatures tells its properties.
  if (!rules.every(rule => arktypeOfFields.has(rule) || rule === 'predicate')) return { whole: schema }
  const fields = new Map<string, SourceField>()
  for (const { key, kind, value, ...rest } of (schema as unknown as ArktypeObject).props) {
    const check = (given: unknown): MaybePromise<Validated> => validateWith(value, given)
    const fallback = rest.default
    const initial = (): MaybePromise<Validated> => {
      if (kind === 'required') return check(undefined)
      return fallback === undefined ? absent : check(typeof fallback === 'function' ? fallback() : fallback)
    }
    fields.set(String(key), { check, initial })
  }
  return { fields, whole: rules.includes('predicate') ? schema : undefined }
}

function jsonSchemaSource(schema: StandardSchema): Source {
  const parts = findJsonSchemaFields(schema)
  if (parts === undefined) return { whole: schema }
  const fields = new Map<string, SourceField>()
  for (const [name, { schema: part, isRequired, initial }] of parts.fields) {
    const check = (value: unknown): MaybePromise<Validated> => validateWith(part, value)
    const missing: Validated = { issues: [{ message: 'is required', path: [] }] }
    fields.set(name, {
      check,
      initial: () => (initial !== undefined ? check(initial.value) : isRequired ? missing : absent),
    })
  }
  return { fields, whole: parts.hasRules ? schema : undefined }
}
