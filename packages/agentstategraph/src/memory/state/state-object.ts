/**
 * The state object of a task or a program. It behaves like a plain object, and loads each key on first access.
 *
 * Only this top level is a proxy, so a memory of ten thousand keys costs nothing until they are read. The values below it
 * are plain. `__proto__` is a key like any other: the prototype cannot be changed.
 */

export interface Keys {
  find(key: string): { readonly value: unknown } | undefined
  has(key: string): boolean
  set(key: string, value: unknown): void
  delete(key: string): void
  list(): readonly string[]
}

/** The method that Node prints an object with; without it, a proxy prints as the empty object behind it. */
const printed = Symbol.for('nodejs.util.inspect.custom')

export function stateObject(keys: Keys): object {
  const behind = Object.defineProperty({}, printed, {
    value: () => Object.fromEntries(keys.list().map(key => [key, keys.find(key)?.value])),
    configurable: true,
  })
  return new Proxy(behind, handlerOf(keys))
}

function handlerOf(keys: Keys): ProxyHandler<object> {
  return {
    get(target, key) {
      if (typeof key === 'symbol') return Reflect.get(target, key)
      const found = keys.find(key)
      // What is not a key is looked up on the prototype, so that toString and the like work.
      return found === undefined ? (key === '__proto__' ? undefined : Reflect.get(target, key)) : found.value
    },
    has(target, key) {
      return (typeof key === 'string' && keys.has(key)) || Reflect.has(target, key)
    },
    set(_target, key, value) {
      if (typeof key === 'symbol') return false
      keys.set(key, value)
      return true
    },
    deleteProperty(_target, key) {
      if (typeof key === 'string') keys.delete(key)
      return true
    },
    ownKeys() {
      return [...keys.list()]
    },
    getOwnPropertyDescriptor(_target, key) {
      if (typeof key === 'symbol' || !keys.has(key)) return undefined
      // Listing keys calls this for each of them, so the value is read only by the getter.
      const access = { get: () => keys.find(key)?.value, set: (value: unknown) => keys.set(key, value) }
      return { ...access, enumerable: true, configurable: true }
    },
    defineProperty(_target, key, { value, get, set, enumerable }) {
      // Only data can be stored. An assignment comes here too, with a value only.
      if (typeof key === 'symbol' || get !== undefined || set !== undefined || enumerable === false) return false
      keys.set(key, value)
      return true
    },
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  }
}
