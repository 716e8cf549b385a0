/**
 * Tracks what a node reads of its state, for nodes that cache.
 *
 * The node is given proxies that record each path, also when there is no value: that a key is absent is part of what was
 * read. Only the deepest paths count, because a digest covers the kinds of the containers above them. Listing the keys of
 * a container, or reading many of its parts, counts as reading the container. `Map`, `Set`, `Date` and the like are read
 * whole. Nodes that do not cache get no proxies.
 */

import { formatPath, isPlainObject } from '../../../core/index.ts'
import { getOrAdd } from '../../model/get-or-add.ts'

/** With more parts than this, the container counts as read. */
const PARTS_AT_MOST = 32

interface Reads {
  isWhole: boolean
  readonly parts: Map<string, Reads>
}

export interface TrackedState<T> {
  readonly state: T
  /** The paths read so far, sorted. */
  reads(): readonly string[]
}

/** The original of each proxy, so that no proxy gets into an update. */
const originals = new WeakMap<object, { readonly value: object; readonly recorded: Reads }>()

/** Tracks several copies of one state, and records the reads of all of them together. */
export function newTracker(): <T extends object>(state: T) => TrackedState<T> {
  const recorded = newReads()
  return <T extends object>(state: T) => ({
    state: proxyOf(state, recorded) as T,
    reads: () => pathsOf(recorded, []).sort(),
  })
}

function newReads(): Reads {
  return { isWhole: false, parts: new Map() }
}

/** Whether a value has parts that are tracked one by one. */
export function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || isPlainObject(value))
}

function partOf(recorded: Reads, key: string): Reads {
  const part = getOrAdd(recorded.parts, key, newReads)
  if (recorded.parts.size > PARTS_AT_MOST) recorded.isWhole = true
  return part
}

function proxyOf(value: object, recorded: Reads): object {
  const children = new Map<string, object>()
  const note = (key: PropertyKey): void => {
    if (typeof key !== 'symbol') partOf(recorded, String(key))
  }
  const read = (key: PropertyKey, part: unknown): unknown => {
    if (typeof key === 'symbol') return part
    const name = String(key)
    const below = partOf(recorded, name)
    return isContainer(part) ? getOrAdd(children, name, () => proxyOf(part, below)) : part
  }
  const refuse = (verb: string, key: PropertyKey): never => {
    throw new TypeError(`Cannot ${verb} property '${String(key)}' of the state`)
  }
  // The target is an empty object of the same kind: a proxy of a frozen object must not return other values than it has.
  const blank: object = Array.isArray(value) ? [] : {}
  const proxy = new Proxy(blank, {
    get: (_, key) => {
      const part: unknown = Reflect.get(value, key)
      // The methods of a list are not parts of it. A map may have a key with the name of an inherited property.
      const isMethod = Array.isArray(value) && part !== undefined && !Object.hasOwn(value, key)
      if (isMethod) return part
      if (Object.hasOwn(value, key)) return read(key, part)
      note(key)
      return part
    },
    has: (_, key) => {
      note(key)
      return Reflect.has(value, key)
    },
    ownKeys: () => {
      recorded.isWhole = true
      return Reflect.ownKeys(value)
    },
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value, key)
      if (found === undefined) return void note(key)
      const isLength = Array.isArray(value) && key === 'length'
      return { ...found, value: read(key, found.value), writable: true, configurable: !isLength }
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(value),
    set: (_, key) => refuse('assign to read only', key),
    defineProperty: (_, key) => refuse('assign to read only', key),
    deleteProperty: (_, key) => refuse('delete', key),
  })
  originals.set(proxy, { value, recorded })
  return proxy
}

/** The path of a part counts when nothing deeper was read. */
function pathsOf(recorded: Reads, path: readonly string[]): string[] {
  if (recorded.isWhole) return [formatPath(path)]
  return [...recorded.parts].flatMap(([key, part]) => {
    const below = [...path, key]
    return part.parts.size === 0 ? [formatPath(below)] : pathsOf(part, below)
  })
}

/** The value with originals in place of proxies. The original of each proxy counts as read whole. */
export function withoutProxies<T>(value: T): T {
  return original(value, new Set()) as T
}

function original(value: unknown, around: Set<object>): unknown {
  if (typeof value !== 'object' || value === null || around.has(value)) return value
  const known = originals.get(value)
  if (known !== undefined) {
    known.recorded.isWhole = true
    return known.value
  }
  if (!isContainer(value)) return value
  around.add(value)
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, original(part, around)])
  around.delete(value)
  const isSame = entries.every(([key, part]) => value[key] === part)
  if (isSame) return value
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}
