/**
 * The answer of an operation as a model gets it: the same data, with less to read.
 *
 * Fields without content are left out, hashes are given by their beginning, and a commit is a line wherever it is not what was
 * asked for: get_commit and blame have all of it. Everything follows from the schema of the output. Values of states are data of
 * the user and stay as they are.
 */
import { z } from 'zod'
import { hashFormat } from '../../wire/hash-text.ts'
import { isRecord } from '../../wire/wired.ts'
import { type Defs, type JsonSchema, optionsOf, propertiesOf, resolved } from '../json-schema.ts'
import { describeBriefly } from './brief-schema.ts'
import { isCommit, lineOf, lineProperties } from './commit-line.ts'

export interface Brief {
  /** What the list of tools says of the answer. */
  readonly schema: JsonSchema
  of(output: unknown): unknown
}

/** The beginning of a hash, as long as every surface shows it. */
const SHOWN_DIGITS = 12

/** `asLine`: the commit that the answer is, is a line too. */
export function briefOf(output: z.ZodType, asLine: boolean): Brief {
  const { $defs = {}, ...whole } = z.toJSONSchema(output) as JsonSchema & { readonly $defs?: Defs }
  const kept = findSoleList(resolved(whole, $defs).schema)
  return {
    schema: describeBriefly(whole, $defs, { asLine, kept }),
    of: value => shortened(whole, value, { defs: $defs, asLine, kept, isTop: true }),
  }
}

interface Context {
  readonly defs: Defs
  readonly asLine: boolean
  /** Whether the value is the whole answer. */
  readonly isTop?: boolean
  /** The list that the answer is about; it is there when it is empty too. */
  readonly kept?: string | undefined
}

function shortened(given: JsonSchema, value: unknown, context: Context): unknown {
  const { name, schema } = resolved(given, context.defs)
  if (name === 'JsonValue') return value
  if (typeof value === 'string') return schema['format'] === hashFormat ? value.slice(0, SHOWN_DIGITS) : value
  const { isTop = false } = context
  const inside = { defs: context.defs, asLine: true }
  if (Array.isArray(value)) {
    const { items } = schema
    return isRecord(items) ? value.map(part => shortened(items, part, inside)) : value
  }
  if (!isRecord(value)) return value
  const object = findObject(schema, value, context.defs)
  if (object === undefined) return value
  const isLine = context.asLine && isCommit(propertiesOf(object))
  const properties = isLine ? lineProperties(propertiesOf(object), isTop) : propertiesOf(object)
  const others = object['additionalProperties']
  return Object.fromEntries(
    Object.entries(isLine ? lineOf(value, isTop) : value).flatMap(([key, part]) => {
      const own = Object.hasOwn(properties, key) ? properties[key] : others
      if (!isRecord(own)) return [[key, part]]
      const short = shortened(own, part, inside)
      const isLeftOut = short === undefined || (isEmpty(short) && key !== context.kept && !isValue(own))
      return isLeftOut ? [] : [[key, short]]
    }),
  )
}

/** The schema of the object that a value is: of a union, the option that it fits. Undefined when it may have any keys. */
function findObject(schema: JsonSchema, value: Readonly<Record<string, unknown>>, defs: Defs): JsonSchema | undefined {
  const found = optionsOf(schema, defs)?.find(option => fits(option, value)) ?? schema
  return found['additionalProperties'] === true ? undefined : found
}

/** Whether a value has the fields, and the constants, that tell the options of a union apart. */
function fits(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const required = (schema['required'] ?? []) as readonly string[]
  const isSame = ([key, { const: only }]: readonly [string, JsonSchema]) => only === undefined || value[key] === only
  return required.every(key => key in value) && Object.entries(propertiesOf(schema)).every(isSame)
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

function isValue(schema: JsonSchema): boolean {
  return schema['$ref'] === '#/$defs/JsonValue'
}

/** The list of an answer that has only one. */
function findSoleList(schema: JsonSchema): string | undefined {
  const lists = Object.entries(propertiesOf(schema)).filter(([, { type }]) => type === 'array')
  return lists.length === 1 ? lists[0]![0] : undefined
}
