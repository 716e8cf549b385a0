/**
 * Reads the fields of a state from its definition: initial values, or a Standard Schema.
 *
 * A Standard Schema checks only whole values. For zod, valibot, arktype and JSON Schema the fields are read as well: then
 * an update costs the check of what it writes, a new field has a default in old threads, and a misspelt key is refused by
 * name. A schema of another library, or one with rules over several fields, checks the whole state each time. No other
 * module knows a schema library.
 */

import {
  findJsonSchemaFields,
  isPlainObject,
  isStandardSchema,
  type StandardSchema,
  type Validated,
  validateWith,
} from '../../core/index.ts'
import { andThen, type MaybePromise } from '../model/maybe-promise.ts'
import { frozen, writableCopy } from './frozen.ts'

export interface SourceField {
  /** Checks a value, and gives what is stored for it. Absent: any value is allowed. */
  readonly check?: ((value: unknown) => MaybePromise<Validated>) | undefined
  /** The schema checks only the elements of a list, so two lists that fit can be joined without a check. */
  readonly isElementwise?: boolean | undefined
  /** The initial value; undefined when the field may be absent. */
  readonly initial: () => MaybePromise<Validated>
}

export interface Source {
  /** Absent when only the schema knows the fields. */
  readonly fields?: ReadonlyMap<string, SourceField> | undefined
  /** Checks whole states, in addition to the fields. */
  readonly whole?: StandardSchema | undefined
}

const absent: Validated = { value: undefined }

/** Reads a definition, or returns what is wrong with it. */
export function readSource(source: unknown): Source | string {
  if (isStandardSchema(source)) return sourceOfSchema(source)
  if (typeof source !== 'object' || source === null || !isPlainObject(source)) {
    return 'it is neither a Standard Schema nor an object with the initial values'
  }
  // A copy, because the author of the definition may change it later.
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
  /** Whether the field may be absent although its schema does not accept undefined. */
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
    const initial = (): MaybePromise<Validated> => andThen(check(undefined), orAbsent)
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

/** The rules of an object that concern single fields only. */
const arktypeOfFields = new Set(['required', 'optional', 'domain', 'undeclared'])

function arktypeSource(schema: StandardSchema): Source {
  const { json } = schema as unknown as ArktypeObject
  const rules = typeof json === 'object' && json !== null ? Object.keys(json) : ['unknown']
  // Only an object without morphs and index signatures has `props`.
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
