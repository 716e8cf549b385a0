/**
 * The object that a task or a program changes: plain in every use, and its keys come when they are touched.
 *
 * Only this top level is a proxy. It asks for keys by name, so a memory of ten thousand keys costs nothing until they are
 * read; what is below it are the plain values themselves. Prototypes stay out of reach: `__proto__` is a key like others.
 */

export interface Keys {
  find(key: string): { readonly value: unknown } | undefined
  has(key: string): boolean
  set(key: string, value: unknown): void
  delete(key: string): void
  list(): readonly string[]
}

/** What Node prints in place of an object; without it, a proxy is printed as the empty object behind it. */
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
      // What is no key is looked for where every object has it, so that toString and its like work.
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
      // Listing keys asks for each of them here: a value is read only when somebody wants it.
      const access = { get: () => keys.find(key)?.value, set: (value: unknown) => keys.set(key, value) }
      return { ...access, enumerable: true, configurable: true }
    },
    defineProperty(_target, key, { value, get, set, enumerable }) {
      // Only data can be kept. Assigning a key comes here too, with nothing but a value.
      if (typeof key === 'symbol' || get !== undefined || set !== undefined || enumerable === false) return false
      keys.set(key, value)
      return true
    },
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  }
}
