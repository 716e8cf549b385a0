/** Changes everything that can be reached from a value, as a careless or hostile caller would. */
export function vandalise(value: unknown, seen: Set<object> = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isData = Array.isArray(value) || prototype === Object.prototype || prototype === null
  if (value instanceof Date) attempt(() => value.setTime(1))
  if (value instanceof Map || value instanceof Set) attempt(() => value.clear())
  if (value instanceof Uint8Array) value.fill(7)
  if (!isData) return
  for (const key of Reflect.ownKeys(value)) vandalise((value as Record<PropertyKey, unknown>)[key], seen)
  if (Array.isArray(value)) {
    attempt(() => value.push('/', '/**', '*', 'added'))
    attempt(() => value.splice(0, 1, '/'))
  }
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'length') continue
    attempt(() => Reflect.set(value, key, 'changed'))
  }
  attempt(() => Reflect.set(value, 'added', true))
}

function attempt(change: () => unknown): void {
  try {
    change()
  } catch {
    // It is frozen.
  }
}
