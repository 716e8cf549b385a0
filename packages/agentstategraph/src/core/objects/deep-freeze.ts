/** Values that are kept and handed to several callers: frozen, so that none of them changes what the others get. */

/** Freezes a value of plain objects and lists with all it holds, and gives it back. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key])
  return value
}
