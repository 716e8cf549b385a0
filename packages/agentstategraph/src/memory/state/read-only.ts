/**
 * Values that cannot be changed: what a checkout hands out.
 *
 * Freezing is not enough: maps, sets and dates change through their methods, elements of typed arrays cannot be frozen, and
 * a frozen object does not say why it refuses. So containers and bytes are shown through proxies that refuse every write
 * with its path, and maps, sets and dates are copies whose own methods refuse. Instances of registered classes are frozen,
 * because their methods may need the very object; of an `ArrayBuffer` there is only a copy to give.
 */

import { formatPath, isPlainObject } from '../../core/index.ts'

/** Makes the error for a write to a path. */
export type Refuse = (path: string) => Error

/** The value behind each read-only one. */
const behind = new WeakMap<object, object>()

/** The value itself, when it is shown read-only. */
export function findBehind(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? behind.get(value) : undefined
}

export function readOnly<T>(value: T, path: readonly string[], refuse: Refuse): T {
  return shown({ refuse, seen: new WeakMap() }, value, path) as T
}

interface Showing {
  readonly refuse: Refuse
  /** One for each object, so that identity holds among what is read. */
  readonly seen: WeakMap<object, object>
}

function shown(showing: Showing, value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = showing.seen.get(value)
  if (known !== undefined) return known
  const made = shownObject(showing, value, path)
  showing.seen.set(value, made)
  if (made !== value) behind.set(made, value)
  return made
}

function shownObject(showing: Showing, value: object, path: readonly string[]): object {
  const inside = (item: unknown): unknown => shown(showing, item, path)
  if (Array.isArray(value) || isPlainObject(value)) return new Proxy(value, containerHandler(showing, path))
  if (value instanceof Map) {
    const map = new Map([...value].map(([key, item]) => [inside(key), inside(item)]))
    return withoutMethods(map, ['set', 'delete', 'clear'], refusing(showing, path))
  }
  if (value instanceof Set) {
    return withoutMethods(new Set([...value].map(inside)), ['add', 'delete', 'clear'], refusing(showing, path))
  }
  if (value instanceof Date) return withoutMethods(new Date(value), dateSetters, refusing(showing, path))
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (ArrayBuffer.isView(value) || value instanceof URL || value instanceof URLSearchParams) {
    return new Proxy(value, viewHandler(showing, path))
  }
  return frozen(value)
}

const dateSetters = Object.getOwnPropertyNames(Date.prototype).filter(name => name.startsWith('set'))

function refusing({ refuse }: Showing, path: readonly string[]): () => never {
  return () => {
    throw refuse(formatPath(path))
  }
}

/** The object with methods of its own that refuse; not enumerable, so that it equals one without. */
function withoutMethods<T extends object>(value: T, names: readonly string[], refuse: () => never): T {
  for (const name of names) Object.defineProperty(value, name, { value: refuse, enumerable: false })
  return Object.freeze(value)
}

/** The object frozen with everything in it. */
function frozen(value: object): object {
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) frozen(item as object)
  return value
}

function refusals({ refuse }: Showing, path: readonly string[]): ProxyHandler<object> {
  const never = (_target: object, key?: unknown): never => {
    throw refuse(formatPath(typeof key === 'string' ? [...path, key] : path))
  }
  return { set: never, deleteProperty: never, defineProperty: never, setPrototypeOf: never, preventExtensions: never }
}

function containerHandler(showing: Showing, path: readonly string[]): ProxyHandler<object> {
  const inside = (key: string | symbol, value: unknown): unknown => shown(showing, value, [...path, String(key)])
  return {
    ...refusals(showing, path),
    get: (target, key, receiver) =>
      Object.hasOwn(target, key) ? inside(key, Reflect.get(target, key)) : Reflect.get(target, key, receiver),
    getOwnPropertyDescriptor(target, key) {
      const found = Reflect.getOwnPropertyDescriptor(target, key)
      return found?.configurable === true ? { ...found, value: inside(key, found.value) } : found
    },
  }
}

const viewMutators: ReadonlySet<string> = new Set([
  ...['set', 'delete', 'append', 'fill', 'copyWithin', 'reverse', 'sort'],
  ...Object.getOwnPropertyNames(DataView.prototype).filter(name => name.startsWith('set')),
])

/** For objects whose content is not in their properties: their methods get the very object, or refuse. */
function viewHandler(showing: Showing, path: readonly string[]): ProxyHandler<object> {
  return {
    ...refusals(showing, path),
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || key === 'constructor') return shown(showing, value, path)
      if (typeof key === 'string' && viewMutators.has(key)) return refusing(showing, path)
      // A part of a view would lead to the same bytes.
      if (key === 'subarray') return (...args: unknown[]) => shown(showing, value.apply(target, args), path)
      return value.bind(target) as unknown
    },
  }
}
