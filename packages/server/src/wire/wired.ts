/** Results on their way out: the library's objects, in the shape of a schema. */
import type { z } from 'zod'
import type { JsonValue } from './json-value.ts'

/** What a schema describes. The library's lists and records are read-only, and are passed on without a copy. */
export type Wire<Schema extends z.ZodType> = ReadonlyParts<z.input<Schema>>

type ReadonlyParts<T> = [JsonValue] extends [T] ? T : PartsOf<T>
type PartsOf<T> = T extends (infer Item)[]
  ? readonly ReadonlyParts<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyParts<T[K]> }
    : T

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields without those that are undefined. */
export function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
