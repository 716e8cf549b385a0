/**
 * Values of states as the wire carries them: JSON, with tagged objects (`{"$date": …}`) for other types, in the format of the
 * store. So a value survives a round trip.
 *
 * The schema does not walk a value: that would copy it and drop a key named `__proto__`, which is data like any other.
 */
import { isStateError } from 'agentstategraph'
import { decode, defaultLimits, encode, type Stored } from 'agentstategraph/internal'
import { z } from 'zod'
import { serverError } from './errors.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** Any JSON value. It is a named component, so that generated clients treat it as required and of any type. */
export const jsonValue = z
  .unknown()
  .refine(value => jsonTypes.includes(value === null ? 'null' : typeof value), 'a JSON value is needed')
  .meta({
    id: 'JsonValue',
    description: 'Any JSON value; values beyond JSON are tagged objects such as {"$date": "…"}',
    type: jsonTypes,
    // Without them some generators of clients drop every operation with a value.
    items: {},
    additionalProperties: true,
  }) as unknown as z.ZodType<JsonValue, JsonValue>

/** An object with any keys. */
export const jsonObject = z
  .unknown()
  .refine(value => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object is needed')
  .meta({ type: 'object', additionalProperties: true }) as unknown as z.ZodType<
  Readonly<Record<string, JsonValue>>,
  Readonly<Record<string, JsonValue>>
>

export function wireValue(value: unknown): JsonValue {
  return encode(value) as JsonValue
}

/** The value that a caller gave; `at` is where it is, for errors. */
export function stateValue(value: JsonValue, at: readonly string[] = []): unknown {
  try {
    return decode(value as Stored, undefined, { at, refusesEncrypted: true, limits: defaultLimits })
  } catch (error) {
    if (!isStateError(error, 'value-unreadable')) throw error
    const { path, tag } = error.data as { readonly path: string; readonly tag: string }
    throw serverError('tag-invalid', { path, tag })
  }
}
